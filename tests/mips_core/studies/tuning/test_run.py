"""Further settings, and a whole run: its best so far, cancelled, one structure for several."""

from dataclasses import replace

import pytest

from mips_core import INDEXES, Cancelled
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.trees.pca import PCATree
from mips_core.studies.tuning import Budget, Need, cheapest, further, tune
from mips_core.studies.tuning.wording import in_words
from tests.mips_core.studies.tuning.tuning_cases import GRID, K, dataset, tried


def test_further_settings_lie_between_those_tried_and_are_new():
    found = further(tried(), K, Need(0.9), 900, 6)
    known = {one.evaluation.index for one in tried()}
    assert 0 < len(found) <= 12
    assert len(set(found)) == len(found)
    assert known.isdisjoint(found)
    assert any(isinstance(i, FlatKMeans) and i.reduction.U != 0.75 for i in found) or any(
        i.reduction.kind == "sphere" for i in found if hasattr(i, "reduction")
    )
    again = further(tried((*GRID, *found[:3])), K, Need(0.9), 900, 6)
    assert not set(found[:3]) & set(again)


def test_a_step_in_the_main_parameter_is_halved_in_ratio():
    some = tried(tuple(FlatKMeans(n_clusters=k) for k in (8, 15, 30, 60, 120, 240)))
    best = cheapest(some, K, Need(0.8)).chosen.setting.index.n_clusters
    found = {index.n_clusters for index in further(some, K, Need(0.8), 900, 6)}
    steps = {8, 15, 30, 60, 120, 240}
    below, above = max(s for s in steps if s < best), min(s for s in steps if s > best)
    assert {round((best * below) ** 0.5), round((best * above) ** 0.5)} <= found


@pytest.mark.parametrize("n", [1, 2, 5])
def test_further_settings_of_small_sets_can_be_built(n):
    data = dataset(n=n, m=24, d=2)
    everything = [cls().explicit(n) for cls in INDEXES.values()]
    tuned = tune(data, everything, 1, Need(0.9))
    assert tuned.chosen.precision == 1


def test_a_run_shows_its_best_so_far_and_ends_with_what_all_give():
    seen = []
    indexes = [*GRID, PCATree(boosting=True), PCATree(boosting=False)]
    tuned = tune(dataset(), indexes, K, Need(0.9), progress=lambda *told: seen.append(told))
    fractions = [told[0] for told in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)
    so_far = [told[2] for told in seen if len(told) > 2 and told[2] is not None]
    assert [each.n_settings for each in so_far] == list(range(1, tuned.n_settings + 1))
    assert tuned.n_settings > len(indexes)
    without = tune(dataset(), indexes, K, Need(0.9), refine=False)
    assert without.n_settings == len(indexes)
    assert [each.missing for each in so_far[: len(indexes)]] == list(range(18, 11, -1))
    assert (so_far[-1].missing, tuned.missing, without.missing) == (0, 0, 0)
    last = replace(so_far[len(indexes) - 1], missing=0)
    assert in_words(without) == in_words(last)
    assert without.chosen.setting == last.chosen.setting


def test_a_run_is_cancelled_between_two_steps():
    def cancel(fraction, message, partial=None):
        if partial is not None:
            raise Cancelled

    with pytest.raises(Cancelled):
        tune(dataset(), GRID, K, Budget(seconds=60), progress=cancel)


def test_one_structure_serves_settings_that_ask_it_differently(monkeypatch):
    built = []
    build = PCATree.build
    monkeypatch.setattr(PCATree, "build", lambda self, *a: built.append(1) or build(self, *a))
    both = [PCATree(boosting=True), PCATree(boosting=False)]
    assert tune(dataset(), both, K, Need(0.5), refine=False).n_settings == 2
    assert len(built) == 1
