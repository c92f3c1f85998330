"""Report, run headless: what is known by now, and what is asked for."""

from dataclasses import replace

from mips_core.report import html_of
from pages._ui.report import page
from pages._ui.report.assembly import compared_of, noise_of
from tests.mips_core.report.reports import Page
from tests.pages.conftest import session_of, texts
from tests.pages.report_page import FEW, look, opened, report_on


def test_what_robustness_and_compare_measured_is_in_it(app):
    for name in ("robustness.py", "compare.py"):
        at = app(name, method=FEW, robustness="speedup=3", compare="second=srp-hash,speedup=3")
        for _ in range(4):  # settings, then what is made of those chosen
            at = look(at)
    report = report_on(opened(app))
    session = session_of(at)
    noise, (held, at_speedup) = noise_of(session), compared_of(session)
    assert [method.key for method in report.noise.methods] == FEW
    precision = noise.methods[0].precision("noisy")
    assert report.noise.methods[0].precision == tuple(precision)
    words = held.difference.in_words("Flat k-means", "SRP-hash", at_speedup)
    assert report.comparison.words == words
    assert words in " ".join(Page(html_of(report)).text)
    assert "✓ **Noise**  2 methods at 3×" in texts(at)
    assert "✓ **One against another**  Flat k\\-means and SRP\\-hash" in texts(at)


def test_another_run_may_change_seed_and_k_while_it_is_drawn(app, monkeypatch):
    at = opened(app)
    session, point_of = session_of(at), page.point_of

    def chosen_late(*args):
        point = point_of(*args)
        session.K, session.recipe = 3, replace(session.recipe, seed=5)
        return point

    monkeypatch.setattr(page, "point_of", chosen_late)
    at.run()
    assert not at.exception
    assert (session.K, session.seed) == (3, 5)
