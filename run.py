"""Start the app on a free port, say where it is, and open it: python run.py [OPTIONS].

--data-dir FOLDER offers the files of that folder on the Data page, as the variable MIPS_DATA_DIR
does. All other options are Streamlit's. `streamlit run app.py` starts the app too; for an app
object such as ours it opens no browser.
"""

import os
import runpy
import socket
import sys
import time
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from mips_core.base import limits, numba_cache
from mips_core.base.errors import MipsError
from mips_core.data.folder import VARIABLE, folder_in

APP = Path(__file__).with_name("app.py")
FIRST_PORT, LAST_PORT = 8501, 8600
DATA_DIR = "--data-dir"
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


def without_data_dir(options: Sequence[str]) -> tuple[list[str], str | None]:
    """The options left for Streamlit, and the folder that the last --data-dir names, if any.

    Ends with one line where the option names none.
    """
    left, folder = list(options), None
    while at := next((i for i, o in enumerate(left, 1) if o.split("=", 1)[0] == DATA_DIR), 0):
        _, equals, folder = left.pop(at - 1).partition("=")
        if not equals and at <= len(left):
            folder = left.pop(at - 1)
        if not folder or (not equals and folder.startswith("--")):
            sys.exit(f"{DATA_DIR} needs a folder: {DATA_DIR} FOLDER.")
    return left, folder


def use_data_dir(folder: str | None) -> None:
    """Offer the files of `folder`, or of the one the variable names; one line where it is none."""
    if folder is not None:
        os.environ[VARIABLE] = folder
    try:
        limits.check()
        found = folder_in(os.environ)
    except MipsError as error:
        sys.exit(str(error))
    if found is not None:
        os.environ[VARIABLE] = str(found.root)


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
    options, folder = without_data_dir(options)
    use_data_dir(folder)
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


if __name__ == "__main__":
    main(sys.argv[1:])
