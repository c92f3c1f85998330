"""Files of units: made once, whole or not at all, the same bytes every time."""

import numpy as np
import pytest

from mips_core.studies.paper.units import UnitFolder


def test_what_is_kept_is_not_made_again(tmp_path):
    shelf, made = UnitFolder(tmp_path / "units"), []

    def make():
        made.append(1)
        return {"a": np.arange(3.0), "b": 2}

    first, second = (shelf.get(("x", 1), make) for _ in range(2))
    assert len(made) == 1
    assert np.array_equal(first["a"], second["a"])
    assert int(second["b"]) == 2
    shelf.get(("x", 2), make)
    assert len(made) == 2
    assert UnitFolder(None).get(("x", 1), make)["b"] == 2
    assert len(made) == 3


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 not a zip", None])
def test_a_damaged_file_is_measured_again_to_the_same_bytes(tmp_path, damage):
    shelf = UnitFolder(tmp_path)
    shelf.get(["x"], lambda: {"a": np.arange(100)})
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert shelf.kept(["x"]) is None
    shelf.get(["x"], lambda: {"a": np.arange(100)})
    assert path.read_bytes() == whole


def test_what_was_asked_for_is_known_by_its_files_whether_made_or_there(tmp_path):
    for _ in range(2):
        shelf = UnitFolder(tmp_path)
        for name in "ab":
            shelf.get([name], lambda: {"a": 1})
        assert shelf.asked == {path.name for path in tmp_path.iterdir()}
    assert len(shelf.asked) == 2
