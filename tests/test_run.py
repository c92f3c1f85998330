import os
import socket
import threading

import pytest

import run
from mips_core.scale.scheduler_address import TLS


@pytest.fixture
def held():
    """A port on which somebody answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_taken_port_is_passed_over(held):
    port = run.free_port(held, held + 50)
    assert held < port <= held + 50


def test_no_free_port_is_none(held):
    assert run.free_port(held, held) is None


def test_a_free_port_is_taken_at_once(held):
    port = run.free_port(held, held + 50)
    assert run.free_port(port, port) == port


@pytest.mark.parametrize(
    ("options", "env", "found"),
    [
        ([], {}, None),
        (["--server.port", "9000"], {}, "9000"),
        (["--server.port=9000"], {}, "9000"),
        (["--server.portal", "1"], {}, None),
        (["--server.port", "9000", "--server.port=9001"], {}, "9001"),
        ([], {"STREAMLIT_SERVER_PORT": "9002"}, "9002"),
        (["--server.port=9000"], {"STREAMLIT_SERVER_PORT": "9002"}, "9000"),
        (["--server.port"], {}, ""),
    ],
)
def test_settings_come_from_options_then_variables(options, env, found):
    assert run.setting("port", options, env) == found


@pytest.mark.parametrize(
    ("options", "env", "platform", "wanted"),
    [
        ([], {}, "linux", False),
        ([], {"DISPLAY": ":0"}, "linux", True),
        ([], {"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ([], {}, "darwin", True),
        (["--server.headless", "true"], {}, "darwin", False),
        (["--server.headless=true"], {"DISPLAY": ":0"}, "linux", False),
        (["--server.headless", "false"], {}, "linux", True),
        ([], {"STREAMLIT_SERVER_HEADLESS": "true", "DISPLAY": ":0"}, "linux", False),
    ],
)
def test_the_app_is_opened_where_there_is_someone_to_see_it(options, env, platform, wanted):
    assert run.wants_browser(options, env, platform) is wanted


def test_the_app_is_opened_once_it_answers(monkeypatch, held):
    opened = []
    monkeypatch.setattr(run.webbrowser, "open", opened.append)
    thread = threading.Thread(target=run.open_when_ready, args=(held,))
    thread.start()
    thread.join(10)
    assert opened == [f"http://localhost:{held}"]


def test_a_server_that_never_answers_is_not_opened(monkeypatch):
    opened = []
    monkeypatch.setattr(run.webbrowser, "open", opened.append)
    monkeypatch.setattr(run, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    run.open_when_ready(port)
    assert opened == []


@pytest.fixture
def started(monkeypatch, capsys):
    """main(options) without a server: the command line Streamlit would get, and what was said."""

    def start(*options, free=8501):
        monkeypatch.setattr(run, "free_port", lambda: free)
        monkeypatch.setattr(run.runpy, "run_module", lambda *_, **__: None)
        monkeypatch.setattr(run.sys, "argv", [])
        monkeypatch.setenv("STREAMLIT_SERVER_HEADLESS", "true")
        monkeypatch.setenv("STREAMLIT_SERVER_SHOW_EMAIL_PROMPT", "false")
        monkeypatch.delenv("STREAMLIT_SERVER_PORT", raising=False)
        run.main(options)
        return run.sys.argv, capsys.readouterr().out

    return start


def test_it_says_where_the_app_is(started):
    command, said = started()
    assert command == ["streamlit", "run", str(run.APP), "--server.port", "8501"]
    assert said == "MIPS Explorer is at http://localhost:8501\n"


def test_it_says_when_the_usual_port_is_taken(started):
    said = started(free=8502)[1]
    assert said == "Port 8501 is taken. MIPS Explorer is at http://localhost:8502\n"


def test_options_are_passed_on_and_an_asked_port_is_kept(started):
    command, said = started("--server.port=9000", "--theme.base", "dark")
    assert command[3:] == ["--server.port", "9000", "--server.port=9000", "--theme.base", "dark"]
    assert said == "MIPS Explorer is at http://localhost:9000\n"


@pytest.mark.parametrize(
    ("options", "free", "named"),
    [((), None, "8501 to 8600 are taken"), (("--server.port", "x"), 8501, "x is not a whole")],
)
def test_no_port_to_use_is_said_in_one_line(started, options, free, named):
    with pytest.raises(SystemExit, match=named):
        started(*options, free=free)


@pytest.fixture
def variable(monkeypatch):
    """The variable that names the data folder: not set, and put back afterwards."""
    monkeypatch.setenv(run.VARIABLE, "")


@pytest.mark.parametrize("joined", [True, False])
def test_a_data_folder_goes_into_the_environment_and_not_to_streamlit(
    started, variable, tmp_path, monkeypatch, joined
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    asked = ["--data-dir=data"] if joined else ["--data-dir", "data"]
    command, _ = started("--server.port=9000", *asked, "--theme.base", "dark")
    assert command[3:] == ["--server.port", "9000", "--server.port=9000", "--theme.base", "dark"]
    assert os.environ[run.VARIABLE] == str((tmp_path / "data").resolve())


def test_the_option_goes_before_the_variable_and_the_last_before_the_first(tmp_path):
    data_dir = run.DATA_DIR, run.A_FOLDER
    assert run.without(*data_dir, ["--data-dir", "a", "x", "--data-dir=b"]) == (["x"], "b")
    assert run.without(*data_dir, ["--data-directory", "a"]) == (["--data-directory", "a"], None)


def test_a_cluster_is_chosen_at_start_and_an_unsafe_one_is_refused(monkeypatch):
    for name in (run.SCHEDULER, *TLS.values()):
        monkeypatch.setenv(name, "")
    for given, words in (
        (["--cluster"], "needs a scheduler"),
        (["--cluster", "tcp://10.0.0.1:1"], "plain TCP"),
        (["--cluster=tls://far:1"], "needs certificates"),
    ):
        with pytest.raises(SystemExit, match=words):
            run.use_cluster(run.without(run.CLUSTER, run.A_SCHEDULER, given)[1])
    run.use_cluster(None)
    assert os.environ[run.SCHEDULER] == ""
    run.use_cluster("tcp://127.0.0.1:8786")
    assert os.environ[run.SCHEDULER] == "tcp://127.0.0.1:8786"
    monkeypatch.setenv(run.SCHEDULER, "tls://far:1")
    with pytest.raises(SystemExit, match="needs certificates"):
        run.use_cluster(None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--data-dir", "nowhere"], "nowhere does not exist"),
        (["--data-dir"], "needs a folder"),
        (["--data-dir="], "needs a folder"),
        (["--data-dir", "--server.port=9000"], "needs a folder"),
    ],
)
def test_no_such_data_folder_is_said_in_one_line(started, variable, options, words):
    with pytest.raises(SystemExit, match=words) as end:
        started(*options)
    assert "\n" not in str(end.value)


def test_a_variable_that_names_no_folder_is_said_too(started, monkeypatch):
    monkeypatch.setenv(run.VARIABLE, "/nowhere/at/all")
    with pytest.raises(SystemExit, match="/nowhere/at/all does not exist"):
        started()


def test_files_are_told_apart_from_values_of_options(started, variable, tmp_path, monkeypatch):
    monkeypatch.setenv(run.FILES, "")
    monkeypatch.chdir(tmp_path)
    for name in ("a.npy", "b.csv"):
        (tmp_path / name).touch()
    command, said = started("a.npy", "--theme.base", "dark", "b.csv", "--port", "9000")
    port = ["--server.port", "9000"]
    assert command[3:] == [*port, "--theme.base", "dark", *port]
    assert os.environ[run.FILES].split("\n") == [str(tmp_path / n) for n in ("a.npy", "b.csv")]
    assert "localhost:9000" in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["nothing.npy"], "nothing.npy was not found"),
        (["--prot", "9000"], "There is no option --prot"),
        (["--port"], "--port needs a number"),
        (["--port="], "--port needs a number"),
        (["--port=x"], "x is not a whole number"),
    ],
)
def test_a_word_that_is_not_understood_is_said_in_one_line(started, monkeypatch, options, words):
    monkeypatch.setenv(run.FILES, "")
    with pytest.raises(SystemExit, match=words) as end:
        started(*options)
    assert "\n" not in str(end.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--version"], "MIPS Explorer 0."),
        (["--help"], "mips-explorer [--data-dir FOLDER] [--port N] [FILE ...]"),
        (["indexes"], "flat-kmeans"),
        (["curve", "--help"], "Usage: mips-explorer curve"),
    ],
)
def test_commands_are_run_under_the_same_name(monkeypatch, capsys, words, said):
    monkeypatch.setattr(run.sys, "argv", ["mips-explorer", *words])
    if words == ["--version"]:
        run.command()
    else:
        with pytest.raises(SystemExit) as end:
            run.command()
        assert not end.value.code
    assert said in capsys.readouterr().out


@pytest.fixture
def bare_clone(tmp_path, monkeypatch):
    """A clone without .venv, and what would be called in it; the lock's install may fail."""
    calls = []
    (tmp_path / "requirements.lock").touch()
    monkeypatch.setattr(run, "HOME", tmp_path)
    monkeypatch.setattr(run, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(run.venv, "create", lambda path, **_: (path / "bin").mkdir(parents=True))

    def call(command, fails=()):
        calls.append(command)
        return int(any(word in command for word in fails))

    def become(_, command):
        calls.append(command)
        raise SystemExit

    monkeypatch.setattr(run.subprocess, "call", call)
    monkeypatch.setattr(run.os, "execv", become)
    return tmp_path, calls, call


@pytest.mark.skipif(os.name == "nt", reason="Windows starts a process of its own")
def test_a_clone_sets_itself_up_once_and_goes_on(bare_clone):
    root, calls, _ = bare_clone
    with pytest.raises(SystemExit):
        run.set_up(["--port", "9000"])
    assert "--require-hashes" in calls[0]
    assert calls[1] == [str(root / ".venv/bin/python"), str(root / "run.py"), "--port", "9000"]
    (root / ".venv/bin/python").touch()
    with pytest.raises(SystemExit):
        run.set_up([])
    assert len(calls) == 3


def test_where_the_lock_does_not_hold_the_ranges_are_installed_and_else_it_is_said(
    bare_clone, monkeypatch
):
    root, calls, call = bare_clone
    monkeypatch.setattr(run.subprocess, "call", lambda c: call(c, fails=["--require-hashes"]))
    with pytest.raises(SystemExit):
        run.set_up([])
    assert calls[1][-1] == str(root / "requirements.txt")
    (root / ".venv/.ready").unlink()
    monkeypatch.setattr(run.subprocess, "call", lambda c: call(c, fails=["install"]))
    monkeypatch.setattr(run.venv, "create", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="could not be installed"):
        run.set_up([])
