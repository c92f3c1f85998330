"""What a build will take: laws of growth, what is refused, and that the advice holds."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES
from mips_core.base import limits
from mips_core.base.byte_size import byte_size
from mips_core.base.errors import ParamError
from mips_core.base.seeds import rng_for
from mips_core.studies import forecast as module
from mips_core.studies.forecast import (
    budget,
    forecast,
    grouped_in_words,
    long_in_words,
    rate,
    refuse_too_large,
    what_fits,
)

GB = 2**30


@pytest.fixture
def allow(monkeypatch):
    """Let work take so many bytes."""

    def set_to(size):
        monkeypatch.setattr(module, "budget", lambda: size)

    return set_to


@pytest.mark.parametrize("key", INDEXES)
def test_each_method_is_known_and_takes_more_of_more(key):
    assert key in module._OF
    index = INDEXES[key]()
    sizes = [forecast(index, n, d) for n, d in ((1_000, 16), (10_000, 16), (10_000, 64))]
    works, rooms = [f.work for f in sizes], [f.bytes for f in sizes]
    assert works == sorted(works)
    assert rooms == sorted(rooms)
    assert forecast(index, 10_000, 64, 500).bytes > rooms[-1]


@pytest.mark.parametrize("key", INDEXES)
def test_what_is_built_takes_no_more_than_was_said(key):
    n, d = 3_000, 12
    X = np.random.default_rng(0).normal(size=(n, d)).astype(np.float32)
    index = INDEXES[key]()
    expected = forecast(index, n, d).bytes - module.FIXED_BYTES - X.nbytes
    assert byte_size(index.build(X, rng_for(0))) <= max(expected, 1.0)


def test_twice_the_clusters_take_twice_the_work():
    few, many = (INDEXES["flat-kmeans"](n_clusters=k) for k in (100, 200))
    assert forecast(many, 10_000, 8).work == 2 * forecast(few, 10_000, 8).work
    growing = replace(many, fit="growing")
    assert forecast(growing, 10_000, 8).work < forecast(many, 10_000, 8).work
    grouped = INDEXES["flat-kmeans"](n_clusters=1_000, fit="grouped")
    every = replace(grouped, fit="exact")
    assert forecast(grouped, 600_000, 8).work < forecast(every, 600_000, 8).work
    more = replace(grouped, n_clusters=4_000)
    assert 1 < forecast(more, 600_000, 8).work / forecast(grouped, 600_000, 8).work < 2  # roots
    assert (
        forecast(replace(grouped, n_clusters=2), 600_000, 8).work
        <= forecast(replace(every, n_clusters=2), 600_000, 8).work
    )
    assert "fit=exact" in grouped_in_words(grouped, 600_000)
    assert grouped_in_words(every, 600_000) == ""


def test_an_unknown_index_is_taken_for_a_dear_one(monkeypatch):
    known = forecast(INDEXES["flat-kmeans"](), 10_000, 8)
    monkeypatch.setattr(module, "_OF", {})
    assert forecast(INDEXES["flat-kmeans"](), 10_000, 8).bytes > known.bytes


@pytest.mark.parametrize(
    ("key", "values", "said"),
    [
        ("srp-hash", {"n_tables": 64}, "With 32 tables it would fit."),
        ("flat-kmeans", {"n_clusters": 40_000}, "With 20,000 clusters it would fit."),
        ("ip-tree", {}, "A sample of 50,000 items would fit."),
    ],
)
def test_what_does_not_fit_is_refused_with_what_does(allow, key, values, said):
    index, n, d = INDEXES[key](**values), 100_000, 64
    refuse_too_large([index], n, d)
    allow(forecast(index, n, d).bytes - 1)
    with pytest.raises(ParamError) as refused:
        refuse_too_large([INDEXES["exact"](), index], n, d)
    assert f"{index.label}, " in str(refused.value)
    assert "of memory on 100,000 items of 64 dimensions; the limit is " in str(refused.value)
    assert refused.value.remedy == said
    number = int(said.split()[1 if said.startswith("With") else 3].replace(",", ""))
    if said.startswith("With"):  # the advice, taken, is not refused
        name = "n_tables" if "tables" in said else "n_clusters"
        refuse_too_large([replace(index, **{name: number})], n, d)
    else:
        refuse_too_large([index], number, d)


def test_where_not_even_a_sample_fits_that_is_said(allow):
    allow(1)
    assert what_fits(INDEXES["ip-tree"](), 100_000, 64) == ""
    with pytest.raises(ParamError, match="data alone do not fit"):
        refuse_too_large([INDEXES["exact"]()], 10, 2)


def test_the_budget_is_what_is_set_or_three_quarters_of_the_machine(monkeypatch):
    monkeypatch.setattr(limits, "MEMORY_BYTES", 0)
    monkeypatch.setattr(module, "machine_bytes", lambda: 8 * GB)
    assert budget() == 6 * GB - limits.CACHE_BYTES
    monkeypatch.setattr(limits, "MEMORY_BYTES", GB)
    assert budget() == GB // 2  # less than results may take


def test_seconds_follow_the_rate_of_the_machine(monkeypatch):
    assert rate() > 1e6
    assert module.rate_is_known()
    assert module.machine_bytes() > 2**28
    monkeypatch.setattr(module, "rate", lambda: 1e9)
    expected = module.Forecast(4e10, 1_200 * 2**20)
    assert expected.seconds == 40
    assert expected.in_words() == "about 40 s and 1,200 MB of memory"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.1, "1 s"), (40, "40 s"), (720, "12 min"), (11_000, "3 h")]
)
def test_long_times_are_said_in_words(seconds, words):
    assert long_in_words(seconds) == words
