"""The benchmark of work on parts drives what it says, and its page tells what was measured."""

import json

import pytest

from benchmarks import scale
from benchmarks.scale import FAULTS, LARGE, STAGES, drive, page, simulated
from mips_core.scale.write_parts import write_parts

SIZE = (400, 4)


def test_what_is_driven_does_not_depend_on_the_cut(tmp_path, monkeypatch, capsys):
    for name, value in (("CLUSTERS", 9), ("ROUNDS", 4)):
        monkeypatch.setitem(getattr(scale, name), SIZE, value)
    told = []
    for cut in (150, 90):
        folder = tmp_path / str(cut)
        write_parts(simulated(*SIZE), folder, "float16", rows=cut)
        drive(folder, tmp_path / "out.json", 2)
        told.append(json.loads((tmp_path / "out.json").read_text()))
    assert told[0]["digest"] == told[1]["digest"]
    assert told[0]["first"] == 1
    said = capsys.readouterr().out
    assert all(words in said for words in STAGES.values())


@pytest.mark.parametrize("digest", ["right", "wrong"])
def test_the_page_counts_equal_outcomes(digest):
    runs = [{"digest": name, "seconds": 3.0, "all": 3.0, "first": 3, "left": []}
            for name in ("right", digest)]  # fmt: skip
    rows = {"nothing": {"both": runs}, **{fault: dict.fromkeys(STAGES, runs) for fault in FAULTS}}
    text = page({
        "made_on": "a machine",
        "faults": {"expected": "right", "rows": rows},
        "bits": {"15 parts, threads, Haswell": "x", "5 parts, cluster of 2": "x"},
        "growth": [{"n": LARGE[0][0], "threads": 10.0, "cluster": 10.5, "peak": [2**28],
                    "equal": True}],
    })  # fmt: skip
    assert f"{2 if digest == 'right' else 1} of 2" in text
    assert "1 outcome of 2 runs" in text
    assert "+5.0%" in text
    assert "| 256 |" in text
    assert f"{LARGE[0][0]:,}" in text
