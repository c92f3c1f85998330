"""Measured evaluations that can be kept as runs, and the runs a link asks for that are not here."""

from collections.abc import Sequence

from mips_core.base.limits import MAX_K
from mips_core.data.queries import QueryRecipe
from mips_core.studies.runs import Run, groups_of
from pages._ui.compare import runs_shelf, work
from pages._ui.compare.runs_link import Wanted
from pages._ui.state import wishes
from pages._ui.state.session import Session
from pages._ui.state.settings import grid_of, settings_of
from pages._ui.work.measurement import Measurement

USUAL_KS = (1, 10, 100)
NEXT = -1500.0  # before what other sections asked for: the link is about these


def measured(session: Session) -> list[Measurement]:
    """All settings of this session that are measured on its data, that under the slider first."""
    indexes = [session.index, *session.kept, *settings_of(session).all]
    indexes += [index for key in session.methods for index in grid_of(session, key)]
    asked_for = [*map(session.measurement_of, indexes), *work.wanted(session)]
    by_key = {asked.key: asked for asked in asked_for}
    return [asked for asked in by_key.values() if asked.result is not None]


def ks_of(session: Session, asked: Measurement) -> tuple[int, ...]:
    """Every K a run of this visitor is read off at."""
    if asked.index.depends_on_k:
        return (asked.K,)
    most = min(MAX_K, asked.dataset.available)
    return tuple(sorted({K for K in (*USUAL_KS, session.K) if most >= K}))


def run_of(session: Session, asked: Measurement, name: str) -> Run | None:
    """The run of what this visitor has measured, or None where it is forgotten meanwhile."""
    return _run(asked, ks_of(session, asked), name, session.data, session.recipe)


def _run(
    asked: Measurement, ks: Sequence[int], name: str, source: str, recipe: QueryRecipe | None
) -> Run | None:
    tried, built = asked.result, asked.built
    if tried is None:
        return None
    groups = None
    if built is not None:
        groups = groups_of(asked.index, asked.index.searcher(built.structure))
    return Run.of(
        tried.evaluation,
        asked.dataset,
        ks,
        name=name,
        seconds=tried.seconds if tried.seconds < float("inf") else None,  # of one opened
        bytes=tried.bytes,
        groups=groups,
        source=source,
        queries=recipe,
    )


def take_measured(session: Session) -> bool:
    """Keep the runs of the link that are measured by now, and start the others.

    Whether any of them is still to come.
    """
    wanted = _here(session)
    for one, asked in list(wanted.items()):
        run = _run(asked, one.ks, one.name, one.source, one.recipe)
        if run is not None and runs_shelf.room(session):
            runs_shelf.add(session, [run])
            del wanted[one]
    wishes.want(session, "runs", [asked.key for asked in wanted.values()])
    for number, asked in enumerate(wanted.values()):
        asked.start(session.owner, NEXT + number)
    return any(asked.unsettled for asked in wanted.values())


def to_measure(session: Session) -> list[Measurement]:
    """What measures the runs of the link that are not kept here and whose data is here."""
    return list(_here(session).values())


def gone(session: Session) -> list[Wanted]:
    """The runs of the link whose data is not here."""
    here = _here(session)
    return [one for one in runs_shelf.missing(session) if one not in here]


def _here(session: Session) -> dict[Wanted, Measurement]:
    found = {one: one.measurement(session) for one in runs_shelf.missing(session)}
    return {one: asked for one, asked in found.items() if asked is not None}
