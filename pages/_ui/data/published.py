"""Published data sets on the Data page: their terms, then a press fetches one, then it is read."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from mips_core import DataError
from mips_core.base.progress import Progress
from mips_core.base.text import memory
from mips_core.data.published.entries import FIRST_WORDS, PUBLISHED, PublishedSet
from mips_core.data.published.fetch import by_hand, fetch, files_of, placed
from mips_core.data.queries import QueryRecipe, QuerySource
from pages._ui.data.draft import Draft, take_files
from pages._ui.parts import progress
from pages._ui.parts.folder_files import SharedFile
from pages._ui.state import app_state
from pages._ui.text.widgets import plain
from pages._ui.work import jobs

USERS, WORDS = 60_000, 2_000  # queries of the paper: users, and words
CLEAN, NOISY = "Clean", "Noisy"
RANKS = (150, 300)  # of the PureSVD of MovieLens, and of Netflix


@dataclass(frozen=True)
class PublishedFile(SharedFile):
    """A file of a published set, which all visitors may read. Its key changes with its content."""

    name: str
    size: int  # bytes
    key: Hashable
    place: Path

    @classmethod
    def of(cls, path: Path) -> "PublishedFile":
        """The file at `path` as it is now."""
        status = path.stat()
        key = (str(path), status.st_size, status.st_mtime_ns)
        return cls(path.name, status.st_size, key, path)

    def path(self) -> Path:
        """Where it lies. Raises DataError where it is gone."""
        if not self.place.is_file():
            raise DataError(f"{self.name} is gone from the cache folder.", "Fetch it again.")
        return self.place


def draw(draft: Draft) -> None:
    """Which sets there are, on what terms, and how the one chosen is fetched and read."""
    app_state.set_widget("data published", draft.published)
    st.selectbox(
        "Published data",
        list(PUBLISHED),
        format_func=lambda key: f"{PUBLISHED[key].label} · {_size(PUBLISHED[key])}",
        key="data published",
        on_change=_choose,
        args=(draft,),
    )
    entry = PUBLISHED[draft.published]
    st.markdown(plain(entry.about))
    st.markdown(f"**Licence.** {plain(entry.licence)}: {plain(entry.terms)}")
    job = jobs.find(_key(entry))
    if files_of(entry) is not None:
        _draw_ready(draft, entry)
    elif job is not None and job.active and not job.stop:
        st.fragment(_watch, run_every=progress.EAGER)(entry)
    else:
        if job is not None and job.goes_on:
            st.info(progress.FOR_YOU)
        elif job is not None and job.state == "failed":
            st.error(plain(job.error))
        elif job is not None and job.state == "cancelled":
            st.info("**Cancelled.** What came is kept; fetch it again to go on from there.")
        _draw_absent(entry)


def _size(entry: PublishedSet) -> str:
    return memory(entry.archive.size) if entry.archive else "placed by hand"


def _choose(draft: Draft) -> None:
    draft.published = app_state.widget("data published")
    take_files(draft, ())


def _key(entry: PublishedSet) -> Hashable:
    return ("published", entry.key)


def _draw_absent(entry: PublishedSet) -> None:
    """Fetch, or place by hand: nothing is asked of another machine before the press."""
    archive, here = entry.archive, placed(entry)
    if here is not None:
        label, told = "Unpack it", f"{plain(here.name)} lies in the folder."
    elif archive is not None:
        label = f"Fetch {memory(archive.size)}"
        told = f"Asks {plain(archive.host)}, on the terms above; its checksum is compared."
    else:
        label = told = ""
    if label:
        st.button(label, type="primary", key="data fetch", on_click=_fetch, args=(entry,))
        st.caption(told)
    with st.expander("Place it by hand", expanded=archive is None):
        st.markdown(plain(by_hand(entry)))
        st.button("Look again", key="data look", help="Whether it lies there now.")


def _fetch(entry: PublishedSet) -> None:
    """Fetch it, or wait with whoever does."""
    owner = app_state.current().owner
    job = jobs.find(_key(entry))
    if job is not None:
        jobs.forget(job)

    def work(progress: Progress) -> tuple[str, ...]:
        return tuple(str(path) for path in fetch(entry, progress=progress))

    jobs.start(_key(entry), f"Fetching {entry.label}", work, owner, lane="fetch")


def _watch(entry: PublishedSet) -> None:
    job = jobs.find(_key(entry))
    if job is None or not job.active or job.stop:
        st.rerun()
    else:
        jobs.join(job, app_state.current().owner)
    progress.bar(job, "data fetch cancel")


def _draw_ready(draft: Draft, entry: PublishedSet) -> None:
    """One press reads it and asks what the paper asks."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if entry.kind == "vectors":
            st.segmented_control(
                "Queries",
                [CLEAN, NOISY],
                default=CLEAN,
                key="data published queries",
                required=True,
            )
        else:
            st.segmented_control(
                "Rank",
                RANKS,
                default=entry.rank,
                key=f"data published rank {entry.key}",
                required=True,
                help="Of the PureSVD that makes vectors of users and items. The paper took 150 for "
                "MovieLens and 300 for Netflix.",
            )
        st.button(
            "Read it as the paper does", type="primary", key="data protocol",
            on_click=_read, args=(draft, entry),
        )  # fmt: skip
    if entry.kind == "ratings":
        st.caption(
            f"Vectors by PureSVD; {USERS:,} random users as queries, or all there are; titles as "
            "labels."
        )
    else:
        st.caption(
            f"The first {FIRST_WORDS:,} words; {WORDS:,} of them as queries, as they are or with "
            "noise."
        )


def protocol(entry: PublishedSet, source: QuerySource) -> QueryRecipe:
    """What the paper asks of a set (Auvolat et al. 2015, sections 5.1 and 5.2)."""
    if entry.kind == "ratings":
        return QueryRecipe(source="own", count=USERS)
    return QueryRecipe(source=source, count=WORDS)


def _read(draft: Draft, entry: PublishedSet) -> None:
    source: QuerySource = "rows"
    if entry.kind == "vectors" and app_state.widget("data published queries") == NOISY:
        source = "noisy"
    rank = entry.rank
    if entry.kind == "ratings":
        rank = app_state.widget(f"data published rank {entry.key}")
    files = tuple(PublishedFile.of(path) for path in files_of(entry) or ())
    take_files(draft, files)
    if files:
        how = draft.interpretation
        draft.interpretation = replace(how, kind=entry.kind, rank=rank)
        draft.name, draft.recipe = entry.label, protocol(entry, source)
