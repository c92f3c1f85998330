"""Opening an index file on the Build page: what came of it, and what can be done with it."""

import streamlit as st

from mips_core import DataError, MipsError, StoredIndex
from mips_core.base.limits import MAX_FILE_BYTES
from mips_core.base.text import counted
from mips_core.data.dataset import Metric
from mips_core.data.metrics import MEASURES
from mips_core.evaluation.setting import index_in_words
from pages._ui.build import opened_file
from pages._ui.build.opened_file import OpenedFile
from pages._ui.parts.progress import EAGER
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, plain, refusal, short
from pages._ui.work.job import Job

UNCHANGED = "Your data and indexes are unchanged."


def draw() -> None:
    """The place to drop a file, and what came of the last one."""
    session = app_state.current()
    opening = opened_file.of(session)
    st.subheader("Open an index", anchor=False)
    limit = min(int(st.get_option("server.maxUploadSize")), MAX_FILE_BYTES // 2**20)
    key = f"open index {opening.round}"
    st.file_uploader(
        "A file ending in .mips",
        key=key,
        on_change=_take,
        args=(key,),
        help=f"An index that was saved here or by mips_core, up to {limit:,} MB. It is checked "
        "before it is used, and nothing is built again.",
    )
    if opening.problem:
        st.error(f"{opening.problem} {UNCHANGED}")
    if opening.file is None:
        return
    if opening.used is None:
        opened_file.read(opening, session.owner)
        _outcome(session, opening)
    else:
        _say_used(session, opening, opening.used)


def _take(key: str) -> None:
    """Keep what was uploaded on disk, and empty the uploader: Streamlit would keep it in memory."""
    upload, session = app_state.widget(key), app_state.current()
    opening = opened_file.of(session)
    if upload is None or key != f"open index {opening.round}":
        return
    try:
        opened_file.take(session, upload)
    except DataError as error:
        opening.problem = refusal(error)


def _outcome(session: Session, opening: OpenedFile) -> None:
    job, content = opening.job, opening.found
    if isinstance(content, StoredIndex):
        _draw_found(session, opening, content)
    elif isinstance(content, MipsError):
        st.error(refusal(content, UNCHANGED))
    elif job is not None and job.active:
        st.fragment(_watch, run_every=EAGER)(job)
    elif job is not None:
        st.error(f"**{plain(job.error or 'Cancelled.')}** {UNCHANGED}")


def _watch(job: Job) -> None:
    """How far a file is read."""
    if not job.active:
        st.rerun()
    st.progress(min(job.fraction, 1.0), plain(job.message or job.label))


def _draw_found(session: Session, opening: OpenedFile, stored: StoredIndex) -> None:
    """Use it where the data in use are its own; else say what it is of, and what can be done."""
    metric = opened_file.metric_of_use(session, stored)
    if metric == session.metric:
        _use(session, stored, metric)
        st.rerun()
    name = plain(short(opening.file.name if opening.file else ""))
    st.info(f"**{name}** holds {_in_words(stored)}, built on {_data_in_words(stored)}.")
    if metric is not None:
        st.markdown(f"Your data are its own, searched by {MEASURES[session.metric].noun} now.")
        label = f"Search by {MEASURES[metric].noun}, with this index"
        _button(label, session, stored, metric)
    elif stored.has_items:
        st.markdown("It holds its vectors. Your own data stay as they are until you use these.")
        _button("Use its vectors and this index", session, stored, None)
    else:
        st.markdown(
            "It does not hold its vectors, and the data in use are others. Open its data on "
            "Data, then come back: the file stays here."
        )
        st.page_link(PAGES / "data.py", label="Open its data")


def _button(label: str, session: Session, stored: StoredIndex, metric: Metric | None) -> None:
    st.button(
        label,
        type="primary",
        key="use opened",
        on_click=_use,
        args=(session, stored, metric),
        width="stretch",
    )


def _use(session: Session, stored: StoredIndex, metric: Metric | None) -> None:
    """Use it by this metric, or with its own vectors; why not is drawn at the next run."""
    opening = opened_file.of(session)
    try:
        if metric is None:
            opened_file.use_with_data(session, stored)
        else:
            opened_file.use(session, stored, metric)
    except MipsError as error:
        opened_file.drop(session)
        opening.problem = refusal(error)


def _say_used(session: Session, opening: OpenedFile, stored: StoredIndex) -> None:
    """That it is in use, while it is."""
    index = stored.index.explicit(stored.n)
    measurement = session.measurement_of(index)
    if (
        index in session.kept
        and measurement.opened == opening.digest
        and measurement.seed == stored.seed
    ):
        name = plain(short(opening.file.name if opening.file else ""))
        st.success(f"**{name} is open.** {_in_words(stored)}. Nothing was built again.")


def _in_words(stored: StoredIndex) -> str:
    """Flat k-means, 141 clusters, 10 probes, seed 0."""
    effort, nouns = stored.effort, stored.index.effort_nouns
    efforts = [] if effort is None else [counted(effort, *nouns)]
    words = [stored.index.label, index_in_words(stored.index, stored.n), *efforts]
    return plain(", ".join([*words, f"seed {stored.seed}"]))


def _data_in_words(stored: StoredIndex) -> str:
    """What it was built on: GloVe, 20,000 × 50, by cosine, simulated."""
    by = "" if stored.metric == "inner product" else f", by {MEASURES[stored.metric].noun}"
    size = f"{stored.n:,} × {stored.d:,}{by}{', simulated' if stored.simulated else ''}"
    return f"{plain(short(stored.name))}, {size}"
