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
    below: Sequence[tuple[Any, ...]] = (),
    chosen: Callable[[], tuple[object, ...]] = tuple,
    shows: Callable[[], Sequence[object]] | None = None,
) -> None:
    """Call `draw`, as a fragment, and again when a job that it asked for has changed.

    That is looked for each `every` seconds; with None never. Where `draw` returns True, the next
    look draws again whatever it finds. What stands `below`, each with its arguments, are fragments
    too, drawn again by a look only where a job has come or ended, not as it goes on. Each follows
    the others where what the visitor has `chosen` is another by then: objects that are replaced,
    never changed.

    `shows` gives for each of them None, or what it shows: then it is drawn again only where that is
    another, whoever of them has asked for the job.
    """
    parts, runs = [_Part(draw, Looks(), args)], count()
    parts += [_Part(one, Looks(steps=False), rest) for one, *rest in below]
    page = _WatchedPage(parts, chosen, shows)

    def look() -> None:
        if next(runs):  # the first is of the whole page
            _draw_again(page.news())

    page.expect(every_part=True)
    for part in parts:
        st.fragment(page.drawn(part), key=part.key)()
    page.is_whole = False
    look.__qualname__ = f"{parts[0].key} look"
    if every is not None:
        st.fragment(look, run_every=every)()


@dataclass(eq=False)
class _Part:
    """What draws a fragment, and the jobs that it has asked for."""

    draw: Callable[..., bool | None]
    looks: Looks
    args: Sequence[Any] = ()
    drawn_by: tuple[object, ...] | None = None  # what was chosen then; None: not drawn yet
    shown: object = None  # by the last drawing that ended
    coming: object = None  # by the next; None: it is drawn at any news of its jobs

    @property
    def key(self) -> str:
        return f"{self.draw.__module__}.{self.draw.__qualname__}"


@dataclass(eq=False)
class _WatchedPage:
    """The parts of a page, and which of them are to be drawn again."""

    parts: Sequence[_Part]
    chosen: Callable[[], tuple[object, ...]]
    shows: Callable[[], Sequence[object]] | None
    is_whole: bool = True  # all of it is being drawn

    def expect(self, *, every_part: bool = False) -> list[_Part]:
        """Ask what the parts show now; those that show something else than they did."""
        if self.shows is None:
            return []
        stand = [part.looks.stand(jobs.find) for part in self.parts]  # before: what comes is news
        others = []
        for part, shown, stood in zip(self.parts, self.shows(), stand, strict=True):
            part.coming = shown
            if shown is None:
                continue
            if part.shown != shown:
                others.append(part)
            elif not every_part:
                part.looks.go_on(stood)
        return others

    def news(self) -> list[_Part]:
        """The parts to draw again, by their jobs."""
        news = [part for part in self.parts if part.looks.changed(jobs.find)]
        first = [part for part in news if part.coming is None or part.looks.again]
        if first or not news:
            return first  # the others follow
        return self.expect()

    def drawn(self, part: _Part) -> Callable[[], None]:
        @wraps(part.draw)  # Streamlit tells fragments apart by their names
        def drawn() -> None:
            with part.looks.noting():
                again = part.draw(*part.args)
            part.looks.again, part.shown = again is True, part.coming
            part.drawn_by = now = self.chosen()
            others = [one for one in self.parts if one.drawn_by and not _same(one.drawn_by, now)]
            if not self.is_whole and part.coming is None:
                others += [one for one in self.expect() if one not in others]
            _draw_again(others)

        return drawn


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(map(is_, before, now))


def _draw_again(parts: Sequence[_Part]) -> None:
    """Run the fragments of these after this run.

    st.rerun does so too, but from callbacks of widgets alone: a test holds that what it calls is
    there.
    """
    run = get_script_run_ctx()
    if parts and run is not None and run.script_requests is not None:
        queue = [name for part in parts for name in run.fragment_storage.resolve_target(part.key)]
        run.script_requests.request_rerun(
            RerunData(
                query_string=run.query_string,
                page_script_hash=run.page_script_hash,
                fragment_id_queue=queue,
                cached_message_hashes=run.cached_message_hashes,
                context_info=run.context_info,
            )
        )
