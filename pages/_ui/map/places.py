"""Where the items stand now: the layout asked for, the best there is so far, and how it comes."""

from functools import lru_cache
from typing import Any

import streamlit as st

from mips_core import Dataset, Index, MipsError
from mips_core.base.progress import Progress
from mips_core.base.text import counted
from mips_core.groups.projection import Layout, ProjectionRecipe, pca_layout, project
from mips_core.groups.projection.pca import pca_note
from mips_core.groups.projection.run import framed
from mips_core.methods.reductions import Reduction
from mips_core.studies.map_forecast import refuse_large_map
from pages._ui.map import estimate
from pages._ui.parts import progress
from pages._ui.parts.map_space import Space, content
from pages._ui.state.map_state import MapState
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal
from pages._ui.work import jobs
from pages._ui.work.job import Job
from pages._ui.work.task import Task, is_quick

PAGE = "map"
NEAR = {
    "index": "near means near for the index",
    "cosine": "near means pointing the same way",
    "given": "near means near as the vectors are",
}


def state_of(session: Session) -> MapState:
    """What this visitor chose on the page."""
    state: MapState = session.states[PAGE]
    return state


def wanted(session: Session) -> Task[Layout]:
    """The layout asked for."""
    state = state_of(session)
    make = umap if state.layout == "umap" else pca
    return make(session.dataset, space_of(state, session.index))


def ask(session: Session) -> Layout | None:
    """The layout asked for, or the best there is so far; it is started where it was not.

    None where nothing can be drawn yet. What would not fit in memory is not started. Raises
    MipsError where even PCA cannot be made.
    """
    task, fits = wanted(session), too_large(session) is None
    _end_another(session, task)
    job = _job_of(session, task)
    best = task.result
    if best is None and fits and (job is None or job is not session.stopped.get(PAGE)):
        if job is not None and job.state == "cancelled":
            jobs.forget(job)  # by another visitor, or for another picture
        best = task.ask(session.owner)
        job = task.job
    if best is None and job is not None:
        best = job.partial
    if best is None:  # in a second, even of a million items
        dataset, space = session.dataset, space_of(state_of(session), session.index)
        refuse_large_map(space.recipe, dataset.n, dataset.d, "pca")
        best = pca(dataset, space).ask(session.owner)
    return best


def best(session: Session) -> Layout | None:
    """The layout asked for, as far as it has come; nothing is started for it."""
    task = wanted(session)
    job, layout = _job_of(session, task), task.result
    return layout if layout is not None or job is None else job.partial


def too_large(session: Session) -> MipsError | None:
    """Why the layout asked for is not made, where it would not fit in memory."""
    dataset, state = session.dataset, state_of(session)
    try:
        recipe = space_of(state, session.index).recipe
        refuse_large_map(recipe, dataset.n, dataset.d, state.layout)
    except MipsError as error:
        return error
    return None


def under_way(session: Session) -> bool:
    """Whether a better layout is still to come."""
    task = wanted(session)
    job = _job_of(session, task)
    waits = task.result is None and (job is None or job.active)
    return waits and too_large(session) is None


def draw_status(session: Session, layout: Layout | None) -> None:
    """Over the map: what its layout is; how far it is, with Cancel; or why it ended early."""
    task = wanted(session)
    job = _job_of(session, task)
    large = too_large(session) if task.result is None else None
    with st.container(horizontal=True, vertical_alignment="center", key="map-status"):
        if large is not None:
            st.error(refusal(large))
        elif layout is not None and (job is None or task.result is not None):
            st.caption(in_words(session, layout))
        elif job is not None and job.active:
            st.progress(min(job.fraction, 1.0), text=_how_far(job))
            if st.button("Cancel", key="cancel map", on_click=_cancel, args=(session, job)):
                st.rerun()
        elif job is not None:
            _draw_ended(session, job, layout)


