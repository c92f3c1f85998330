"""What is known of changes: the numbers and the words of the library."""

import numpy as np

from mips_core import INDEXES, Setting
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.drift import Recipe, advice, decay
from mips_core.studies.drift.advice import in_words
from pages._ui.work import jobs
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.drift_page import measured, opened, table


def test_the_page_has_the_numbers_and_the_words_of_the_library(app):
    at = measured(opened(app))
    data = with_queries(small_dataset(), QueryRecipe(count=60))
    index = INDEXES["flat-kmeans"]().explicit(data.n)
    found = decay(data, data, Setting(index, 0, 10), 5, Recipe())
    for said in in_words([advice(found.of_size(size)) for size in found.sizes]):
        assert said in texts(at)
    assert len(table(at)) == 3 * len(found.points) == 63
    expected = [point.precision("frozen") for point in found.points]
    shown = table(at)
    kept = shown[shown["way"] == "Frozen clusters"]["precision@5"]
    np.testing.assert_allclose(kept, expected)
    assert "Changes are simulated" in texts(at)
    assert "drift measure" not in [button.key for button in at.button]  # nothing is left to do
    assert [b.proto.label for b in at.get("download_button")] == ["CSV", "JSON"]


def test_other_points_may_be_lost_without_measuring_anew(app):
    at = measured(opened(app))
    at.number_input(key="drift tolerance 1.0").set_value(50.0).run()
    assert "No rebuild is needed for moves of 0.1, 0.3 and 1 rms" in texts(at)
    assert not jobs.of(session_of(at).owner)
    assert "tolerance=50" in "".join(at.query_params["drift"])


def test_new_items_are_those_held_out(app):
    at = measured(opened(app, drift="change=new"))
    assert "200 of your items were built on, the others held out" in texts(at)
    assert "of the items moved" not in texts(at)
    assert table(at)["share"].max() == 1
