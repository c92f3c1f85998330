"""Files uploaded together on the Data page: what may come, what came, and what is taken away."""

import streamlit as st

from mips_core.base.limits import MAX_FILE_BYTES
from mips_core.data.readers import readable
from pages._ui.data import draft as data_draft
from pages._ui.data.draft import Draft
from pages._ui.parts.data_facts import megabytes
from pages._ui.state import app_state
from pages._ui.text.widgets import plain, short
from pages._ui.work import data_files
from pages._ui.work.data_file import File

ONLY_SO_MANY = 8  # files listed by name
RATINGS = (
    "Who rated what: MovieLens, Netflix, RecBole and HetRec files, tables of user, item and rating "
    "in CSV, TSV, Parquet or JSON Lines, matrices of users × items; also with titles."
)


def draw(draft: Draft) -> None:
    """Files to upload: one drop, one data set."""
    limit = min(int(st.get_option("server.maxUploadSize")), MAX_FILE_BYTES // 2**20)
    key = f"data files {draft.round}"
    st.file_uploader(
        "Files that belong together",
        accept_multiple_files=True,
        key=key,
        on_change=_take_uploads,
        args=(draft, key),
        help="Vectors alone, or with their queries, labels or metadata; W, b and hidden states of "
        "a classifier; ratings alone, or with titles. A .zip of such files too.",
    )
    st.caption(
        f"Up to {limit:,} MB a file; a larger one turns red and is not taken. Files stay on the "
        "machine this app runs on."
    )
    with st.expander("What can be read"):
        st.markdown(f"**Vectors.** {plain(readable())}  \n**Ratings.** {plain(RATINGS)}")
    if draft.reads:
        with st.container(gap="xsmall"):
            _draw_files(draft)


def _draw_files(draft: Draft) -> None:
    """The files that were uploaded, each with a button that takes it away."""
    for number, file in enumerate(draft.reads[:ONLY_SO_MANY]):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"{plain(short(file.name))} · {megabytes(file.size)}", width="content")
            st.button(
                "✕",
                key=f"data remove {draft.round} {number}",
                type="tertiary",
                on_click=_remove,
                args=(draft, number),
                help=f"Take {plain(short(file.name))} away",
            )
    more = len(draft.reads) - ONLY_SO_MANY
    if more > 0:
        st.caption(f"and {more:,} more")
    if not all(file.here for file in draft.reads):  # used already: there is nothing to add to
        return
    app_state.set_widget("data adding", draft.adding)
    st.toggle(
        "Add the next upload to these files",
        key="data adding",
        on_change=_take_adding,
        args=(draft,),
        help="Off: the next upload takes their place.",
    )


def _take_adding(draft: Draft) -> None:
    draft.adding = app_state.widget("data adding")


def _remove(draft: Draft, number: int) -> None:
    files = draft.reads
    data_draft.take_files(draft, files[:number] + files[number + 1 :])


def _take_uploads(draft: Draft, key: str) -> None:
    """Keep what was uploaded on disk, and empty the uploader: Streamlit would keep it in memory."""
    uploads = app_state.widget(key)
    if not uploads or key != f"data files {draft.round}":
        return
    draft.round += 1
    try:
        files: tuple[File, ...] = data_files.store(uploads)
    except OSError as error:
        data_draft.take_files(draft, draft.reads if draft.adding else ())
        draft.problem = f"**The upload could not be stored: {plain(error.strerror or '')}.**"
        return
    if draft.adding:  # of two files with one name, the later counts
        files = tuple({file.name: file for file in (*draft.reads, *files)}.values())
    data_draft.take_files(draft, files)
