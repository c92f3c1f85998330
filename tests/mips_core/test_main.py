"""The command line as a whole: help, and an end without a word."""

import pytest
from click.testing import CliRunner

from mips_core.__main__ import main


@pytest.fixture
def run(tmp_path):
    def call(*arguments):
        return CliRunner().invoke(main, [a.replace("@", f"{tmp_path}/") for a in arguments])

    return call


def test_help_tells_what_files_may_be_and_a_wrong_name_what_is_shipped(run):
    for name in ("curve", "tune", "drift"):
        told = " ".join(run(name, "--help").output.split())
        assert "the name of one shipped data set: glove-6b-50d or simulated-ratings." in told
    told = run("data", "@nowhere").output
    assert "was not found. Check the name" in told
    assert "glove-6b-50d or simulated-ratings" in told
    listed = " ".join(run("--help").output.split())
    assert "Seconds a query on FILES: indexes, other libraries and exact search, at equal" in listed
    wrong = run("data", "@items.npy", "--n-queries", "0")
    assert "'--n-queries': 0 is not in the range 1<=x<=100000" in wrong.output


def test_a_full_disk_ends_a_command_with_its_place(run, monkeypatch):
    def full(**_):
        raise OSError(28, "No space left on device", "/somewhere/file")

    monkeypatch.setattr("mips_core.commands.indexes.command.callback", full)
    done = run("indexes")
    assert done.exit_code == 1
    assert "The disk is full: no room is left for /somewhere/file." in done.output


def test_ctrl_c_ends_a_command_quietly_while_it_is_imported(run, monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("mips_core.__main__.import_module", interrupted)
    for arguments in (("indexes",), ("--help",)):
        done = run(*arguments)
        assert (done.exit_code, done.output) == (130, "")
