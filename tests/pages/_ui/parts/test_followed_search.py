"""A search that is followed, and the groups it goes through: each made once for its inputs."""

from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.groups.typed_queries.one_query import question_of_query, true_answers
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts import followed_search
from pages._ui.work.measurement import Measurement
from tests.pages.conftest import small_dataset


def test_levels_and_the_search_through_them_are_those_of_the_index():
    dataset = with_queries(small_dataset(n=60), QueryRecipe(count=5))
    measurement = Measurement(dataset, FlatKMeans(n_clusters=4), 0, 3)
    task = followed_search.levels(measurement)
    assert task.quick
    [level] = task.here()
    assert level.sizes.sum() == 60
    assert task.result is task.here()
    question = question_of_query(dataset, 0, 3)
    true = true_answers(dataset.items, question)
    one = followed_search.followed(measurement, question, true, (level,))
    other = followed_search.followed(measurement, question_of_query(dataset, 1, 3), true, (level,))
    assert one.key != other.key
    assert len(one.here().opened) == 60


def test_other_labels_have_other_names_of_groups():
    plain = with_queries(small_dataset(n=60, name="plain"), QueryRecipe(count=5))
    measurement = Measurement(plain, FlatKMeans(n_clusters=4), 0, 3)
    again = Measurement(plain, FlatKMeans(n_clusters=5), 0, 3)
    assert followed_search.levels(measurement).key == followed_search.levels(measurement).key
    assert followed_search.levels(again).key != followed_search.levels(measurement).key
