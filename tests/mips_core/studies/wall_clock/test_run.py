"""Searches timed in one run: scored on other queries than chose, and told round by round."""

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.threads import n_threads
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.serving.other_libraries import RIVALS, available
from mips_core.studies.operating_point import at_precision
from mips_core.studies.wall_clock import WAYS, clock
from mips_core.studies.wall_clock.stopwatch import ALONE, ROUNDS
from mips_core.studies.wall_clock.wording import remarks
from tests.mips_core.studies.wall_clock.clock_cases import dataset, evaluated
from tests.mips_core.studies.wall_clock.test_judge import FEW

# A whole run


@FEW
def test_every_search_is_scored_on_queries_its_setting_was_not_chosen_on(exclude):
    data = dataset(exclude=exclude)
    methods = evaluated(data, FlatKMeans(n_clusters=25), HierarchicalKMeans(n_clusters=36))
    (timed,) = clock(data, methods, 10, (0.8,), rivals=())
    assert [row.kind for row in timed.rows] == ["exact", "exact", "method", "method"]
    assert (timed.m_chosen, timed.m_scored, timed.split, timed.rounds) == (30, 30, True, ROUNDS)
    for row, (evaluation,) in zip(timed.rows[2:], methods.values(), strict=True):
        solved = at_precision([evaluation], 10, 0.8)
        at = list(evaluation.efforts).index(solved.setting.effort)
        curve = evaluation.curve((10,), 1)
        assert row.setting == solved.setting.in_words(data.n)
        assert row.reached
        assert row.chosen_precision == pytest.approx(solved.precision)
        assert row.precision == pytest.approx(curve.tolerant[10][at])
        assert row.interval == pytest.approx(tuple(curve.interval(10)[at]))
        assert row.inner_products == pytest.approx(curve.mean_cost[at])
        assert row.speedup == pytest.approx(curve.speedup[at])
    for row in timed.rows[:2]:
        assert (row.precision, row.speedup, row.reached) == (1, 1, True)
    for row in timed.rows:
        assert all(row.took[way].seconds > 0 for way in WAYS)
        assert row.took["one by one"].p95 >= row.took["one by one"].seconds
    for way in WAYS:
        assert timed.by_clock(timed.exact(way), way) == 1
        assert max(timed.by_clock(row, way) for row in timed.rows[:2]) == 1


def test_each_round_tells_what_is_known_and_the_run_can_be_cancelled():
    data, partial, fractions = dataset(n=100, m=20), [], []

    def watch(fraction, message, known=None):
        fractions.append(fraction)
        if known is not None:
            partial.append(known)

    setting = Setting(FlatKMeans(n_clusters=9), 0, 3)  # its build reports what it knows too
    last = clock(data, [setting], 5, (0.9, 0.5), rivals=(), progress=watch)
    rounds = range(1, ROUNDS + 1)
    first = [((0.9, turn),) for turn in rounds]
    assert [tuple((one.target, one.rounds) for one in clocks) for clocks in partial] == [
        *first, *((*first[-1], (0.5, turn)) for turn in rounds)
    ]  # fmt: skip
    assert partial[-1] == last
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1

    def cancel(fraction, message, known=None):
        if "Round 2" in message:
            raise Cancelled

    with pytest.raises(Cancelled):
        clock(data, {}, 5, (0.9,), rivals=(), progress=cancel)
    assert not ALONE.locked()


@pytest.mark.parametrize(("n", "m", "K"), [(1, 1, 10), (2, 3, 100), (30, 1, 40), (100, 19, 7)])
def test_small_data(n, m, K):
    data = dataset(n=n, m=m, d=3)
    (timed,) = clock(data, evaluated(data, FlatKMeans(n_clusters=min(n, 5)), K=K), K, (0.9,))
    assert min(K, n) == timed.K
    assert (timed.m_chosen, timed.m_scored, timed.split) == (m, m, False)
    noun = "query" if m == 1 else "queries"
    assert any(line.startswith(f"With {m} {noun} there are too few") for line in remarks(timed))
    assert all(0 <= row.interval[0] <= row.precision <= row.interval[1] for row in timed.rows)


def test_all_equal_items_are_all_right():
    data = Dataset(np.ones((300, 4), np.float32), np.ones((24, 4), np.float32))
    (timed,) = clock(data, evaluated(data, FlatKMeans(n_clusters=5)), 10, (0.9,))
    assert all(row.precision == 1 for row in timed.rows if row.reached)
    assert {row.key for row in timed.rows[:2]} == {"exact", "product"}


def test_what_cannot_be_asked_is_said():
    data = dataset(n=50, m=20)
    for precision in (0, -1, 1.01, float("nan")):
        with pytest.raises(ParamError, match="more than 0 and at most 1"):
            clock(data, {}, 10, (precision,))
    with pytest.raises(ParamError, match="K is 101"):
        clock(data, {}, 101, (0.9,), rivals=())
    with pytest.raises(ParamError, match=r"no rival 'annoy'\. Known: faiss-ivf"):
        clock(data, {}, 10, (0.9,), rivals=["annoy"])
    with pytest.raises(DataError, match="has no queries"):
        clock(Dataset(data.items), {}, 10, (0.9,), rivals=())


def test_one_thread_is_timed_once_for_both_ways(monkeypatch):
    monkeypatch.setenv("MIPS_THREADS", "1")
    (timed,) = clock(dataset(n=60, m=20), {}, 5, (0.9,), rivals=())
    assert timed.threads == n_threads() == 1
    for row in timed.rows:
        assert row.took["batch"] == row.took["batch, all threads"]


@pytest.mark.parametrize("key", list(RIVALS))
def test_installed_libraries_take_part(key):
    if key not in available():
        pytest.skip(f"{RIVALS[key].package} is not installed: {RIVALS[key].pip}")
    data = dataset(n=400, m=40, exclude=True)
    (timed,) = clock(data, {}, 10, (0.9,), rivals=[key])
    row = timed.rows[-1]
    assert (row.key, row.label, row.kind) == (key, RIVALS[key].label, "rival")
    assert row.reached
    assert row.precision > 0.7
    assert row.speedup is None or 0 < row.speedup < 400
    assert timed.versions[RIVALS[key].package][0].isdigit()
