"""What an error of a command advises is run, and what it advised then works."""

import ast
import json
import re
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import COMMANDS, main
from run import DATA_DIR

X = np.random.default_rng(0).normal(size=(40, 3)).round(3)
README = Path(__file__).parents[3] / "README.md"
ROOM = Path(__file__).parents[3] / "mips_core" / "commands"


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def lines(bad=(), named=True):
    """A table of X with the rows `bad` broken."""
    rows = (",".join(["x" if i in bad else str(row[0]), *map(str, row[1:])])
            for i, row in enumerate(X.tolist()))  # fmt: skip
    return "".join(f"w{i},{row}\n" if named else f"{row}\n" for i, row in enumerate(rows))


def write(folder):
    """Files that commands refuse at first, by name."""
    np.save(folder / "items.npy", X)
    (folder / "bad.csv").write_text("word,a,b,c\n" + lines(bad=[3]))
    np.savez(folder / "two.npz", left=X, right=X[:4])
    (folder / "ratings.csv").write_text(
        "user,item,rating\n" + "".join(f"{u},{i},{(u * i) % 5 + 1}\n" for u in range(9)
                                      for i in range(7)) + "9,,3\n")  # fmt: skip
    (folder / "who.csv").write_text(
        "who,what,stars\n" + "".join(f"a{u},b{i},{(u * i) % 5 + 1}\n" for u in range(9)
                                    for i in range(7)))  # fmt: skip
    cells = [[f"{(u * i) % 5 + 1}" if (u + i) % 3 else "" for i in range(7)] for u in range(9)]
    (folder / "matrix.csv").write_text("".join(",".join(row) + "\n" for row in cells))
    (folder / "vectors.tsv").write_text("".join("\t".join("nan" if i == 3 else str(v) for v in row)
                                                + "\n" for i, row in enumerate(X)))  # fmt: skip
    (folder / "metadata.tsv").write_text("".join(f"w{i}\n" for i in range(len(X))))
    (folder / "rows.json").write_text(json.dumps({"a": X.tolist(), "b": X[:5].tolist()}))


CURVE = ("--index", "flat-kmeans", "--set", "n_clusters=4", "--k", "1")
CASES = {
    "bad rows": ("data", "bad.csv"),
    "several arrays": ("data", "two.npz"),
    "several arrays of json": ("data", "rows.json"),
    "bad ratings": ("data", "ratings.csv", "--kind", "ratings"),
    "columns of ratings": ("data", "who.csv", "--kind", "ratings"),
    "gaps": ("data", "matrix.csv"),
    "a pair": ("data", "vectors.tsv", "metadata.tsv"),
    "queries with bad rows": ("curve", "items.npy", "--queries", "bad.csv", *CURVE),
    "queries among arrays": ("curve", "items.npy", "--queries", "two.npz", *CURVE),
    "a search with bad rows": ("search", "x.mips", "bad.csv", "--effort", "2"),
    "a search among arrays": ("search", "x.mips", "two.npz", "--effort", "2"),
}
FILLED = {"array=NAME": ("array=left", "array=a"), "queries=NAME": ("queries=right",),
          "user=…": ("user=who",), "item=…": ("item=what",),
          "value=…": ("value=stars",)}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_advice_of_an_error_runs(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    if CASES[name][0] == "search":
        built = run("build", "items.npy", "--index", "flat-kmeans", "--set", "n_clusters=4",
                    "--out", "x.mips", "--items")  # fmt: skip
        assert built.exit_code == 0, built.output
    refused = run(*CASES[name])
    assert refused.exit_code == 1, refused.output
    advice = re.findall(r"--(?:read|kind) [^\s,.]+", refused.output)
    assert advice, refused.output
    for option in [a for a in advice if "kind" in a] or [" ".join(advice)]:
        texts = option
        for blank, values in FILLED.items():
            texts = texts.replace(blank, values["rows.json" in CASES[name]] if len(values) > 1
                                  else values[0])  # fmt: skip
        followed = run(*CASES[name], *texts.split())
        assert followed.exit_code == 0, f"{refused.output} {texts}: {followed.output}"


def test_labels_stay_with_their_rows_when_one_is_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    shown = run("data", "vectors.tsv", "metadata.tsv", "--read", "skip_bad=yes")
    assert "39" in shown.output
    assert "“w0”" in shown.output


def test_commands_of_the_readme_have_all_they_need():
    block = re.sub(r" \\\n\s*", " ", README.read_text())
    commands = re.findall(r"^    python -m mips_core (\w+)(.*)$", block, re.M)
    assert len(commands) >= 14
    for name, text in commands:
        words = text.replace("[", "").replace("]", "").split()
        words = [word.replace("KEY", "flat-kmeans") for word in words if word != "..."]
        command = main.get_command(None, name)
        command.make_context(name, words)


def options_of(name, group=main):
    """The options of a command, and of the commands within it."""
    command = group.get_command(click.Context(group), name)
    both = ((*parameter.opts, *parameter.secondary_opts) for parameter in command.params)
    within = (options_of(inner, command) for inner in getattr(command, "commands", ()))
    return {option for options in (*both, *within) for option in options}


def options_told(path):
    """The options that the texts of a module name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z](?!-)", node.value)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_tells_of_options_that_it_has(name):
    of_others = {"runs": {"--run"}, "fetch": {"--rank"}}.get(name, set())  # of `curve`, `data`
    told = set(options_told(ROOM / f"{name}.py"))
    assert told <= options_of(name) | of_others


def test_no_room_tells_of_an_option_that_no_command_has():
    options = {DATA_DIR}.union(*map(options_of, COMMANDS))  # that of the app, too
    for room in ("base", "commands", "data", "evaluation", "groups", "studies"):
        for path in (ROOM.parent / room).rglob("*.py"):
            assert set(options_told(path)) <= options, path
