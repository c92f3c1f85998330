"""Every file that registers an index is found, wherever it stands, in one order of keys."""

import re
from pathlib import Path

import pytest

from mips_core.methods import contract
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.indexes import INDEXES

FOLDER = Path(contract.__file__).parent


def test_every_registered_class_is_known_by_its_key_in_one_order():
    written = [
        key
        for path in FOLDER.rglob("*.py")
        for part in re.findall(r"^@register\n(.*?)(?=^@register|\Z)", path.read_text(), re.M | re.S)
        for key in re.findall(r'^    key: ClassVar\[str\] = "([a-z0-9-]+)"', part, re.M)[:1]
    ]
    assert list(INDEXES) == sorted(written)
    assert all(cls.key == key for key, cls in INDEXES.items())


def test_a_key_is_taken_once():
    with pytest.raises(TypeError, match="The index key 'exact' is taken by ExactSearch"):
        contract.register(ExactSearch)
