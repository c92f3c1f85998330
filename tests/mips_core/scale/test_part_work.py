import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.base.seeds import rng_for
from mips_core.methods.clustering.nearest import assign_tiles
from mips_core.methods.clustering.rounds import start_labels
from mips_core.methods.reductions import PaperAugment
from mips_core.scale import part_work
from mips_core.scale.checkpoints import write_pass
from mips_core.scale.part_work import (
    LabelsBefore,
    LiftedParts,
    drawn_labels,
    labels_path,
    measured,
    one_pass,
    pass_path,
    read_labels,
    sampled,
    worst_of,
    write_array,
)
from mips_core.scale.write_parts import write_parts

X = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)


@pytest.fixture
def source(tmp_path):
    manifest = write_parts([("X", X)], tmp_path / "x", rows=15)
    return LiftedParts(str(manifest.path), manifest.key, PaperAugment().fit(X))


def test_rows_of_a_part_are_lifted_as_all_are(source):
    whole = source.lift.items(X)
    assert np.array_equal(source.rows(1)[:], whole[15:30])
    lengths = [measured(source.path, source.key, at) for at in range(3)]
    assert max(lengths) == pytest.approx(np.linalg.norm(X, axis=1).max())
    with pytest.raises(DataError, match="other vectors"):
        measured(source.path, "0" * 32, 0)


def test_labels_drawn_for_a_part_are_those_drawn_for_all(source):
    whole = start_labels(rng_for(7, "kmeans", 0), 40, 6)
    assert np.array_equal(drawn_labels(7, 15, 30, 6), whole[15:30])
    part = source.manifest().parts[1]
    assert np.array_equal(LabelsBefore(seed=7, k=6).of(1, part), whole[15:30])
    assert (LabelsBefore().of(1, part) == -1).all()


@pytest.mark.parametrize("over", [False, True])
def test_a_task_that_ends_long_after_its_pass_leaves_nothing(source, tmp_path, monkeypatch, over):
    def late(*what):
        assign_tiles(*what)
        if over:
            pass_path(tmp_path, 1).unlink()  # as when a build is finished

    write_pass(tmp_path, 1, np.eye(5, dtype=np.float32)[:2], np.arange(2))
    monkeypatch.setattr(part_work, "assign_tiles", late)
    totals, counts, _ = one_pass(source, 1, str(tmp_path), 1, LabelsBefore())
    assert (totals.shape, counts.sum()) == ((2, 5), 15)
    assert labels_path(tmp_path, 1, 1).exists() != over


def test_labels_that_cannot_be_read_are_told(tmp_path):
    path = labels_path(tmp_path, 3, 1)
    write_array(path, np.arange(4, dtype=np.int32))
    assert read_labels(tmp_path, 3, 1).tolist() == [0, 1, 2, 3]
    path.write_bytes(b"cut short")
    with pytest.raises(DataError, match=r"labels-0003-00001\.npy cannot be read"):
        read_labels(tmp_path, 3, 1)


def test_a_sample_holds_its_rows_in_order(source, tmp_path):
    ids = np.array([3, 14, 31])
    write_array(tmp_path / "ids.npy", ids)
    parts = [p for at in range(3) for p in sampled(source, at, str(tmp_path / "ids.npy"),
                                                   str(tmp_path))]  # fmt: skip
    assert [(part.first, part.count) for part in parts] == [(0, 2), (2, 1)]
    rows = np.concatenate([np.load(tmp_path / part.file) for part in parts])
    assert np.array_equal(rows, X[ids])


def test_the_worst_rows_of_both_come_first():
    one, other = (np.array([-1.0, 0.5]), np.array([7, 2])), (np.array([0.5]), np.array([1]))
    cosines, ids = worst_of(one, other)
    assert (cosines.tolist(), ids.tolist()) == ([-1.0, 0.5, 0.5], [7, 1, 2])