def _draw_ended(session: Session, job: Job, layout: Layout | None) -> None:
    if job.state == "cancelled":
        st.info(f"**Cancelled{_at_epoch(layout)}** The picture stays as it is.")
    elif job.state == "failed":
        st.error(f"**This map could not be made.** {plain(job.error)}")
    else:
        st.info("**The map does not fit into memory beside the others.** Close other pages.")
    if state_of(session).layout == "umap":
        draw_estimate(session)
    if st.button("Start again", key="again map", on_click=_again, args=(session, job)):
        st.rerun()


def draw_estimate(session: Session) -> None:
    """How long UMAP takes with what is chosen, if long; before it is begun, or begun again."""
    dataset, space = session.dataset, space_of(state_of(session), session.index)
    estimate.draw(dataset, space.recipe, umap(dataset, space))


def in_words(session: Session, layout: Layout) -> str:
    """UMAP of 20,000 items by 15 neighbours each; near means near for the index.

    Where there are not as many items, the layout says so itself.
    """
    state, items = state_of(session), counted(session.dataset.n, "item", "items")
    if layout.method == "pca":
        return f"PCA of {items}; {NEAR[state.space]}."
    by = f" by {state.neighbours} neighbours each" if state.neighbours < session.dataset.n else ""
    return f"UMAP of {items}{by}; {NEAR[state.space]}."


def _job_of(session: Session, task: Task[Layout]) -> Job | None:
    """The job of the layout; for who cancelled it that one, even if others go on with another."""
    stopped = session.stopped.get(PAGE)
    return stopped if isinstance(stopped, Job) and stopped.key == task.key else task.job


def _end_another(session: Session, task: Task[Layout]) -> None:
    """One map at a time: end what this visitor let begin for choices that were left."""
    for job in jobs.of(session.owner):
        if isinstance(job.key, tuple) and job.key[:2] == ("map", "umap") and job.key != task.key:
            jobs.cancel(job, session.owner)


def _how_far(job: Job) -> str:
    waits = progress.how_far(job) if job.state == "waiting" else plain(job.message or "starting")
    return f"**Map** · {waits}"


def _at_epoch(layout: Layout | None) -> str:
    at = f" at epoch {layout.epoch}" if layout is not None and layout.epoch else ""
    return f"{at}."


def _cancel(session: Session, job: Job) -> None:
    session.stopped[PAGE] = jobs.cancel(job, session.owner)


def _again(session: Session, job: Job) -> None:
    session.stopped.pop(PAGE, None)
    jobs.forget(job)


def space_of(state: MapState, index: Index) -> Space:
    """The recipe `state` asks for; the reduction counts only where near is near for the index.

    The seed of the builds does not move the map, so that builds can be compared on it.
    """
    reduction = getattr(index, "reduction", None) if state.space == "index" else None
    return _space(state.space, state.neighbours, state.apart, state.speed, reduction)


@lru_cache(maxsize=256)  # asked for eleven times a drawing
def _space(
    space: Any, neighbours: int, apart: float, mode: Any, reduction: Reduction | None
) -> Space:
    recipe = ProjectionRecipe(space=space, n_neighbors=neighbours, min_dist=apart, mode=mode)
    return Space(recipe, reduction)


def umap(dataset: Dataset, space: Space) -> Task[Layout]:
    """UMAP's layout, with better and better ones on the way."""

    def make(progress: Progress) -> Layout:
        return project(dataset, space.recipe, space.reduction, progress)

    return Task(("map", "umap", *content(dataset), space), "Map", make, "child")


def pca(dataset: Dataset, space: Space) -> Task[Layout]:
    """The straight shadow of the data."""

    def make(progress: Progress) -> Layout:
        xy = pca_layout(space.rows(dataset), progress)
        return Layout(framed(xy), "pca", note=pca_note(xy))

    key = ("map", "pca", *content(dataset), space.recipe.space, space.reduction)
    return Task(key, "Map", make, "show", is_quick(dataset))
