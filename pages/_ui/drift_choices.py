"""What the Drift page asks for: the index, what changes, what may be lost, a new version."""

import streamlit as st

from mips_core.params import params_of
from pages._ui import data_files, drift_work, kept_index, session
from pages._ui.data_facts import megabytes
from pages._ui.drift_view import DriftView
from pages._ui.widgets import plain, short

CHANGES = {"moved": "Vectors move", "new": "New items", "version": "A new version"}
NUMBERS = ("tolerance", "rounds")


def choose() -> None:
    """Draw all of it. Keys hold the value, as in the context bar."""
    chosen = session.current()
    view = drift_work.view_of(chosen)
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        kept_index.choose(width=380)
        _effort()
        declared = params_of(view)["change"]
        key = f"drift change {view.change}"
        st.segmented_control(
            declared.label,
            CHANGES,
            default=view.change,
            format_func=CHANGES.__getitem__,
            key=key,
            on_change=_take_change,
            args=(key,),
            required=True,
            help=declared.help,
        )
        with st.container(width="content", gap="xxsmall"):
            st.markdown(":small[Details]")
            with st.popover("More", width="content"):
                for name in NUMBERS:
                    _number(view, name)
    if view.change == "version":
        _upload(view)


def _effort() -> None:
    chosen = session.current()
    effort = drift_work.effort_of(chosen)
    key = f"drift effort {chosen.index.key} {effort}"
    st.number_input(
        chosen.index.effort_name,
        1,
        max(chosen.source.n, effort),
        effort,
        key=key,
        on_change=_take_effort,
        args=(key,),
        width=130,
        help=f"{chosen.index.effort_help} It stays the same while vectors change.",
    )


def _take_effort(key: str) -> None:
    """A field that is gone may report its old value once more."""
    chosen = session.current()
    if key == f"drift effort {chosen.index.key} {drift_work.effort_of(chosen)}":
        chosen.effort = session.widget(key)


def _take_change(key: str) -> None:
    chosen, picked = session.current(), session.widget(key)
    if picked and key == f"drift change {drift_work.view_of(chosen).change}":
        drift_work.change(chosen, change=picked)


def _number(view: DriftView, name: str) -> None:
    declared, value = params_of(view)[name], getattr(view, name)
    key = f"drift {name} {value}"
    whole = isinstance(value, int)
    number = int if whole else float
    st.number_input(
        declared.label,
        number(declared.low),
        number(declared.high),
        value,
        number(1) if whole else 0.5,
        key=key,
        on_change=_take_number,
        args=(key, name),
        width=170,
        help=declared.help,
    )


def _take_number(key: str, name: str) -> None:
    chosen = session.current()
    if key == f"drift {name} {getattr(drift_work.view_of(chosen), name)}":
        drift_work.change(chosen, **{name: session.widget(key)})


def _upload(view: DriftView) -> None:
    """The files of the data as they are now."""
    key = f"drift files {view.round}"
    st.file_uploader(
        "The data as they are now",
        accept_multiple_files=True,
        key=key,
        on_change=_take_files,
        args=(key,),
        help="Vectors of the same model, read as on the Data page. Rows are matched by label where "
        "both have labels, else by row number.",
    )
    for file in view.upload or ():
        st.markdown(f"{plain(short(file.name))} · {megabytes(file.size)}")


def _take_files(key: str) -> None:
    """Keep what was uploaded on disk, in place of what came before."""
    chosen, uploads = session.current(), session.widget(key)
    view = drift_work.view_of(chosen)
    if not uploads or key != f"drift files {view.round}":
        return
    data_files.remove(view.upload or ())
    try:
        files = data_files.store(uploads)
    except OSError:
        files = ()
    drift_work.change(chosen, upload=files, round=view.round + 1)
