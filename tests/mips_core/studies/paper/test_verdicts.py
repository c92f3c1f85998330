"""Laws of verdicts: Holm's procedure, and what makes a claim hold, fall or stay open."""

import numpy as np
import pytest

from mips_core.studies.paper.jackknife import share_of
from mips_core.studies.paper.verdicts import FAMILY, Claim, Condition, holm, judged
from mips_core.studies.paper.view import View
from tests.mips_core.studies.paper.paper_cases import sums


def oracle(ps, level):
    """Which are rejected, step by step, from the definition (Holm 1979)."""
    rejected = [False] * len(ps)
    for step, at in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        if ps[at] > level / (len(ps) - step):
            break
        rejected[at] = True
    return rejected


def test_holm_rejects_what_its_definition_rejects():
    draws = np.random.default_rng(0)
    for size in (1, 2, 7, 40):
        ps = (draws.random(size) ** 3).tolist()
        for level in (0.01, 0.05, 0.3):
            assert [p <= level for p in holm(ps)] == oracle(ps, level)
    assert holm([]) == []


def test_adjusted_ps_are_no_smaller_and_keep_the_order():
    ps = np.array([0.001, 0.2, 0.0004, 0.03])
    adjusted = np.array(holm(ps.tolist()))
    assert (adjusted >= ps).all()
    assert (np.argsort(adjusted, kind="stable") == np.argsort(ps)).all()


def claim(*names):
    conditions = tuple(Condition(name, lambda v, n=name: share_of(n, 0, 0)(v) - 0.5)
                       for name in names)  # fmt: skip
    return Claim(1, "It is more than half.", "1", "share", "figure", conditions,
                 why=lambda view, words: f"{words} is {view.share(words, 0, 0):.1f}.")  # fmt: skip


@pytest.fixture
def view():
    shares = {"much": 0.9, "more": 0.7, "half": 0.5, "less": 0.2}
    return View({name: sums([share], [10], seed=at) for at, (name, share) in
                 enumerate(shares.items())}, (1,))  # fmt: skip


@pytest.mark.parametrize(
    ("names", "verdict"),
    [
        (("much", "more"), "holds"),
        (("much", "half"), "holds"),  # the mean is sure, and no condition is against
        (("much", "more", "less"), "does not hold"),  # one is surely against
        (("less",), "does not hold"),
        (("half",), "cannot tell"),
        (("much", "absent"), "holds"),  # what cannot be asked is left out
    ],
)
def test_planted_effects_have_the_verdict_they_must_have(view, names, verdict):
    view.sums["absent"] = sums([0.5], [10])
    view.sums["absent"].hits[:] = np.nan
    (one,), comparisons = judged([("data", view, [claim(*names)])])
    assert one.verdict == verdict
    assert one.left_out == (("absent",) if "absent" in names else ())
    assert comparisons == len(names) + 1 - len(one.left_out)
    assert bool(one.why) == (verdict == "does not hold")
    if one.why:
        assert one.weakest.words == "less"
        assert one.why == "less is 0.2."


def test_nothing_that_can_be_asked_cannot_be_told(view):
    view.sums["absent"] = sums([0.5], [10])
    view.sums["absent"].hits[:] = np.nan
    (one,), comparisons = judged([("data", view, [claim("absent")])])
    assert (one.verdict, one.mean, one.weakest, comparisons) == ("cannot tell", None, None, 0)


def test_a_family_of_nulls_names_hardly_ever_anything():
    wrong = 0
    for seed in range(40):
        nulls = {f"n{i}": sums([0.5], [10], m=320, seed=100 * seed + i) for i in range(12)}
        (one,), _ = judged([("data", View(nulls, (1,)), [claim(*nulls)])])
        wrong += any(c.sign for c in (*one.conditions, one.mean))
    assert wrong <= 4  # 5% of 40, with room for luck


def test_one_family_over_all_data_is_stricter_than_one_data_set(view):
    (alone,), _ = judged([("data", view, [claim("more")])])
    together, count = judged([(f"data {i}", view, [claim("more")]) for i in range(30)])
    assert count == 60
    assert together[0].conditions[0].adjusted > alone.conditions[0].adjusted
    assert alone.conditions[0].adjusted < FAMILY
