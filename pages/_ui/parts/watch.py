"""Fragments that wait for jobs: they look often, and are drawn again only where there is news."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import count
from operator import is_
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from pages._ui.work import jobs
from pages._ui.work.looks import Looks


def watch_jobs(
    draw: Callable[..., bool | None],
    every: float | None,
    *args: Any,
    below: Callable[[], bool | None] | None = None,
    chosen: Callable[[], tuple[object, ...]] = tuple,
) -> None:
    """Call `draw`, as a fragment, and again when a job that it asked for has changed.

    That is looked for each `every` seconds; with None never. Where `draw` returns True, the next
    look draws again whatever it finds. What stands `below` is a fragment too, drawn again by a look
    only where a job has come or ended, not as it goes on. Each follows the other where what the
    visitor has `chosen` is another by then: objects that are replaced, never changed.
    """
    parts, runs = [_Part(draw, Looks(), args)], count()
    parts += [] if below is None else [_Part(below, Looks(steps=False))]

    def look() -> None:
        news = [part.key for part in parts if part.looks.changed(jobs.find)]
        if next(runs) and news:  # the first run is this one, of the whole page
            _draw_again(news)

    for part in parts:
        st.fragment(part.drawn(parts, chosen), key=part.key)()
    look.__qualname__ = f"{parts[0].key} look"
    if every is not None:
        st.fragment(look, run_every=every)()


@dataclass(eq=False)
class _Part:
    """What draws a fragment, and the jobs that it has asked for."""

    draw: Callable[..., bool | None]
    looks: Looks
    args: tuple[Any, ...] = ()
    drawn_by: tuple[object, ...] | None = None  # what was chosen then; None: not drawn yet

    @property
    def key(self) -> str:
        return f"{self.draw.__module__}.{self.draw.__qualname__}"

    def drawn(
        self, parts: Sequence["_Part"], chosen: Callable[[], tuple[object, ...]]
    ) -> Callable[[], None]:
        @wraps(self.draw)  # Streamlit tells fragments apart by their names
        def drawn() -> None:
            with self.looks.noting():
                again = self.draw(*self.args)
            self.looks.again = again is True
            self.drawn_by = now = chosen()
            others = [part.key for part in parts if part.drawn_by and not _same(part.drawn_by, now)]
            if others:
                _draw_again(others)

        return drawn


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(map(is_, before, now))


def _draw_again(keys: Sequence[str]) -> None:
    """Run the fragments of these keys after this run.

    st.rerun does so too, but from callbacks of widgets alone: a test holds that what it calls is
    there.
    """
    run = get_script_run_ctx()
    if run is not None and run.script_requests is not None:
        queue = [name for key in keys for name in run.fragment_storage.resolve_target(key)]
        run.script_requests.request_rerun(
            RerunData(
                query_string=run.query_string,
                page_script_hash=run.page_script_hash,
                fragment_id_queue=queue,
                cached_message_hashes=run.cached_message_hashes,
                context_info=run.context_info,
            )
        )
