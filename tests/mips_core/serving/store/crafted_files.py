"""Index files as they are saved, changed, and signed again."""

import io
import json

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, load, rng_for, save
from mips_core.base.errors import DataError
from mips_core.serving.store import stored_index, tensors
from mips_core.serving.store.tensors import DIGITS, START, Contents

ITEMS = np.random.default_rng(0).normal(size=(80, 3)).astype(np.float32)


def stored(key="flat-kmeans", **parameters):
    index = INDEXES[key](**parameters)
    dataset = Dataset(ITEMS, labels=[f"item {i}" for i in range(80)], name="some items")
    return stored_index(dataset, index, 0, index.build(ITEMS, rng_for(0)), effort=1)


def content_of(one):
    file = io.BytesIO()
    save(file, one)
    return file.getvalue()


def refusal(content):
    with pytest.raises(DataError) as caught:
        load(io.BytesIO(content))
    return str(caught.value)


def resigned(content, old, new):
    """`content` with `old` changed to `new`, of equal length, and the checksum put right."""
    assert content.count(old) >= 1
    assert len(old) == len(new)
    file = bytearray(content.replace(old, new))
    at = slice(START + DIGITS.start, START + DIGITS.stop)
    file[at] = tensors.UNSIGNED
    file[at] = tensors.sha256(file).hexdigest().encode()
    return bytes(file)


def with_header(content, texts=None, **entries):
    """`content` with other texts and entries in its header, and the checksum put right."""
    data = START + int.from_bytes(content[:START], "little")
    header = json.loads(content[START:data])
    header["__metadata__"].update(texts or {})
    told = json.dumps(header | entries, separators=(",", ":")).encode()
    told += b" " * (-len(told) % START)
    return resigned(len(told).to_bytes(START, "little") + told + content[data:], b"", b"")


def crafted(one, change):
    """The file of `one` after `change(texts, arrays)`, with a right checksum."""
    held = tensors.read(io.BytesIO(content_of(one)), "file")
    texts, arrays = dict(held.texts), dict(held.arrays)
    change(texts, arrays)
    file = io.BytesIO()
    del texts["format"], texts["version"]
    tensors.write(file, Contents(texts, arrays))
    return file.getvalue()


def said(name, /, **values):
    """A change of what a text of the header says."""

    def change(texts, arrays):
        texts[name] = json.dumps(json.loads(texts[name]) | values)

    return change


def set_at(name, place, value):
    def change(texts, arrays):
        arrays[name][place] = value

    return f"{name} {place} {value}", change
