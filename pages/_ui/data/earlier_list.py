"""Earlier: data that were in use on this machine, to search again or to delete."""

import time

import streamlit as st

from mips_core.base.text import counted, memory
from pages._ui.state import app_state
from pages._ui.text.periods import UNITS
from pages._ui.text.widgets import plain, short
from pages._ui.work import earlier
from pages._ui.work.earlier_store import EarlierData


def draw() -> None:
    """What is kept, the last used first, or why nothing is."""
    store = earlier.store()
    entries = store.entries() if store is not None else []
    for number, entry in enumerate(entries):
        _draw_entry(entry, number)
    if store is not None and not entries:
        st.markdown("Nothing yet: data that you upload or open will be listed here.")
    st.caption(earlier.told())


def _draw_entry(entry: EarlierData, number: int) -> None:
    origin, key = entry.origin, f"{number} {entry.data}"
    files = ", ".join(origin.files)
    about = [
        f"{origin.n:,} × {origin.d:,}",
        plain(short(files)) * (files != origin.name),
        "opened again where its files lie" * origin.folder,
        f"{memory(entry.size)} on disk",
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"**{plain(short(origin.name))}** · {age(time.time() - entry.used)}  \n"
            f":small[:gray[{' · '.join(filter(None, about))}]]",
            width="stretch",
        )
        buttons = st.container(horizontal=True, width="content", gap="small")
    buttons.button(
        "Use again",
        key=f"earlier use {key}",
        on_click=app_state.open_earlier,
        args=({**entry.words, "data": [entry.data]},),
        disabled=entry.data == app_state.current().data,
        help="As you left it: the same queries, indexes and settings.",
    )
    buttons.button(
        "Delete",
        key=f"earlier delete {key}",
        on_click=_delete,
        args=(entry.data,),
        help="From the disk, with all that was built and measured on it.",
    )


def _delete(data: str) -> None:
    store = earlier.store()
    if store is not None:
        store.delete(data)


def age(seconds: float) -> str:
    """3 days ago; just now."""
    for size, one, many in UNITS[:-1]:
        if seconds >= size:
            return f"{counted(int(seconds // size), one, many)} ago"
    return "just now"
