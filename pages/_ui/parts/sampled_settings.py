"""Of many items: which settings a page has built, what told so, and a way to build the others."""

from collections.abc import Collection

import streamlit as st

from mips_core.base.text import counted
from pages._ui.state.session import Session
from pages._ui.state.settings import build_all, built_of, grid_of, look_of
from pages._ui.text.widgets import plain


def draw(session: Session, methods: Collection[str], page: str) -> None:
    """A line, with a button once the settings are known; nothing where all are built anyway."""
    looks = [look for key in methods if (look := look_of(session, key)) is not None]
    if not looks:
        return
    from mips_core.studies.tuning.scouting import SAMPLES  # a first curve needs it not

    some, every = f"{SAMPLES[-1]:,} of the items", f"all {session.source.n:,}"
    coming = [look for look in looks if look.unsettled]
    if coming:
        said = (look.job.message for look in coming if look.job is not None)
        st.caption(
            f"All settings are tried on {some} first; then those that do best there are built on "
            f"{every}. {len(looks) - len(coming)} of {counted(len(looks), 'method', 'methods')} "
            f"looked at. {plain(next(filter(None, said), ''))}"
        )
        return
    grids = {index for key in methods for index in grid_of(session, key)}
    left = len(grids - {index for key in methods for index in built_of(session, key)})
    if not left:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Of {counted(len(grids), 'setting', 'settings')}, {len(grids) - left} are built on "
            f"{every} items: the best of their methods on {some}."
        )
        if st.button(
            f"Build the other {left}",
            key=f"{page} build all",
            on_click=build_all,
            args=(session,),
            help="What is best on a sample is mostly best on all, not always: the others may raise "
            "a curve. It takes the longer, the more items there are.",
        ):
            st.rerun()
