"""Which indexes keep up with changing items, and when a rebuild is due."""

from mips_core import INDEXES
from mips_core.methods.updates import Updatable, Updated


def test_indexes_of_k_means_keep_up_and_no_others():
    able = {key for key, cls in INDEXES.items() if issubclass(cls, Updatable)}
    assert able == {"flat-kmeans", "hierarchical-kmeans", "multi-kmeans", "head-kmeans"}
    assert able == {key for key, cls in INDEXES.items() if isinstance(cls(), Updatable)}


def test_longer_vectors_make_a_rebuild_due():
    kept = Updated(None, {"centroids": 30, "other": 12}, placed=5)
    assert (kept.inner_products, kept.due) == (42, "")
    due = Updated(None, {}, 5, longer=1, excess=1.25).due
    assert due.startswith("1 vector is longer than any was when the index was built, up to 1.25 ")
    assert Updated(None, {}, 5, longer=2).due.startswith("2 vectors are longer")
