"""What a worker holds, and that the advice for what it does not hold is enough."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mips_core import INDEXES
from mips_core.base.errors import ParamError
from mips_core.scale.engine import WorkersDiedError
from mips_core.studies.worker_room import SPARE, WorkerRoom

N, D, M = 5_000_000, 64, 500
GB = 2**30
SRP = [INDEXES["srp-hash"](n_tables=tables) for tables in (2, 8, 32)]
TREES = [INDEXES["pca-tree"](), INDEXES["ip-tree"]()]
KMEANS = INDEXES["flat-kmeans"](n_clusters=100, fit="growing")


def room_of(memory, workers=2):
    engine = SimpleNamespace(memory=memory, workers=workers)
    return WorkerRoom.of(engine, SimpleNamespace(n=N, d=D), M)


def test_settings_are_counted_by_method_with_a_memory_that_would_hold_them():
    room = room_of(3 * GB)
    assert [room.fits(index) for index in SRP] == [True, False, False]
    assert room.takes(KMEANS)
    srp, tree = room.left_out([*SRP, KMEANS, TREES[1]])
    assert (srp.key, srp.label, srp.after) == ("srp-hash", SRP[0].label, 0)
    assert srp.why.startswith("in 2 of 3 settings needs up to ")
    assert tree.why.startswith("in 1 of 1 setting needs ")
    for one, indexes in ((srp, SRP), (tree, TREES[1:])):
        need, has, enough = re.findall(r"([\d,]+) MB", one.why)
        assert has == "1,843"  # SPARE of 3 GB
        assert int(need.replace(",", "")) > 1843
        decimal = int(enough.replace(",", "")) * 1_000_000  # as Dask takes 1 MB
        assert all(map(room_of(decimal).fits, indexes))


def test_threads_share_the_memory_of_this_machine(monkeypatch):
    monkeypatch.setattr("mips_core.studies.worker_room.budget", lambda: 8 * GB)
    room = room_of(None, 2)
    assert room.bytes == SPARE * 4 * GB
    (told,) = room.left_out(SRP)
    assert "where each of 2 threads has room for 2,458 MB" in told.why
    assert not list(room_of(None, 1).left_out(SRP[:2]))


def test_what_nobody_can_build_is_refused_with_both_reasons():
    room = room_of(GB)
    room.check([KMEANS])
    for index, words, remedy in (
        (TREES[0], "cannot be built on vectors in parts. In one worker it would need", "Use flat"),
        (replace(KMEANS, fit="grouped"), "A grouped fit cannot be built", "Set the parameter fit"),
    ):
        with pytest.raises(ParamError) as refused:
            room.check([KMEANS, index])
        assert words in refused.value.found
        assert "where a worker has room for 614 MB" in refused.value.found
        assert refused.value.remedy.startswith(remedy)


def test_workers_that_die_over_a_whole_structure_are_not_told_to_take_smaller_parts():
    found = "Workers that may take 600 MB each died over the same task again and again."
    with pytest.raises(WorkersDiedError) as died, room_of(GB).told():
        raise WorkersDiedError(found, "Import in smaller parts (--part-mb).")
    assert died.value.found.startswith(f"{found} They held all 5,000,000 vectors")
    assert "--part-mb" not in died.value.remedy
