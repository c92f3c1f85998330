"""Files of runs of an earlier state of the program say what they said when they were written."""

import json
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

import mips_core
from mips_core.base.params import plain_values
from mips_core.studies.runs import digest_of

WRITTEN = Path(__file__).parents[3] / "written_before"
FILES = sorted(WRITTEN.glob("*.run.json"))


def expected_of(file):
    """What was kept beside the file when it was written."""
    text = file.with_name(file.name.replace(".run.json", ".json")).read_text(encoding="utf-8")
    return json.loads(text)


def said(run):
    """A run as plain values, every float as its shortest text."""
    data, curve, groups = run.data, run.curve, run.groups
    return {
        "name": run.name,
        "note": run.note,
        "kept": run.kept,
        "digest": digest_of(run),
        "seed": run.seed,
        "ks": list(run.ks),
        "index": {"key": run.index.key, **plain_values(run.index)},
        "data": {name: getattr(data, name) for name in ("name", "n", "d", "metric", "m", "source")}
        | {"queries": None if data.queries is None else plain_values(data.queries)},
        "efforts": curve.efforts.tolist(),
        "speedup": [repr(value) for value in curve.speedup.tolist()],
        "precision": {str(K): [repr(p) for p in curve.precision(K).tolist()] for K in run.ks},
        "hits": {str(K): int(hits.sum(dtype=np.int64)) for K, hits in run.hits.items()},
        "seconds": repr(run.seconds),
        "bytes": run.bytes,
        "versions": dict(run.versions),
        "groups": groups and list(astuple(groups)),
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_holds_the_runs_it_held(file):
    assert [said(run) for run in mips_core.read_runs(file)] == expected_of(file)["runs"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_runs_are_told_apart_as_they_were(file):
    runs = mips_core.read_runs(file)
    compared = mips_core.difference_of(runs, runs[0].ks[-1], 3.0, 0.9)
    assert [[pair.told_apart] for pair in compared.settled] == expected_of(file)["told_apart"]


def test_runs_saved_again_are_the_same_bytes(tmp_path):
    for file in FILES:
        mips_core.save_runs(tmp_path / file.name, mips_core.read_runs(file))
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()
