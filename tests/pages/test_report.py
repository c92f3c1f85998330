"""Report, run headless: what it says is what other pages say, and what its file says."""

import json
import re
from dataclasses import replace

import pytest

from mips_core.data.catalog import CATALOG
from mips_core.report.sentences import finding
from mips_core.studies.tuning import Need, cheapest
from pages._ui.report import assembly, work
from pages._ui.report.assembly import compared_of, noise_of
from pages._ui.state import report_link
from pages._ui.state.report_state import LONGEST_NOTE, LONGEST_TITLE, ReportState
from pages._ui.tune import search
from pages._ui.work import jobs
from tests.mips_core.report.test_page import HOSTILE, Page
from tests.pages.conftest import MAIN, small_dataset
from tests.pages.test_pages import session_of, texts

FEW = ["flat-kmeans", "srp-hash"]


def report_on(at):
    """The report that the page offers now."""
    chosen = session_of(at)
    known = work.known(chosen)
    return assembly.report_on(chosen, known, assembly.point_of(chosen, known)[1])


def look(at):
    """Until nothing more comes."""
    assert jobs.wait(60)
    at.run()
    assert jobs.wait(60)
    return at.run()


@pytest.fixture
def opened(app):
    def open_page(method=FEW, **address):
        at = app("report.py", method=method, settle=False, **address)
        return look(at)

    return open_page


def captions(at):
    return [caption.value for caption in at.caption]


def tables(at):
    return [table.value for table in at.table]


def test_it_holds_what_other_pages_measured_and_measures_the_rest_when_asked(opened):
    at = opened()
    assert not at.exception
    wanted = work.wanted(session_of(at))
    known = work.known(session_of(at))
    assert 0 < len(known) < len(wanted)  # Home, passed on the way, measured its own
    button = at.button(key="report measure")
    assert button.label == f"Measure {len(wanted) - len(known)} more"
    assert f"{len(known)} of {len(wanted)} settings measured" in texts(at)
    assert "**Noise**  not measured" in texts(at)
    button.click().run()
    at = look(at)
    assert len(work.known(session_of(at))) == len(wanted)
    assert not [b for b in at.button if b.key == "report measure"]
    assert "✓ **Curves and tables**" in texts(at)
    assert "✓ **What is missed**" in texts(at)


def test_page_and_file_agree_with_tune_and_with_the_curves(opened):
    at = opened()
    chosen, report = session_of(at), report_on(at)
    tried = search.known(chosen)
    answer = cheapest(tried, chosen.K, Need(0.95, 0.95))
    assert report.point.measured.precision == answer.chosen.precision
    assert report.point.measured.cost == answer.chosen.cost
    assert at.success[0].value.replace("\\", "") == f"**{finding(report)}**"
    page = Page(report.html())
    assert finding(report) in page.text
    ledger, targets = tables(at)
    assert ledger["Inner products"].str.replace("\\", "").tolist() == [
        row[1] for row in page.rows("What a query costs")
    ]
    shown = [[re.sub(r"\\", "", cell) for cell in row] for row in targets.values.tolist()]
    assert shown == [row[1:6] for row in page.rows("The fewest") if row[0] == "0.95"]
    assert [row[0] for row in shown] == ["Flat k-means"]  # all that is measured
    told = " ".join(page.text)
    assert report.misses[0] in told
    assert f"At {report.point.measured.effort} probe" in report.misses[0]


def test_title_and_note_are_text_and_last(opened):
    at = opened()
    at.text_input(key="report title").set_value(HOSTILE).run()
    at.text_area(key="report note").set_value(f"# One\n{HOSTILE}").run()
    assert not at.exception
    shown = texts(at)
    assert "\\<img src=x" in shown
    assert "<img" not in shown.replace("\\<", "")
    for page in ("tune.py", "report.py"):
        at.switch_page(str(MAIN.parents[1] / page)).run()
    report = report_on(look(at))
    assert (report.title, report.note) == (HOSTILE, f"# One\n{HOSTILE}")
    assert Page(report.html()).names.count("script") == 1


def test_title_and_note_are_in_the_link_as_far_as_one_holds_them(opened):
    at = opened()
    at.text_input(key="report title").set_value("50% of it, or more").run()
    at.text_area(key="report note").set_value("One\n<b>two</b> & three").run()
    link = dict(at.query_params)
    assert (link["title"], link["note"]) == ("50% of it, or more", "One\n<b>two</b> & three")
    again = opened(**link)
    state = work.state_of(session_of(again))
    assert (state.title, state.note) == (link["title"], link["note"])
    assert not [text for text in captions(again) if "too long" in text]
    again.text_area(key="report note").set_value("ü" * 300).run()
    assert "note" not in again.query_params
    assert again.query_params["title"] == link["title"]
    assert [text for text in captions(again) if "too long for a link" in text]


def test_what_a_link_writes_is_one_line_and_no_longer_than_the_boxes():
    state = report_link.with_words(ReportState(), {"title": ["a\nb" * 200], "note": ["c" * 5_000]})
    assert (len(state.title), state.title[:4]) == (LONGEST_TITLE, "a ba")
    assert state.note == "c" * LONGEST_NOTE


def test_the_setting_to_run_is_chosen_and_in_the_address(opened):
    at = opened()
    at.selectbox(key="report point").set_value("slider").run()
    at = look(at)
    report, chosen = report_on(at), session_of(at)
    assert report.point.measured.effort == chosen.effort
    assert report.point.chosen == "It was set by hand."
    assert at.query_params["report"] == "point=slider"
    at.selectbox(key="report point").set_value("target").run()
    report = report_on(look(at))
    assert report.point.target == 0.95
    assert "cheapest setting measured that finds 0.95 or more" in report.point.chosen


def test_where_tune_has_no_answer_the_best_stands_in_its_place_and_it_is_said(opened):
    at = opened(queries="rows 12 0.1 no")
    assert not at.exception
    assert "Tune has no answer for what is measured" in texts(at)
    assert report_on(at).split is False
    assert "on the same queries" in texts(at)


def test_other_data_names_its_file_in_the_notebook(opened):
    at = opened()
    chosen = session_of(at)
    uploaded = replace(small_dataset(n=350), name="my <b> words")
    chosen.use(uploaded, uploaded.fingerprint, chosen.recipe)
    look(at)
    at.button(key="report measure").click().run()
    report = report_on(look(at))
    assert uploaded.fingerprint not in CATALOG
    assert report.origin.stem == "my <b> words"
    cells = json.loads(report.notebook())["cells"]
    assert any("STEM = 'my <b> words'" in cell["source"] for cell in cells)
    assert report.commands[0].startswith("python -m mips_core report FILE ")


def test_what_robustness_and_compare_measured_is_in_it(app, opened):
    for page in ("robustness.py", "compare.py"):
        at = app(page, method=FEW, robustness="speedup=3", compare="second=srp-hash,speedup=3")
        for _ in range(4):  # settings, then what is made of those chosen
            at = look(at)
    report = report_on(opened())
    chosen = session_of(at)
    noise, (held, at_speedup) = noise_of(chosen), compared_of(chosen)
    assert [method.key for method in report.noise.methods] == FEW
    precision = noise.methods[0].precision("noisy")
    assert report.noise.methods[0].precision == tuple(precision)
    words = held.difference.in_words("Flat k-means", "SRP-hash", at_speedup)
    assert report.comparison.words == words
    assert words in " ".join(Page(report.html()).text)
    assert "✓ **Noise**  2 methods at 3×" in texts(at)
    assert "✓ **One against another**  Flat k\\-means and SRP\\-hash" in texts(at)
