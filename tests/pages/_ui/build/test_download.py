"""Taking an index away from the Build page."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from mips_core.serving.other_libraries import contract
from pages._ui.build import download
from pages._ui.build.download import python_snippet
from tests.pages.build_page import files_of, visit
from tests.pages.conftest import MAIN, small_dataset
from tests.pages.data_page import session_of, texts


def test_the_section_follows_the_effort_and_says_sizes():
    at = visit(effort="4")
    box = next(box for box in at.selectbox if box.label == "Probes")
    assert box.value == 4
    box.set_value(9).run()
    assert session_of(at).effort == 9
    code = [block.value for block in at.code]
    assert 'mips_core.load("small-flat-kmeans.mips")' in code[0]
    assert "At 9 probes" in code[0]
    assert "index.nprobe = 9" in code[2]
    labels = [b.proto.label for b in at.get("download_button")]
    assert labels[0].startswith("Download index, ")
    assert labels[1].startswith("Download for faiss, ")
    files = files_of(at)
    assert len(files.saved().getvalue()) == pytest.approx(files.size, rel=0.3)  # a header of 8 kB
    at.toggle(key="take items").set_value(False).run()
    assert 'np.load("items.npy")' in at.code[0].value
    assert at.get("download_button")[0].proto.label != labels[0]


def test_of_very_many_efforts_a_number_is_asked(monkeypatch):
    monkeypatch.setattr(download, "MOST_LISTED", 30)
    at = visit(effort="4")
    next(n for n in at.number_input if n.label == "Probes, of 31").set_value(7).run()
    assert session_of(at).effort == 7
    assert "At 7 probes" in at.code[0].value


def test_what_faiss_cannot_run_is_said(monkeypatch):
    at = visit(index="srp-hash")
    assert "Not for faiss. faiss opens lists that centroids choose" in texts(at)
    assert len(at.code) == 2
    monkeypatch.setattr(contract, "find_spec", lambda package: None)
    at = visit()
    assert "For faiss it must be installed here: `pip install faiss-cpu`" in texts(at)


def test_snippets_run(tmp_path):
    files = files_of(visit(effort="4", metric="cosine"))
    X, code = small_dataset().items, []
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", X[:20])
    for made in (files, replace(files.without_items(), stem="without")):
        (tmp_path / made.name).write_bytes(made.saved().getvalue())
        code.append(python_snippet(made, 10) + f"np.save('ids {made.with_items}.npy', ids)\n")
    (tmp_path / "ask.py").write_text("\n".join(code))
    env = os.environ | {"PYTHONPATH": str(MAIN.parents[2])}
    subprocess.run([sys.executable, "ask.py"], cwd=tmp_path, env=env, check=True)
    ids, _ = files.stored.search(X[:20], 10)
    for with_items in (True, False):
        np.testing.assert_array_equal(np.load(tmp_path / f"ids {with_items}.npy"), ids)
