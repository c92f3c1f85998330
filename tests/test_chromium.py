"""How `make test` comes by a browser, without one being started or fetched here."""

import sys

import pytest

from tests.e2e import chromium


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without a Chromium, where what is run is written down; its log."""
    ran = []
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CHROMIUM", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(chromium, "_run", lambda said, command, seconds: ran.append(command))
    monkeypatch.setattr(chromium, "_of_playwright", lambda: iter(()))
    monkeypatch.setattr(chromium, "driven", lambda: True)
    return ran


def program(folder, name, printed):
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{printed}'\n")
    path.chmod(0o755)
    return str(path)


def test_one_that_is_there_is_taken_and_nothing_is_fetched(bare, tmp_path, capsys):
    path = program(tmp_path, "google-chrome", "")
    assert chromium.main() == 0
    assert capsys.readouterr().out.strip() == path
    assert bare == []


@pytest.mark.parametrize(("printed", "taken"), [("<html></html>", True), ("no libnss3", False)])
def test_playwrights_own_is_taken_where_it_starts(bare, tmp_path, monkeypatch, printed, taken):
    own = program(tmp_path, "headless", printed)
    monkeypatch.setattr(chromium, "_of_playwright", lambda: iter([own]))
    assert chromium.chromium_path() == (own if taken else None)


@pytest.mark.parametrize("root", [True, False])
def test_playwrights_own_is_fetched_first_and_debians_by_root_alone(
    bare, tmp_path, monkeypatch, capsys, root
):
    program(tmp_path, "apt-get", "")
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0 if root else 1000)
    assert chromium.main() == 0
    assert capsys.readouterr().out.strip() == ""
    assert bare[0] == [sys.executable, "-m", "playwright", "install", "chromium"]
    assert ["apt-get install" in command[-1] for command in bare[1:]] == [True] * root


def test_a_browser_that_cannot_be_driven_is_none(bare, tmp_path, monkeypatch, capsys):
    program(tmp_path, "chromium", "<html></html>")
    monkeypatch.setattr(chromium, "driven", lambda: False)
    assert chromium.main() == 0
    assert capsys.readouterr().out.strip() == ""
    assert "playwright" in bare[0]


def test_in_ci_none_is_an_error(bare, monkeypatch, capsys):
    monkeypatch.setenv("CI", "true")
    assert chromium.main() == 1
    assert "apt-get install chromium" in capsys.readouterr().err


def test_a_named_one_that_is_missing_is_an_error_and_nothing_is_fetched(bare, monkeypatch, capsys):
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")
    assert chromium.main() == 1
    assert "/no/such/browser" in capsys.readouterr().err
    assert bare == []
