"""No damaged, foreign or crafted index file is asked: each is refused, in words."""

import io
import json
import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest
import safetensors.numpy

from mips_core import INDEXES, Dataset, load, rng_for, save, searched_by
from mips_core.base.arrays import Ids
from mips_core.base.errors import DataError
from mips_core.base.params import plain_values
from mips_core.base.progress import silent
from mips_core.methods.baselines.largest_norm import LargestNorm, NormOrder
from mips_core.serving.store import stored_index, tensors
from mips_core.serving.store.tensors import BEGINNING, DIGITS, START, Contents

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


def test_a_bit_that_changes_anywhere_is_seen():
    """1,000 bits, those of the length, the checksum, the header and its padding among them."""
    content = content_of(stored())
    header = START + int.from_bytes(content[:START], "little")
    assert content[header - 1 : header] == b" "
    rng = np.random.default_rng(0)
    bits = [
        *range(8 * START),
        *rng.integers(8 * (START + DIGITS.start), 8 * (START + DIGITS.stop), 200),
        *range(8 * (header - 1), 8 * header),
        *rng.integers(0, 8 * header, 300),
    ]
    bits += rng.integers(8 * header, 8 * len(content), 1000 - len(bits)).tolist()
    for bit in bits:
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        words = refusal(bytes(changed))
        assert any(why in words for why in ("damaged", "cut short", "of this program")), words
    assert load(io.BytesIO(content)).n == 80


def test_a_structure_that_cannot_check_itself_is_not_saved():
    one = replace(stored(), structure=object())
    with pytest.raises(DataError, match=r"a structure object has no check\(n, d\) to say whether"):
        save(io.BytesIO(), one)


@dataclass(frozen=True)
class Bare:
    """A structure that brings no check."""

    ids: Ids


class Careless(LargestNorm):
    """An index whose structure brings none."""

    def build(self, X, rng, progress=silent) -> Bare:
        return Bare(np.arange(len(X)))

    def searcher(self, structure):
        return super().searcher(NormOrder(structure.ids))


def test_a_structure_that_cannot_check_itself_is_not_loaded(monkeypatch):
    monkeypatch.setitem(INDEXES, "largest-norm", Careless)
    with monkeypatch.context() as patched:
        patched.setattr(Bare, "check", lambda self, n, d: None, raising=False)
        content = content_of(stored("largest-norm"))
        assert load(io.BytesIO(content)).structure.ids.tolist() == list(range(80))
    assert "a structure Bare has no check(n, d) to say whether" in refusal(content)


def test_a_file_that_is_cut_short_or_longer_is_refused():
    content = content_of(stored())
    for length in (*range(START + DIGITS.stop, len(content), 211), len(content) - 1):
        assert "cut short" in refusal(content[:length])
    for length in (0, 7, 8, 20):
        assert "is not an index file of this program" in refusal(content[:length])
    assert "damaged" in refusal(content + b"\0")


def test_foreign_files_are_named_as_such(tmp_path):
    foreign = safetensors.numpy.save({"items": ITEMS}, metadata={"format": "pt"})
    assert "a safetensors file, but not an index" in refusal(foreign)
    assert "is not an index file" in refusal(b"IxFI" + bytes(400))  # of faiss
    assert "is not an index file" in refusal(b"PK\3\4" + bytes(400))
    with pytest.raises(DataError, match=r"nothing\.mips cannot be read: No such file"):
        load(tmp_path / "nothing.mips")
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path)


def test_nothing_in_a_file_is_run(tmp_path):
    class Bad:
        def __reduce__(self):
            return (open, (str(tmp_path / "was run"), "w"))

    assert "is not an index file" in refusal(pickle.dumps(Bad()))
    assert not (tmp_path / "was run").exists()


def resigned(content, old, new):
    """`content` with `old` changed to `new`, of equal length, and the checksum put right."""
    assert content.count(old) >= 1
    assert len(old) == len(new)
    file = bytearray(content.replace(old, new))
    at = slice(START + DIGITS.start, START + DIGITS.stop)
    file[at] = tensors.UNSIGNED
    file[at] = tensors.sha256(file).hexdigest().encode()
    return bytes(file)


