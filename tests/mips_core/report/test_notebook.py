"""The notebook of a report: a valid file whose cells measure the report's numbers again."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mips_core import DataError, open_files, searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.report import Origin, notebook_of
from tests.mips_core.report.reports import HOSTILE, RECIPE, data, measured, reported

ROOT = Path(__file__).parents[3]
RUN = """
import json, sys
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
names = {}
for cell in cells:
    if cell["cell_type"] == "code":
        exec(cell["source"], names)
"""


def run(report, change=lambda source: source):
    """The code cells of its notebook in one namespace, here."""
    names = {}
    for cell in json.loads(change(notebook_of(report)))["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the notebook runs, and looks for files."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def vectors(folder, name="small", n=300):
    """A file of vectors that come without queries, and how it was asked."""
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    np.save(folder / f"{name}.npy", X)
    return open_files([str(folder / f"{name}.npy")]).dataset


def of_file(source, metric="cosine", **known):
    recipe = QueryRecipe(source="noisy", count=60, noise=0.05)
    raw = with_queries(source, recipe)
    searched = searched_by(raw, metric)
    evaluations = measured(searched, ["flat-kmeans", "ip-tree"], grid=2)
    return reported(raw, searched, evaluations, recipe=recipe, **known)


def test_its_cells_give_the_numbers_of_the_report_in_a_process_of_their_own(folder):
    report = of_file(vectors(folder), origin=Origin(stem="small"))
    (folder / "report.ipynb").write_text(notebook_of(report), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN, "report.ipynb"],
        **{"cwd": folder, "capture_output": True, "text": True, "check": False},
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Items: 300, queries: 60, the same as in the report." in done.stdout
    points = {
        (m.setting, m.effort)
        for m in (report.point.measured, *(row.measured for row in report.targets))
    }
    assert f"All {5 * len(points)} numbers are those of the report." in done.stdout
    chosen = report.point.measured
    assert f"effort {chosen.effort}: precision@10 {chosen.precision:.3f}" in done.stdout


def test_a_number_that_is_another_is_noticed(folder):
    report = of_file(vectors(folder), "euclidean", origin=Origin(files=("small.npy",)))
    precision = report.point.measured.precision
    old, new = (f"'precision': {value!r}" for value in (precision, precision + 1e-6))
    with pytest.raises(AssertionError, match="precision is"):
        run(report, lambda source: source.replace(old, new))


def test_other_data_is_refused_in_clear_words(folder):
    report = of_file(vectors(folder), "inner product", origin=Origin(files=("small.npy",)))
    run(report)
    np.save(folder / "small.npy", np.eye(7, dtype=np.float32))
    with pytest.raises(DataError, match=r"These are not the items of the report.* Put the same"):
        run(report)
    (folder / "small.npy").unlink()
    with pytest.raises(DataError, match=r"small\.npy"):
        run(report)
    missing = of_file(vectors(folder, "b"), origin=Origin(stem="*"))
    with pytest.raises(DataError, match=r"There is no file \*\.\* here"):
        run(missing)


def test_it_is_a_valid_notebook():
    raw, searched = data()
    report = reported(raw, searched, measured(searched, grid=1))
    told = json.loads(notebook_of(report))
    assert (told["nbformat"], told["nbformat_minor"]) == (4, 5)
    assert set(told) == {"nbformat", "nbformat_minor", "metadata", "cells"}
    names = [cell["id"] for cell in told["cells"]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)
    for cell in told["cells"]:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | code
        if code:
            compile(cell["source"], "cell", "exec")
            assert max(map(len, cell["source"].splitlines())) < 400


def test_hostile_text_is_text_in_words_and_in_code():
    name = "'\"\\\n]; raise SystemExit #" + HOSTILE
    raw, searched = data(name=name)
    origin = Origin(files=(name,), queries_file=name, reading=(f"array={name}",))
    evaluations = measured(searched, grid=1)
    report = reported(raw, searched, evaluations, title=name, note=f"# {name}",
                      origin=origin, recipe=None)  # fmt: skip
    cells = json.loads(notebook_of(report))["cells"]
    words = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
    assert not re.search(r"(?<!\\)[<>]", "".join(words))
    assert "\\<img src\\=x" not in words[0]  # only signs that act are escaped
    assert "\\<img src=x" in words[0]
    code = next(cell["source"] for cell in cells if "FILES" in cell["source"])
    assert f"FILES = {[name]!r}" in code
    assert f"read_queries({name!r})" in code
    compile(code, "cell", "exec")


def test_shipped_data_is_named_by_its_key():
    raw, searched = data()
    origin = Origin(shipped="glove-6b-50d")
    report = reported(raw, searched, measured(searched, grid=1), origin=origin, recipe=RECIPE)
    assert "mips_core.shipped('glove-6b-50d')" in notebook_of(report)
    assert "glove-6b-50d --n-queries 120" in report.commands[0]
    assert report.data.licence.startswith("PDDL")
