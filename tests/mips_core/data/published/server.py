"""Look-alike archives, and a server on this machine that gives them in good and in bad ways."""

import hashlib
import io
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from mips_core.data.published.entries import PUBLISHED

USERS, FILMS = 12, 9


def zipped(files):
    """A .zip of {name: text}, stored as it is so that it can be cut anywhere."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def movielens_100k():
    """Small files of the layout of ml-100k, with others that are not read."""
    ratings = "".join(
        f"{user}\t{film}\t{(user * film) % 5 + 1}\t881250949\n"
        for user in range(1, USERS + 1)
        for film in range(1, FILMS + 1)
    )
    films = "".join(
        f"{film}|Film {film} (1995)|01-Jan-1995||http://x/{film}|{'|'.join('0' * 19)}\n"
        for film in range(1, FILMS + 1)
    )
    rest = {"ml-100k/u1.base": ratings[:100], "ml-100k/README": "x" * 60_000}
    return zipped({"ml-100k/u.data": ratings, "ml-100k/u.item": films, **rest})


def look_alike(key, content):
    """The entry of this key with the checksum and the size of `content`."""
    entry = PUBLISHED[key]
    archive = replace(entry.archive, size=len(content), sha256=hashlib.sha256(content).hexdigest())
    return replace(entry, archives=(archive,))


class Way:
    """How the server gives its content, and what it was asked."""

    def __init__(self, content):
        self.content, self.asked, self.ranges = content, [], []
        self.stops_after = self.status = self.waits_after = None
        self.resumes, self.go_on = True, Event()


@contextmanager
def serving(content):
    """A server that answers every address with `content`; yields its Way and its address."""
    way = Way(content)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            way.asked.append(self.path)
            way.ranges.append(self.headers.get("Range"))
            if way.status:
                self.send_error(way.status)
                return
            first = int((way.ranges[-1] or "bytes=0-")[6:-1]) if way.resumes else 0
            total = len(way.content)
            if first >= total:
                self.send_error(416)
                return
            self.send_response(206 if first else 200)
            if first:
                self.send_header("Content-Range", f"bytes {first}-{total - 1}/{total}")
            self.send_header("Content-Length", str(total - first))
            self.end_headers()
            stop = total if way.stops_after is None else way.stops_after
            pause = stop if way.waits_after is None else min(way.waits_after, stop)
            try:
                self.wfile.write(way.content[first:pause])
                if pause < stop:
                    self.wfile.flush()
                    way.go_on.wait(20)
                    self.wfile.write(way.content[max(first, pause) : stop])
            except OSError:
                pass  # who asked has gone

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield way, f"http://127.0.0.1:{server.server_port}"
    finally:
        way.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
