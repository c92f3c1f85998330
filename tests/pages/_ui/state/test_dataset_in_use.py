"""What is searched: made once for its inputs, with labels as they are now, or by another metric."""

from dataclasses import replace

from mips_core.data.queries import QueryRecipe
from pages._ui.state.dataset_in_use import possible, searched
from tests.pages.conftest import small_dataset


def test_it_is_made_once_and_anew_for_other_labels():
    source, recipe = small_dataset(), QueryRecipe(count=7)
    dataset = searched(source, recipe)
    assert dataset is searched(source, recipe)
    assert dataset.m == 7
    renamed = replace(source, labels=[f"other {i}" for i in range(source.n)])
    assert searched(renamed, recipe).labels is renamed.labels


def test_recipes_share_the_items_that_a_metric_converts():
    source = small_dataset()
    first = searched(source, QueryRecipe(count=7), "cosine")
    second = searched(source, QueryRecipe(count=8), "cosine")
    assert first.items is second.items
    assert (first.m, second.m) == (7, 8)


def test_a_metric_that_cannot_be_becomes_the_inner_product():
    source = small_dataset()
    assert possible(source, QueryRecipe(), "cosine") == "cosine"
    logits = replace(source, logits=True)
    assert possible(logits, QueryRecipe(), "euclidean") == "inner product"
