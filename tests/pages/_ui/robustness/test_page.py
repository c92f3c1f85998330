"""Methods under noise as the page places them: the numbers of the library."""

import numpy as np
import pytest

from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.noise import SIGMAS, SPEEDUPS, noisy_queries
from mips_core.studies.robustness import robustness
from pages._ui.robustness import picture
from pages._ui.robustness.study import study_of
from pages._ui.state.settings import grid_of
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.robustness_page import FEW, at_view, opened


@pytest.mark.parametrize("metric", ["inner product", "cosine"])
def test_the_page_has_the_numbers_of_the_library(app, metric):
    at = opened(app, metric=metric, robustness=at_view(5))
    session = session_of(at)
    raw = with_queries(small_dataset(), QueryRecipe())
    data = searched_by(raw, metric)
    tried = [index for key in FEW for index in grid_of(session, key)]
    noisy = noisy_queries(raw, data)
    expected = robustness(data, noisy, tried, 10, 5.0, seeds=(0, 1, 2))
    study = study_of(session)
    for key, method in zip(FEW, expected, strict=True):
        found = study.methods(SPEEDUPS.index(5))[key]
        assert found.solved == method.solved
        assert len(found.by_seed) == 3
        for one, other in zip(found.by_seed, method.by_seed, strict=True):
            assert one.setting == other.setting
            np.testing.assert_array_equal(one.speedup, other.speedup)
            for truth in ("noisy", "clean"):
                np.testing.assert_array_equal(one.histograms[truth], other.histograms[truth])
    view = picture.picture_of(session, study)
    assert [scene.complete for scene in view.scenes] == [True] * len(SPEEDUPS)
    assert view.chosen == (SPEEDUPS.index(5), SIGMAS.index(0.3))
    assert f"top {session.K}" in view.scenes[2].sentences[6]


def test_a_table_says_what_was_chosen_reached_and_spread(app):
    at = opened(app, robustness=at_view(50))
    table = at.dataframe[0].value
    assert len(table) == len(FEW) * len(SIGMAS)
    assert set(table["speedup_asked"]) == {50}
    assert set(table["builds"]) == {3}
    assert (table["least"] <= table["most"]).all()
    assert (table["least"] <= table["precision@10"]).all()
    assert table["queries"].unique() == [200]
    session = session_of(at)
    held = study_of(session).methods(SPEEDUPS.index(50)).values()
    for method in held:
        rows = table[table["method"] == method.solved.setting.index.label]
        near = rows["held_to_it"].unique().tolist()
        assert near == ["reached"] if method.solved.reached else near[0].startswith("nearest is ")
    settings = {m.solved.setting.index.label: m.solved.setting.in_words(400) for m in held}
    assert (table["setting"] == table["method"].map(settings)).all()


@pytest.mark.parametrize(("count", "words"), [(1, "1 query"), (7, "7 queries")])
def test_few_queries_are_chosen_and_scored_on_and_that_is_said(app, count, words):
    at = opened(app, method=["largest-norm"], queries=f"rows {count} 0.1 no")
    assert f"With {words}, fewer than 20, settings were chosen at σ = 0 on what they" in texts(at)
    assert at.dataframe[0].value["queries"].unique() == [count]
