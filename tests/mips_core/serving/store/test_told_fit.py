"""What an earlier version fitted on all items and clusters is told so, wherever it is told."""

import io
import json
from dataclasses import replace

import pytest

from mips_core import INDEXES
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.evaluation.setting import index_in_words
from mips_core.methods.kmeans import parameters
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.parameters import KMeansParams
from mips_core.serving.store.told_fit import as_built
from mips_core.studies.runs import measure_runs, read_runs
from mips_core.studies.runs.files import written
from tests.mips_core.serving.store.built_indexes import built, copied, data, same

KINDS = [key for key, cls in INDEXES.items() if issubclass(cls, KMeansParams)]


@pytest.mark.parametrize("n", [1_000, 10**6, 10**10, 10**30])
def test_only_all_changes_and_only_where_it_would_be_grouped_now(n):
    for index in (FlatKMeans(n_clusters=2_000), HierarchicalKMeans(sizes=(10, 2_000))):
        assert as_built(index, n).fit == ("all" if n == 1_000 else "exact")
        for fit in ("exact", "grouped", "growing"):
            assert as_built(replace(index, fit=fit), n).fit == fit
    assert as_built(INDEXES["exact"](), n) == INDEXES["exact"]()
    finest = HierarchicalKMeans()  # by rule: beyond what may be asked for, it stays as it is
    assert as_built(finest, n).fit in ("all", "exact")
    assert (as_built(finest, n) is finest) == (n == 1_000 or n ** (2 / 3) > MAX_CLUSTERS)


@pytest.mark.parametrize("key", KINDS)
@pytest.mark.parametrize("grouped_by_itself", [False, True])
def test_an_index_file_tells_the_fit_that_its_rounds_show(key, grouped_by_itself, monkeypatch):
    """Both say `all`: one of an earlier version, and one by a program of today."""
    if grouped_by_itself:
        monkeypatch.setattr(parameters, "GROUPED_FROM", 1)
    _, Q, dataset = data(n=200)
    stored = built(dataset, key, effort=2, n_clusters=20)
    monkeypatch.setattr(parameters, "GROUPED_FROM", 1)
    loaded = copied(stored)
    assert loaded.index.fit == ("all" if grouped_by_itself else "exact")
    words = index_in_words(loaded.index, loaded.n)
    assert ("grouped fit" in words) == grouped_by_itself
    assert same(loaded.search(Q, 3), stored.search(Q, 3))
    assert copied(loaded).index == loaded.index  # and stays so, saved again


def test_a_run_of_an_earlier_version_tells_an_exact_fit_and_one_of_today_what_it_was(monkeypatch):
    _, _, dataset = data(n=200)
    before = written(measure_runs([FlatKMeans(n_clusters=20)], dataset, ks=(1,)))
    assert json.loads(before)["runs"][0]["index"]["fit"] == "all"
    monkeypatch.setattr(parameters, "GROUPED_FROM", 1)
    today = written(measure_runs([FlatKMeans(n_clusters=20)], dataset, ks=(1,)))
    fits = [read_runs(io.BytesIO(content))[0].index.fit for content in (before, today)]
    assert fits == ["exact", "grouped"]
