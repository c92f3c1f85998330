"""Fragments that wait for jobs: they look often, and are drawn again only where there is news."""

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from pages._ui.work import jobs
from pages._ui.work.looks import Looks


def watch_jobs(draw: Callable[..., bool | None], every: float | None, *args: Any) -> None:
    """Call `draw`, as a fragment, and again when a job that it asked for has changed.

    That is looked for each `every` seconds; with None never. Where `draw` returns True, the next
    look draws again whatever it finds.
    """
    looks, key, runs = Looks(), f"{draw.__module__}.{draw.__qualname__}", count()

    @wraps(draw)  # Streamlit tells fragments apart by their names
    def drawn() -> None:
        with looks.noting():
            again = draw(*args)
        looks.again = again is True

    def look() -> None:
        if next(runs) and looks.changed(jobs.find):  # the first run is this one, of the whole page
            _draw_again(key)

    look.__qualname__ = f"{key} look"
    st.fragment(drawn, key=key)()
    if every is not None:
        st.fragment(look, run_every=every)()


def _draw_again(key: str) -> None:
    """Run the fragment of this key after this run.

    st.rerun does so too, but from callbacks of widgets alone: a test holds that what it calls is
    there.
    """
    run = get_script_run_ctx()
    if run is not None and run.script_requests is not None:
        run.script_requests.request_rerun(
            RerunData(
                query_string=run.query_string,
                page_script_hash=run.page_script_hash,
                fragment_id_queue=run.fragment_storage.resolve_target(key),
                cached_message_hashes=run.cached_message_hashes,
                context_info=run.context_info,
            )
        )
