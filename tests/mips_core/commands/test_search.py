"""python -m mips_core search: the answers of the library, as text or a file, and refusals."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core import INDEXES, Dataset, rng_for, save, searched_by
from mips_core.__main__ import main
from mips_core.data.labels import in_cell
from mips_core.serving.store import stored_index

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 6)).astype(np.float32)
Q = rng.normal(size=(8, 6)).astype(np.float32)
LABELS = ["=1+1", "<script>alert(1)</script>", "a,b", 'q"', "\ud800", *map(str, range(195))]


def stored(metric="inner product", labels=LABELS, effort=3, **how):
    dataset = searched_by(Dataset(X, Q, labels=labels, name="some items"), metric)
    index = INDEXES["srp-hash"](n_bits=6)
    structure = index.build(dataset.items, rng_for(0))
    return stored_index(dataset, index, 0, structure, effort, **how)


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", Q)
    np.savetxt(tmp_path / "queries.csv", Q, delimiter=",")
    np.save(tmp_path / "narrow.npy", Q[:, :5])

    def call(index, *arguments, queries="@queries.npy"):
        save(tmp_path / "a.mips", index)
        words = ["search", "@a.mips", queries, *arguments]
        return CliRunner().invoke(main, [word.replace("@", f"{tmp_path}/") for word in words])

    return call


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_csv_is_printed_a_line_for_each_answer(run, metric):
    index = stored(metric)
    ids, scores = index.search(Q, 20)
    assert (ids < 0).any()  # three tables find fewer
    done = run(index, "--k", "20")
    assert done.exit_code == 0, done.output
    header, *lines = csv.reader(io.StringIO(done.stdout))
    name = {"euclidean": "Euclidean_distance", "inner product": "inner_product"}.get(metric, metric)
    assert header == ["query", "rank", "item", name, "label"]
    expected = [
        [i, j + 1, ids[i, j], scores[i, j]] for i in range(8) for j in range(20) if ids[i, j] >= 0
    ]
    assert [[int(a), int(b), int(c), float(d)] for a, b, c, d, _ in lines] == expected
    assert [line[4] for line in lines] == [
        in_cell(LABELS[row[2]].encode(errors="replace").decode()) for row in expected
    ]


def test_files_hold_the_same(run, tmp_path):
    index = stored()
    ids, scores = index.search(Q, 5, 7)
    for name in ("out.csv", "out.json", "out.npz"):
        done = run(index, "--k", "5", "--effort", "7", "--out", f"@{name}")
        assert (done.exit_code, done.output) == (0, "")
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["index"]["key"] == "srp-hash"
    assert (found["effort"], found["score"], found["seed"]) == (7, "inner product", 0)
    assert found["dataset"]["fingerprint"] == index.fingerprint
    first = [answer["item"] for answer in found["answers"][0]]
    assert first == [item for item in ids[0].tolist() if item >= 0]
    with np.load(tmp_path / "out.npz") as arrays:
        assert np.array_equal(arrays["ids"], ids)
        assert np.array_equal(arrays["scores"], scores)
        assert arrays["labels"][0, 0] == LABELS[ids[0, 0]]
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        lines = list(csv.reader(file))
    assert len(lines) == 1 + int((ids >= 0).sum())


def test_queries_of_any_format_and_items_of_their_own(run):
    with_them = run(stored(), queries="@queries.csv").stdout
    assert with_them == run(stored(), queries="@queries.npy").stdout
    bare = stored(with_items=False)
    refused = run(bare)
    assert refused.exit_code == 1
    assert "The index of some items was saved without its items. Add --items FILE" in refused.output
    assert run(bare, "--items", "@items.npy").stdout == with_them
    other = run(bare, "--items", "@queries.npy")
    assert "built on other data: some items, 200 items of 6 dimensions" in other.output


def test_without_labels_there_is_no_column_of_them(run, tmp_path):
    index = stored(labels=None)
    assert run(index).stdout.startswith("query,rank,item,inner_product\n0,1,")
    run(index, "--out", "@out.npz")
    assert sorted(np.load(tmp_path / "out.npz")) == ["ids", "scores"]


@pytest.mark.parametrize(
    ("arguments", "queries", "words"),
    [
        ((), "@narrow.npy", "The queries have 5 dimensions, the items 6."),
        ((), "@none.npy", "none.npy was not found"),
        (("--k", "0"), "@queries.npy", "K is 0, outside 1 to 200."),
        (("--effort", "65"), "@queries.npy", "Effort 65 is not offered. Efforts go from 1 to 64."),
        (("--out", "@out.txt"), "@queries.npy", "out.txt names no format known here."),
        (("--out", "@no/out.csv"), "@queries.npy", "out.csv cannot be written"),
    ],
)
def test_what_cannot_be_is_told(run, arguments, queries, words):
    done = run(stored(), *arguments, queries=queries)
    assert done.exit_code == 1
    assert words in done.output
    assert done.output.count("\n") == 1


def test_a_file_that_is_no_index_is_refused(tmp_path):
    np.save(tmp_path / "q.npy", Q)
    file = str(tmp_path / "q.npy")
    done = CliRunner().invoke(main, ["search", file, file])
    assert done.exit_code == 1
    assert "q.npy is not an index file of this program." in done.output
    done = CliRunner().invoke(main, ["search", file + "x", file])
    assert "q.npyx cannot be read: No such file or directory." in done.output
    assert "No effort was chosen" in str(_refusal(stored(effort=None), tmp_path, file))


def _refusal(index, folder, queries):
    save(folder / "b.mips", index)
    return CliRunner().invoke(main, ["search", str(folder / "b.mips"), queries]).output
