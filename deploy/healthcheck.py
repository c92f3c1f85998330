"""Ends with 0 where a visitor would be let in, else with 1 and the reason.

It asks for the page as a browser does: a server that runs but refuses its own name, is full or has
no sockets left answers 403 or 503, and its inner health check would not tell.
"""

import os
import sys
import urllib.request
from urllib.error import HTTPError

PORT = os.environ.get("STREAMLIT_SERVER_PORT", "8501")


def host() -> str:
    """A name that the server answers under."""
    names = os.environ.get("STREAMLIT_SERVER_ALLOWED_HOSTS", "").split()
    return next((name for name in names if "*" not in name), "localhost")


def main() -> None:
    """Ask once."""
    asked = urllib.request.Request(
        f"http://127.0.0.1:{PORT}/", headers={"Host": host(), "Accept": "text/html"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=8) as answer:
            page = answer.read(100_000)
    except HTTPError as error:
        sys.exit(f"Nobody is let in: {error.code} {error.reason}.")
    except OSError as error:
        sys.exit(f"Nobody answers: {error}.")
    if b"<script" not in page:
        sys.exit("What answers is not the app.")


if __name__ == "__main__":
    main()
