"""Changes that are tried: each once, few items too, refused in words, cancelled."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, Setting
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.studies.drift import Recipe, advice, decay
from mips_core.studies.drift.advice import effort_in_words, in_words
from tests.mips_core.studies.drift.drift_cases import FLAT, SMALL, data


def test_shares_that_change_as_many_items_are_tried_once():
    trial = decay(data(n=3), data(n=3), FLAT, 1, Recipe(shares=(0.02, 0.0, 0.01), sizes=(0.3,)))
    assert [(point.share, point.changed) for point in trial.points] == [(0, 0), (0.02, 1)]


@pytest.mark.parametrize("recipe", [SMALL, Recipe(kind="new", shares=(0.0, 0.5))])
@pytest.mark.parametrize("n", [2, 3])
def test_few_items_and_more_answers_than_there_are(recipe, n):
    dataset = data(n=n, m=1)
    trial = decay(dataset, dataset, replace(FLAT, effort=50), 100, recipe)
    assert max(point.K for point in trial.points) <= n
    assert all(point.precision("frozen") == 1 for point in trial.points)  # all is opened
    assert trial.points[0].changed == 0 < trial.points[-1].changed
    used = {one.effort for point in trial.points for way in point.ways.values() for one in way}
    said = effort_in_words(trial.setting, trial.points)
    between = f"{min(used)} to {max(used)}" if len(used) > 1 else f"{max(used)}"
    assert said.startswith(f"{between} probe")
    assert said.endswith(", the most offered up to 50")
    assert in_words([advice(trial.of_size(size)) for size in trial.sizes])


def test_what_cannot_be_tried_is_refused_in_words():
    one = Dataset(np.ones((1, 5)), np.ones((2, 5)), name="one")
    with pytest.raises(DataError, match="one holds one item: none can be held out"):
        decay(one, one, FLAT, 1, Recipe(kind="new"))
    assert decay(one, one, FLAT, 1, SMALL).points[-1].changed == 1
    without = Dataset(np.ones((3, 5)), name="mute")
    with pytest.raises(DataError, match="mute has no queries"):
        decay(without, without, FLAT, 1, SMALL)
    zeros = Dataset(np.ones((3, 5)), np.zeros((2, 5)))
    with pytest.raises(DataError, match="All queries are zero"):
        decay(zeros, zeros, FLAT, 1, SMALL)
    tree = Setting(INDEXES["pca-tree"](), 0, 1)
    with pytest.raises(ParamError, match="PCA-tree cannot be updated"):
        decay(one, one, tree, 1, SMALL)
    for wrong, said in (
        ({"kind": "other"}, "kind is 'other'"),
        ({"shares": (1.5,)}, "share of changes is 1.5"),
        ({"sizes": (float("nan"),)}, "size of changes is nan"),
        ({"shares": ()}, "No share"),
        ({"builds": 2}, "2 builds"),
        ({"rounds": 0}, "0 rounds"),
    ):
        with pytest.raises(ParamError, match=said):
            Recipe(**wrong)


def test_partial_results_come_and_work_can_be_cancelled():
    seen = []

    def watch(fraction, message, partial=None):
        assert 0 <= fraction <= 1
        if partial is not None:
            seen.append(partial)
        if len(seen) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        decay(data(), data(), FLAT, 5, SMALL, watch)
    assert [len(partial.points) for partial in seen] == [1, 2]
