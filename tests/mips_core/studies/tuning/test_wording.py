"""What tuning found, in sentences."""

import json

import numpy as np

from mips_core.base.text import rounded
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.tuning import Budget, Need, as_dict, cheapest, most_precise, tune
from mips_core.studies.tuning.wording import in_words, order_in_words
from tests.mips_core.studies.tuning.tuning_cases import (
    GRID,
    K,
    dataset,
    invented,
    points,
    same_setting,
    tried,
)


def test_out_of_reach_the_best_there_is_is_said():
    tuned = cheapest(tried((GRID[-1],)), K, Need(0.99))
    assert tuned.chosen is None
    tuning = [p for p in points(tried((GRID[-1],)), 0) if p[4] < 900]
    most = max(tuning, key=lambda p: (p[2], -p[4]))
    assert same_setting(tuned.best, tried((GRID[-1],)), most)
    words = in_words(tuned)
    assert words.startswith("**No setting reaches 0.99 at 95% confidence.** The best is ")
    assert "SRP-hash" in words
    assert words.endswith(
        "More queries would not change that: lower the target, or try other methods."
    )


def test_a_best_above_the_target_says_how_many_queries_would_do():
    rng = np.random.default_rng(0)
    tuned = cheapest([invented([0.96], [100], rng, m=120)], K, Need(0.95))
    assert tuned.chosen is None
    assert tuned.best.precision > 0.95
    assert tuned.queries_needed > 120
    assert f"take about {rounded(tuned.queries_needed):,} queries" in in_words(tuned)


def test_too_few_queries_for_a_promise_say_how_many_would_do():
    """Of 59 held-out queries 0.95^59 = 4.8% show no fault that fails a query in twenty."""
    rng = np.random.default_rng(0)
    some, need = [invented([1.0], [100], rng, m=118)], Need(0.95)
    assert (need.fewest, Need(0.99).fewest, Need(0.9, 0.5).fewest) == (60, 300, 7)
    tuned = cheapest(some, K, need)
    assert (tuned.chosen, tuned.too_few, tuned.queries_needed) == (None, True, 120)
    assert {trial.verdict for trial in (tuned.best, *tuned.tested)} == {"cannot tell"}
    assert order_in_words(tuned, tuned.tested) == ""
    assert in_words(tuned).startswith(
        "**59 held-out queries cannot carry a promise of 0.95 at 95% confidence: it takes 60.**"
    )
    assert in_words(tuned).endswith("Take 120 queries or more, or lower the target.")
    enough = cheapest([invented([1.0], [100], rng, m=120)], K, need)
    assert enough.chosen.verdict == "holds"


def test_before_every_setting_is_in_nothing_is_promised():
    tuned, within = (make(tried(), K, goal, 9) for make, goal in
                     ((cheapest, Need(0.9)), (most_precise, Budget(200))))  # fmt: skip
    trials = (tuned.chosen, tuned.best, *tuned.tested, *tuned.runners_up)
    assert "holds" not in {trial.verdict for trial in trials}
    assert tuned.chosen.verdict == "not tested"
    settings = f"best of {len(GRID)} of {len(GRID) + 9} settings so far.**"
    for answer in (tuned, within):
        assert in_words(answer).startswith(f"**Provisional: {settings} ")
        assert "at least" not in in_words(answer)
        assert as_dict(answer)["provisional"]
    assert "none is sure enough" in in_words(cheapest(tried((GRID[-1],)), K, Need(0.99), 1))


def test_a_close_call_is_said_in_words():
    rng = np.random.default_rng(3)
    some = [invented([0.97], [2000], rng), invented([0.9], [1000], rng, label=1)]
    target = round(some[1].evaluation.curve((K,), 1).precision(K)[0] - 0.005, 3)
    tuned = cheapest(some, K, Need(target))
    assert tuned.chosen.setting.index == some[0].evaluation.index
    assert tuned.close_call.setting.index == some[1].evaluation.index
    assert in_words(tuned).endswith(
        "SRP-hash, 2 bits, 64 tables, 1 table (1,000 inner products) may reach "
        f"{target:g} too, but 100 held-out queries cannot settle it. "
        f"About {rounded(tuned.queries_needed):,} queries in all would."
    )


def test_fewer_items_than_answers():
    data = dataset(n=4, m=40)
    tuned = tune(data, [FlatKMeans(), ExactSearch()], K, Need(0.9))
    assert tuned.K == 4
    assert "of the true top 4" in in_words(tuned)


def test_one_item():
    tuned = tune(dataset(n=1, m=40), [FlatKMeans()], 1, Need(0.9))
    assert tuned.chosen.precision == 1
    assert "**more** inner products than exact search (2 instead of 1)" in in_words(tuned)


def test_an_answer_as_plain_values_holds_what_was_seen_beside_it_in_order():
    tuned, within = cheapest(tried(), K, Need(0.9)), most_precise(tried(), K, Budget(200))
    values = json.loads(json.dumps(as_dict(tuned)))
    assert list(values) == (
        [
            "need",
            "K",
            "queries",
            "tried",
            "provisional",
            "in_words",
            "chosen",
            "best",
            "close_call",
            "queries_needed",
            "runners_up",
        ]
    )
    assert values["in_words"] == in_words(tuned)
    assert [one["words"] for one in values["runners_up"]] == [
        trial.setting_in_words() for trial in tuned.runners_up
    ]
    assert list(as_dict(within)) == (
        ["budget", "K", "queries", "tried", "provisional", "in_words", "chosen", "runners_up"]
    )