def test_a_newer_format_is_told_from_damage():
    content = content_of(stored())
    assert resigned(content, b"a", b"a") == content
    newer = resigned(content, b'"version":"1"', b'"version":"2"')
    assert "made by a newer version (MIPS Explorer" in refusal(newer)
    assert "its format is 2, the newest read here is 1" in refusal(newer)
    assert "damaged" in refusal(newer[:-1] + b"x")
    assert "unknown version" in refusal(resigned(content, b'"version":"1"', b'"version":"x"'))
    other = {"made_by": "a\n\ud800" * 99, "version": "3"}
    words = refusal(with_header(content, other))
    assert "made by a newer version (a ?a " in words
    assert (words.count("\n"), len(words) < 300) == (0, True)
    assert "unknown version" in refusal(with_header(content, {"version": "9" * 5000}))


def with_header(content, texts=None, **entries):
    """`content` with other texts and entries in its header, and the checksum put right."""
    data = START + int.from_bytes(content[:START], "little")
    header = json.loads(content[START:data])
    header["__metadata__"].update(texts or {})
    told = json.dumps(header | entries, separators=(",", ":")).encode()
    told += b" " * (-len(told) % START)
    return resigned(len(told).to_bytes(START, "little") + told + content[data:], b"", b"")


@pytest.mark.parametrize("shape", [[0, 2**62], [0, 2**70], [2**40, 0, 2**40], [0] * 99, [2**80]])
def test_arrays_that_cannot_be_are_refused_before_they_are_made(shape):
    content = content_of(stored())
    end = len(content) - START - int.from_bytes(content[:START], "little")
    more = {"dtype": "F32", "shape": shape, "data_offsets": [end, end]}
    assert "is damaged" in refusal(with_header(content, more=more))


def test_what_a_file_says_is_repeated_in_one_short_line():
    def said_at_length(texts, arrays):
        said("about", index="x\n" * 10**5)(texts, arrays)

    words = refusal(crafted(stored(), said_at_length))
    assert (words.count("\n"), len(words) < 500) == (0, True)
    hostile = crafted(stored(), said("about", name="a\n\x1b[31m\ud800" * 999))
    name = load(io.BytesIO(hostile)).name
    assert name.startswith("a [31m?a ")
    assert len(name) <= 255


@pytest.mark.parametrize("value", [1e30, -1e30])
def test_a_metric_that_makes_queries_too_long_is_refused(value):
    dataset = searched_by(Dataset(ITEMS), "euclidean")
    index = INDEXES["exact"]()
    one = stored_index(dataset, index, 0, index.build(dataset.items, rng_for(0)))
    _, change = set_at("conversion.centre", 0, value)
    assert "its metric is not fitted" in refusal(crafted(one, change))
    told = said("conversion", unit=value)
    assert "its metric is not fitted" in refusal(crafted(one, told))


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


def without_rounds(texts, arrays):
    histories = json.loads(texts["structure"])["histories"]
    said("structure", histories=[fit | {"rounds": []} for fit in histories])(texts, arrays)


