"""Start the app on a free port, say where it is, and open it.

    mips-explorer [--data-dir FOLDER] [--port N] [FILE ...]    the app, on these files
    mips-explorer --cluster tls://HOST:PORT manifest.json      vectors in parts: docs/scale.md
    mips-explorer curve FILE ... --index KEY ...               without a browser; --help lists all
    mips-explorer --version

In a clone it is python run.py in place of mips-explorer; it sets up .venv by itself. FILEs that
belong together, such as vectors and their labels, are opened at once; --data-dir offers files of a
folder on the Data page. All other options are those of Streamlit, such as --server.address.
`streamlit run app.py` starts the app too; for an app object such as ours it opens no browser.

"""

import os
import runpy
import socket
import subprocess
import sys
import time
import venv
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import NoReturn

# Where the app stands: a clone, or one folder of the wheel, so that `pages` is nobody else's.
HOME = Path(__file__).resolve().parent
APP = HOME / "app.py"
if str(HOME) not in sys.path:
    sys.path.insert(0, str(HOME))
ENVIRONMENT = HOME / ".venv"


def set_up(words: Sequence[str]) -> NoReturn:
    """Make .venv of a clone as `make run` does, which Windows has not, and go on in it."""
    if sys.version_info < (3, 11):  # noqa: UP036  (this is where it is said)
        sys.exit("MIPS Explorer needs Python 3.11 or newer; this is " + sys.version.split()[0])
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready, lock = ENVIRONMENT / ".ready", HOME / "requirements.lock"
    if not (python.is_file() and ready.is_file() and ready.stat().st_mtime >= lock.stat().st_mtime):
        sys.stdout.write("Installing into .venv; this happens once and takes a minute or two.\n")
        sys.stdout.flush()
        if not python.is_file():
            venv.create(ENVIRONMENT, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        locked = [*install, "--require-hashes", "-r", str(lock)]
        loose = [*install, "-r", str(HOME / "requirements.txt")]  # where the lock does not hold
        if subprocess.call(locked) and subprocess.call(loose):
            sys.exit("What the app needs could not be installed; the reason stands above.")
        ready.touch()
    command = [str(python), str(HOME / "run.py"), *words]
    if os.name != "nt":
        os.execv(command[0], command)
    with suppress(KeyboardInterrupt):  # Ctrl-C is for the server, which ends by it
        sys.exit(subprocess.call(command))
    sys.exit()


_IS_BARE = find_spec("streamlit") is None and Path(sys.prefix) != ENVIRONMENT
if __name__ == "__main__" and _IS_BARE:
    set_up(sys.argv[1:])

from mips_core import __main__ as core  # noqa: E402
from mips_core.__main__ import COMMANDS  # noqa: E402
from mips_core.base import limits, numba_cache  # noqa: E402
from mips_core.base.errors import MipsError  # noqa: E402
from mips_core.data.folder import FILES, VARIABLE, folder_in  # noqa: E402
from mips_core.scale.scheduler_address import VARIABLE as SCHEDULER  # noqa: E402
from mips_core.scale.scheduler_address import check_address  # noqa: E402

FIRST_PORT, LAST_PORT = 8501, 8600
DATA_DIR, PORT, CLUSTER = "--data-dir", "--port", "--cluster"
A_FOLDER, A_SCHEDULER = f"a folder: {DATA_DIR} FOLDER", f"a scheduler: {CLUSTER} tls://HOST:PORT"
PATIENCE = 120  # seconds to wait for the server before giving up opening it


def setting(name: str, options: Sequence[str], env: Mapping[str, str]) -> str | None:
    """Streamlit's setting `server.NAME`: from its option, else from its variable, else None."""
    flag = f"--server.{name}"
    found = env.get(f"STREAMLIT_SERVER_{name.upper()}")
    for at, option in enumerate(options):
        word, equals, value = option.partition("=")
        if word == flag:
            found = value if equals else "".join(options[at + 1 : at + 2])
    return found


def without(flag: str, needs: str, options: Sequence[str]) -> tuple[list[str], str | None]:
    """The options left for Streamlit, and what the last `flag` names, if any.

    Ends with one line, saying what it `needs`, where the option names none.
    """
    left, named = list(options), None
    while at := next((i for i, o in enumerate(left, 1) if o.split("=", 1)[0] == flag), 0):
        _, equals, named = left.pop(at - 1).partition("=")
        if not equals and at <= len(left):
            named = left.pop(at - 1)
        if not named or (not equals and named.startswith("--")):
            sys.exit(f"{flag} needs {needs}.")
    return left, named


def without_files(options: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options left for Streamlit, with --port in its words, and the files among them.

    Ends with one line at an option that is neither ours nor Streamlit's, which all have a dot and
    a value.
    """
    left: list[str] = []
    files: list[str] = []
    words = iter(options)
    for word in words:
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            files.append(word)
        elif name == PORT:
            left += ["--server.port", value if equals else next(words, "")]
        elif "." in name:
            left += [word] if equals else [word, *islice(words, 1)]
        else:
            sys.exit(f"There is no option {name}: --help tells which there are.")
    if left[-2:-1] == ["--server.port"] and not left[-1]:
        sys.exit(f"{PORT} needs a number: {PORT} 8501.")
    return left, files


def use_data_dir(folder: str | None, files: Sequence[str] = ()) -> None:
    """Offer the files of `folder`, or of the one the variable names; one line where it is none.

    `files` are what a visitor begins with; without a folder they are all that is offered.
    """
    if folder is not None:
        os.environ[VARIABLE] = folder
    if files:
        os.environ[FILES] = "\n".join(str(Path(file).absolute()) for file in files)
    try:
        limits.check()
        found = folder_in(os.environ)
    except MipsError as error:
        sys.exit(str(error))
    if found is not None and not found.alone:
        os.environ[VARIABLE] = str(found.root)


def use_cluster(address: str | None) -> None:
    """Let k-means of vectors in parts be built there; one line where that cannot be.

    The address comes from here or from the variable, never from a visitor.
    """
    address = address or os.environ.get(SCHEDULER)
    if not address:
        return
    try:
        check_address(address, os.environ, plain_tcp=False)
    except MipsError as error:
        sys.exit(str(error))
    if find_spec("distributed") is None:
        sys.exit(f"{CLUSTER} needs the packages that requirements-scale.txt names.")
    os.environ[SCHEDULER] = address


def free_port(first: int = FIRST_PORT, last: int = LAST_PORT) -> int | None:
    """The first port that nobody answers on and that can be taken; None where there is none."""
    for port in range(first, last + 1):
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
        except OSError:
            try:
                socket.create_server(("", port)).close()
            except OSError:
                continue
            return port
    return None


def wants_browser(options: Sequence[str], env: Mapping[str, str], platform: str) -> bool:
    """Whether to open the app: not when told to be headless, nor on Linux without a display."""
    headless = setting("headless", options, env)
    if headless is not None:
        return headless.lower() not in {"true", "1", "yes"}
    return not platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & env.keys())


def open_when_ready(port: int) -> None:
    """Wait until the server answers, then open the app in the person's browser."""
    patient_until = time.monotonic() + PATIENCE
    while time.monotonic() < patient_until:
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            webbrowser.open(f"http://localhost:{port}")
            return


def main(options: Sequence[str]) -> None:
    """Run until stopped. Ends with one line where there is no port to use, or no such folder."""
    options, folder = without(DATA_DIR, A_FOLDER, options)
    options, scheduler = without(CLUSTER, A_SCHEDULER, options)
    use_cluster(scheduler)
    options, files = without_files(options)
    use_data_dir(folder, files)
    asked = setting("port", options, os.environ)
    if asked and not asked.isdecimal():
        sys.exit(f"The port {asked} is not a whole number.")
    port = int(asked) if asked else free_port()
    if port is None:
        sys.exit(f"Ports {FIRST_PORT} to {LAST_PORT} are taken: give one with --server.port.")
    taken = "" if asked or port == FIRST_PORT else f"Port {FIRST_PORT} is taken. "
    sys.stdout.write(f"{taken}MIPS Explorer is at http://localhost:{port}\n")
    if told := numba_cache.told():
        sys.stdout.write(f"{told}\n")
    sys.stdout.flush()
    if wants_browser(options, os.environ, sys.platform):
        Thread(target=open_when_ready, args=(port,), daemon=True).start()
    os.environ.setdefault("STREAMLIT_SERVER_SHOW_EMAIL_PROMPT", "false")
    sys.argv = ["streamlit", "run", str(APP), "--server.port", str(port), *options]
    runpy.run_module("streamlit", run_name="__main__")


def version() -> str:
    """What the project file beside this one says, or the installed package."""
    project = HOME / "pyproject.toml"
    if not project.is_file():
        return metadata.version("mips-explorer")
    import tomllib  # not there before 3.11, which `set_up` says

    told: str = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    return told


def command() -> None:
    """What `mips-explorer` does: a command where the first word names one, else the app."""
    words = sys.argv[1:]
    if words[:1] in ([name] for name in COMMANDS):
        core.main(prog_name="mips-explorer")
    elif {"-h", "--help"} & set(words):
        sys.stdout.write(__doc__)
        core.main(["--help"], prog_name="mips-explorer")
    elif "--version" in words:
        sys.stdout.write(f"MIPS Explorer {version()}\n")
    else:
        main(words)


if __name__ == "__main__":
    command()
