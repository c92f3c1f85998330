"""Where data come from on the Data page: a shipped set, or files of the visitor's own."""

from collections.abc import Hashable

import streamlit as st

from mips_core.catalog import CATALOG
from mips_core.limits import MAX_FILE_BYTES
from mips_core.readers import readable
from pages._ui import data_draft, data_reading, jobs, session
from pages._ui.data_draft import Draft
from pages._ui.data_files import Upload
from pages._ui.job import Job
from pages._ui.widgets import plain, refusal

UNCHANGED = "Your current data is unchanged."
SECOND = "Queries or labels for them (optional)"


def draw_origin(draft: Draft) -> None:
    """Shipped, or uploaded."""
    session.set_widget("data origin", draft.origin)
    st.segmented_control(
        "Source",
        [data_draft.SHIPPED, data_draft.UPLOAD],
        required=True,
        key="data origin",
        on_change=_take_origin,
        label_visibility="collapsed",
    )


def draw_shipped(draft: Draft) -> None:
    """The catalog, one to choose."""
    session.set_widget("data shipped", draft.shipped)
    st.radio(
        "Shipped data",
        list(CATALOG),
        format_func=_label,
        captions=[source.description for source in CATALOG.values()],
        key="data shipped",
        on_change=_take_shipped,
    )
    chosen = CATALOG[draft.shipped]
    st.caption(f"Origin: {plain(chosen.origin)}. Licence: {plain(chosen.licence)}.")


def draw_upload(draft: Draft) -> None:
    """Files to upload, and how reading them goes."""
    limit = min(int(st.get_option("server.maxUploadSize")), MAX_FILE_BYTES // 2**20)
    first = _uploader("Vectors", f"data vectors {draft.round}")
    st.caption(
        f"Up to {limit:,} MB a file. {plain(readable())} They stay on the machine this app runs on."
    )
    second = None
    if first is not None:
        second = _uploader(SECOND, f"data second {draft.round}")
    files = [file for file in (first, second) if file is not None]
    try:
        if files:
            key = data_reading.key_of(files)
            if draft.reading != key:
                draft.reading, draft.recipe = key, None
            data_reading.start(files, key, session.current().owner)
    except OSError as error:
        st.error(f"**The upload could not be stored: {plain(error.strerror or '')}.** {UNCHANGED}")
    if draft.reading is not None:
        _draw_reading(draft.reading)


def _label(key: str) -> str:
    source = CATALOG[key]
    said = "simulated" in source.label.lower()
    return plain(source.label) + (" · simulated" if source.simulated and not said else "")


def _uploader(label: str, key: str) -> Upload | None:
    return st.file_uploader(label, key=key, on_change=_take_file, args=(key,))


def _draw_reading(key: Hashable) -> None:
    job = data_reading.settle(key)
    found = data_reading.result(key)
    if isinstance(found, data_reading.Refused):
        st.error(refusal(found.error, UNCHANGED))
    elif found is None and job is not None and job.active and not job.stop:
        st.fragment(_watch, run_every=0.5)(job)
    elif found is None and job is not None:
        _draw_stopped(job)


def _watch(job: Job) -> None:
    """How far a reading job is; looks again twice a second."""
    if not job.active or job.stop:
        st.rerun()
    ahead = jobs.ahead_of(job) if job.state == "waiting" else 0
    text = job.message or job.label
    if ahead:
        text = f"Waiting behind {ahead} other job{'s' * (ahead != 1)}"
    st.progress(job.fraction, plain(text))
    if st.button("Cancel", key="data cancel"):
        data_reading.cancel(job)
        st.rerun()


def _draw_stopped(job: Job) -> None:
    if job.state == "failed":
        st.error(f"**{plain(job.error)}** {UNCHANGED}")
    else:
        st.info(f"**Cancelled.** Nothing was read. {UNCHANGED}")
    if st.button("Read it again", key="data again", disabled=job.active):
        jobs.forget(job)
        st.rerun()


def _take_origin() -> None:
    draft = data_draft.of(session.current())
    draft.origin, draft.recipe = session.widget("data origin") or draft.origin, None


def _take_shipped() -> None:
    draft = data_draft.of(session.current())
    draft.shipped, draft.recipe = session.widget("data shipped"), None


def _take_file(key: str) -> None:
    """A file came, or was taken away: what was read before belongs to it no longer."""
    draft = data_draft.of(session.current())
    draft.reading, draft.recipe = None, None
