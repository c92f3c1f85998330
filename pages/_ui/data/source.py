"""Where data come from on the Data page: shipped or published sets, uploads, the data folder."""

import streamlit as st

from mips_core import DataError
from mips_core.base.limits import MAX_FILE_BYTES, MAX_UPLOADED_BYTES
from mips_core.data.catalog import CATALOG
from mips_core.data.readers import readable
from pages._ui.data import earlier_list, published
from pages._ui.data.draft import EARLIER, PUBLISHED, Draft, come_back, take_files
from pages._ui.parts import folder_files
from pages._ui.parts.data_facts import megabytes
from pages._ui.parts.folder_files import FOLDER, SHIPPED, UPLOAD, FolderFile
from pages._ui.state import app_state
from pages._ui.text.widgets import plain, refusal, short
from pages._ui.work import data_files
from pages._ui.work.data_files import File

ONLY_SO_MANY = 8  # files listed by name
RATINGS = (
    "Who rated what: MovieLens, Netflix, RecBole and HetRec files, tables of user, item and rating "
    "in CSV, TSV, Parquet or JSON Lines, matrices of users × items; also with titles."
)


def draw_origin(draft: Draft) -> None:
    """Shipped, published, uploaded, or from the folder named at start, if one was."""
    if app_state.newly_drawn("data origin"):
        come_back(draft)
    folder = [FOLDER] if folder_files.named() else []
    origins = [SHIPPED, PUBLISHED, UPLOAD, *folder, EARLIER]
    app_state.set_widget("data origin", draft.origin)
    st.segmented_control(
        "Source",
        origins,
        required=True,
        key="data origin",
        on_change=_take_origin,
        args=(draft,),
        label_visibility="collapsed",
    )


def draw(draft: Draft) -> None:
    """What there is to choose from, by origin."""
    if draft.origin == SHIPPED:
        _draw_shipped(draft)
    elif draft.origin == PUBLISHED:
        published.draw(draft)
    elif draft.origin == UPLOAD:
        _draw_upload(draft)
    elif draft.origin == FOLDER:
        _draw_folder(draft)
    else:
        earlier_list.draw()


def _draw_shipped(draft: Draft) -> None:
    """The catalog, one to choose."""
    app_state.set_widget("data shipped", draft.shipped)
    st.radio(
        "Shipped data",
        list(CATALOG),
        format_func=_label,
        captions=[source.description for source in CATALOG.values()],
        key="data shipped",
        on_change=_take_shipped,
        args=(draft,),
    )
    source = CATALOG[draft.shipped]
    st.caption(f"Origin: {plain(source.origin)}. Licence: {plain(source.licence)}.")


def _label(key: str) -> str:
    source = CATALOG[key]
    said = "simulated" in source.label.lower()
    return plain(source.label) + (" · simulated" if source.simulated and not said else "")


def _take_origin(draft: Draft) -> None:
    draft.origin = app_state.widget("data origin") or draft.origin
    draft.recipe, draft.problem = None, ""


def _take_shipped(draft: Draft) -> None:
    draft.shipped, draft.recipe = app_state.widget("data shipped"), None


def _draw_upload(draft: Draft) -> None:
    """Files to upload: one drop, one data set."""
    most = min(MAX_FILE_BYTES, MAX_UPLOADED_BYTES) // 2**20
    limit = min(int(st.get_option("server.maxUploadSize")), most)
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
        f"Up to {limit:,} MB a file; one that turns red is larger. Files stay on the machine this "
        "app runs on."
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
    take_files(draft, files[:number] + files[number + 1 :])


def _take_uploads(draft: Draft, key: str) -> None:
    """Take what was uploaded, and empty the uploader; where that fails, all stays as it was."""
    uploads = app_state.widget(key)
    if not uploads or key != f"data files {draft.round}":
        return
    draft.round += 1
    try:
        files: tuple[File, ...] = data_files.store(uploads)
    except DataError as error:
        draft.problem = refusal(error)
        return
    if draft.adding:  # of two files with one name, the later counts
        files = tuple({file.name: file for file in (*draft.reads, *files)}.values())
    take_files(draft, files)


def _draw_folder(draft: Draft) -> None:
    """Files to choose, one or several that belong together."""
    names = [file.name for file in draft.reads]
    folder_files.choose("data folder files", names, lambda *given: _take_folder(draft, *given))


def _take_folder(draft: Draft, files: tuple[FolderFile, ...], problem: str) -> None:
    if problem:
        draft.problem = problem
    else:
        take_files(draft, files)