def without_levels(texts, arrays):
    said("structure", levels=[], histories=[])(texts, arrays)
    for name in [name for name in arrays if name.startswith("structure")]:
        del arrays[name]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (said("about", index="best"), "an index 'best' is not known here"),
        (said("about", index="os.system"), "is not known here"),
        (said("about", metric="hamming"), "a metric 'hamming' is not known here"),
        (said("about", n=81), "labels for 81 items|in place of"),
        (said("about", n="80"), "about.n is not what belongs there"),
        (said("about", n=True), "about.n is not what belongs there"),
        (said("about", d=4), "in place of"),
        (said("about", effort=0), "effort 0 is not offered"),
        (said("about", fingerprint="0" * 32), "not those the fingerprint names"),
        (said("about", extra=1), "has other parts"),
        (said("parameters", max_rounds=0), "max_rounds is 0, outside 1 to 1000"),
        (said("parameters", n_levels=2), "has no parameter"),
        (said("parameters", n_clusters=2), "clusters: 9 built, 2 asked for"),
        (said("parameters", reduction="sphere"), "has no parameter|lacks some|reduction"),
        (said("parameters", **{"reduction.U": 0.5}), "reduction: .* built, .* asked for"),
        (without_levels, "it has no level"),
        (said("structure", histories=[]), "its rounds are of other levels"),
        (without_rounds, "no round led to a level"),
        (said("structure", levels=[]), "nothing tells what its array"),
        (lambda texts, arrays: arrays.update(items=np.array(1, np.float32)), "a single number"),
        (said("structure", lift={"scale": float("nan"), "reduction": {"kind": "plain"}}), "finite"),
        (said("structure", lift={"scale": 1e999, "reduction": {"kind": "plain"}}), "finite"),
        (said("structure", lift={"scale": 1.0, "reduction": {"kind": "os"}}), "no reduction"),
        (said("structure", histories=None), "is not what belongs there"),
        (lambda texts, arrays: texts.pop("structure"), "it does not tell its structure"),
        (lambda texts, arrays: texts.update(structure="[" * 9000), "does not tell its structure"),
        (lambda texts, arrays: arrays.update(more=ITEMS), "nothing tells what its array"),
        (lambda texts, arrays: arrays.pop("label_ends"), "label_ends is missing"),
        (lambda texts, arrays: arrays.update(items=ITEMS.astype(float)), "float64, not float32"),
        (lambda texts, arrays: arrays.update(items=ITEMS * np.float32(1e20)), "items holds"),
        (lambda texts, arrays: arrays.update(items=ITEMS[:, :2].copy()), "in place of"),
        (lambda texts, arrays: arrays.update(labels=arrays["labels"] | 128), "are no text"),
        (lambda texts, arrays: arrays.update(label_ends=arrays["label_ends"] * -1), "follow"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(change, words):
    with pytest.raises(DataError, match=rf"holds no sound index: .*({words})"):
        load(io.BytesIO(crafted(stored(n_clusters=9), change)))


def set_at(name, place, value):
    def change(texts, arrays):
        arrays[name][place] = value

    return f"{name} {place} {value}", change


LEVEL, FIT = "structure.levels.0.", "structure.histories.0."
UNSOUND = {
    "flat-kmeans": [
        set_at(LEVEL + "centroids", (0, 0), np.nan),
        set_at(LEVEL + "members", 0, 80),
        set_at(LEVEL + "members", 0, -1),
        set_at(LEVEL + "members", slice(0, 2), 5),
        set_at(LEVEL + "labels", 0, 10**9),
        set_at(LEVEL + "labels", 0, -1),
        set_at(LEVEL + "starts", 1, 79),
        set_at(LEVEL + "starts", 0, 1),
        set_at(LEVEL + "starts", -1, 10**12),
    ],
    "hierarchical-kmeans": [
        set_at("structure.levels.1.members", 3, 80),
        set_at("structure.levels.0.labels", 0, 10**6),
    ],
    "multi-kmeans": [
        set_at("structure.labels", (1, 3), 10**6),
        set_at("structure.live", 0, 10**6),
        set_at("structure.members", 0, -5),
        set_at("structure.starts", 2, 10**9),
    ],
    "head-kmeans": [
        set_at("structure.lists.labels", (0, 1), 10**6),
        set_at("structure.lists.members", 1, 80),
        set_at("structure.lists.starts", 2, 10**6),
    ],
    "ip-tree": [
        set_at("structure.balls.second", 0, 10**6),
        set_at("structure.balls.second", 0, 0),
        set_at("structure.balls.stops", 1, 10**6),
        set_at("structure.balls.starts", 1, -4),
        set_at("structure.balls.leaf", -1, 10**6),
        set_at("structure.balls.members", 0, 10**6),
        set_at("structure.balls.radii", 0, np.inf),
        set_at("structure.balls.radii", 0, -1.0),
        set_at("structure.leaf_starts", 1, 10**6),
        set_at("structure.labels", 1, 10**6),
    ],
    "largest-norm": [set_at("structure", 3, 80), set_at("structure", slice(0, 2), 7)],
    "pca-tree": [
        set_at("structure.addresses", 0, 10**6),
        set_at("structure.members", 0, -1),
        set_at("structure.starts", 1, 10**6),
        set_at("structure.thresholds", 0, np.nan),
    ],
    "product-quantization": [
        set_at("structure.books.dimensions", 0, 9),
        set_at("structure.books.bounds", 1, 10**6),
        set_at("structure.codes", (0, 0), 200),
    ],
    "simple-lsh": [
        set_at("structure.buckets.members", 0, 80),
        set_at("structure.buckets.starts", 1, 10**6),
        set_at("structure.buckets.tables", 1, 10**6),
        set_at("structure.buckets.heavy", 0, 10**6),
        set_at("structure.buckets.bitsets", (0, 1), 2**63),
        set_at("structure.buckets.keys", 0, 2**63),
        set_at("structure.family.directions", (0, 0, 0), np.nan),
    ],
    "l2-alsh": [
        set_at("structure.family.functions.b", (0, 0), np.nan),
        set_at("structure.family.radix.0.span", 0, 0),
    ],
    "wta-hash": [set_at("structure.family.prefixes", (0, 0, 0), 50)],
    "top-down-kmeans": [
        set_at("structure.children", 0, 0),
        set_at("structure.children", 0, 10**6),
        set_at("structure.parents", 1, 10**6),
        set_at("structure.members", 0, 80),
        set_at("structure.starts", -1, 10**9),
        set_at("structure.labels", 0, 0),
    ],
}
PARAMETERS = {"product-quantization": {"n_codewords": 16}}


@pytest.mark.parametrize(
    ("key", "change"), [(k, c) for k, cs in UNSOUND.items() for _, c in cs],
    ids=[f"{k}: {name}" for k, cs in UNSOUND.items() for name, _ in cs],
)  # fmt: skip
def test_lists_and_trees_that_are_none_are_refused_before_they_are_used(key, change):
    with pytest.raises(DataError, match="holds no sound index"):
        load(io.BytesIO(crafted(stored(key, **PARAMETERS.get(key, {})), change)))


def test_every_kind_of_structure_has_rules():
    declared = {key for key in INDEXES if key not in UNSOUND}
    assert declared == {"exact", "srp-hash"}  # a number; the same as simple-lsh


def test_a_structure_under_other_parameters_is_refused():
    other = {
        "hierarchical-kmeans": {"n_levels": 3},
        "multi-kmeans": {"n_clusterings": 2},
        "head-kmeans": {"copies": 2},
        "pca-tree": {"depth": 2},
        "product-quantization": {"n_subspaces": 1},
        "srp-hash": {"n_bits": 5},
        "simple-lsh": {"n_tables": 5},
        "wta-hash": {"prefix": 2},
        "l2-alsh": {"n_hashes": 2},
        "top-down-kmeans": {"reduction": INDEXES["srp-hash"]().reduction.__class__(U=0.5)},
    }
    for key, parameters in other.items():
        one = stored(key)
        claimed = replace(one, index=replace(one.index, **parameters))
        with pytest.raises(DataError, match=r"is not sound: .* asked for"):
            content_of(claimed)
        parameters = {"parameters": json.dumps(plain_values(claimed.index))}
        told = refusal(crafted(one, lambda texts, arrays, told=parameters: texts.update(told)))
        assert "asked for" in told, key


def test_the_checksum_stands_where_the_format_says():
    content = content_of(stored())
    assert content[START:].startswith(BEGINNING)
    digits = content[START + DIGITS.start : START + DIGITS.stop].decode()
    assert digits == digits.lower()
    assert int(digits, 16) > 0
