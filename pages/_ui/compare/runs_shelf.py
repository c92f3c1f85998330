"""The runs a visitor keeps: made of what is measured, renamed, deleted, brought back, linked."""

from collections.abc import Sequence
from dataclasses import replace

from mips_core.base.limits import MAX_K, MAX_RUNS, MAX_RUNS_TOGETHER
from mips_core.data.queries import QueryRecipe
from mips_core.studies.runs import Run, digest_of, groups_of, unique_name
from mips_core.studies.runs.run import check_texts
from pages._ui.compare import runs_link, work
from pages._ui.compare.runs_link import LinkedRun
from pages._ui.state import runs_state
from pages._ui.state.runs_state import OpenedFiles, RunsState, Shelf
from pages._ui.state.session import Session
from pages._ui.state.settings import grid_of, settings_of
from pages._ui.work.measurement import Measurement

USUAL_KS = (1, 10, 100)
NEXT = -1500.0  # before what other sections asked for: the link is about these


def state_of(session: Session) -> RunsState:
    """What this visitor asks of runs."""
    runs_state.hold(session.states)
    state: RunsState = session.states["runs"]
    return state


def runs_of(session: Session) -> tuple[Run, ...]:
    """The runs this visitor keeps."""
    shelf: Shelf | None = state_of(session).kept
    return () if shelf is None else shelf.runs


def lost(session: Session) -> bool:
    """Whether the link names kept runs that are not here any more."""
    return state_of(session).lost


def room(session: Session) -> int:
    """How many more runs can be kept."""
    return MAX_RUNS - len(runs_of(session))


def keep(session: Session, runs: Sequence[Run]) -> list[Run]:
    """Keep these as far as there is room, and lay them side by side; a name twice gets a number.

    What is kept already, to the last digit, is not kept again. Those that were added come back.
    """
    together = shown(session)
    added = add(session, runs)
    show(session, [*together, *added][:MAX_RUNS_TOGETHER])
    return added


def add(session: Session, runs: Sequence[Run]) -> list[Run]:
    """The same, without laying them side by side."""
    there = runs_of(session)
    added: list[Run] = []
    digests = {digest_of(run) for run in there}
    for run in runs:
        if digest_of(run) not in digests and len(there) + len(added) < MAX_RUNS:
            digests.add(digest_of(run))
            name = unique_name(run.name, [other.name for other in (*there, *added)])
            added.append(run if name == run.name else replace(run, name=name))
    _put(session, (*there, *added))
    return added


def rename(session: Session, run: Run, name: str, note: str) -> None:
    """Call a kept run otherwise, with another note. Raises ParamError where it cannot be so."""
    check_texts(name, note)
    others = [other.name for other in runs_of(session) if other is not run]
    renamed = replace(run, name=unique_name(name.strip(), others), note=note)
    together = [renamed if other is run else other for other in shown(session)]
    _put(session, tuple(renamed if other is run else other for other in runs_of(session)))
    show(session, together)


def delete(session: Session, run: Run) -> None:
    """Keep a run no longer; `bring_back` undoes it."""
    runs = runs_of(session)
    if run not in runs:
        return
    place, together, awaited = runs.index(run), shown(session), missing(session)
    _put(session, tuple(other for other in runs if other is not run))
    _ask_for(session, [other for other in together if other is not run], awaited)
    in_picture = any(other is run for other in together)
    session.states["runs"] = replace(state_of(session), deleted=(place, run, in_picture))


def bring_back(session: Session) -> None:
    """Put the run that was deleted last back where it was."""
    deleted = state_of(session).deleted
    if deleted is None or room(session) < 1:
        return
    place, run, in_picture = deleted
    runs, together = runs_of(session), shown(session)
    run = replace(run, name=unique_name(run.name, [other.name for other in runs]))
    _put(session, (*runs[:place], run, *runs[place:]))
    show(session, [*together, run][:MAX_RUNS_TOGETHER] if in_picture else together)


def show(session: Session, runs: Sequence[Run]) -> None:
    """Lay these kept runs side by side, and those of the link that are still to come."""
    _ask_for(session, runs, missing(session))


def tell(session: Session, refused: Sequence[str], said: str) -> None:
    """Remember what came of files that were opened."""
    state = state_of(session)
    opened = OpenedFiles(state.opened.round + 1, tuple(refused), said)
    session.states["runs"] = replace(state, opened=opened)


def give_up(session: Session) -> None:
    """Want the runs of the link that are not here no longer, nor the list it names."""
    _ask_for(session, shown(session), ())
    state = state_of(session)
    shelf = state.shelf if state.kept is not None else ""
    session.states["runs"] = replace(state, shelf=shelf, lost=False)


def shown(session: Session) -> list[Run]:
    """The kept runs that lie side by side, in their order."""
    return [run for run in _matched(session).values() if run is not None]


def missing(session: Session) -> list[runs_link.LinkedRun]:
    """The runs that the link lays side by side and that are not kept here."""
    return [wanted for wanted, run in _matched(session).items() if run is None]


def _matched(session: Session) -> dict[runs_link.LinkedRun, Run | None]:
    """Each run that is asked for with a kept one: of the same name, else of the same setting."""
    every = runs_link.wanted_of_all(state_of(session).shown)
    left = [
        (own, run) for run in runs_of(session) if every and (own := runs_link.wanted_of_run(run))
    ]
    matches: dict[runs_link.LinkedRun, Run | None] = dict.fromkeys(every)
    for exactly in (True, False):
        for wanted in every:
            if matches[wanted] is None:
                fits = (run for own, run in left if wanted.fits(own, run.data.n, exactly=exactly))
                matches[wanted] = next(fits, None)
                left = [entry for entry in left if entry[1] is not matches[wanted]]
    return matches


def _ask_for(session: Session, runs: Sequence[Run], more: Sequence[runs_link.LinkedRun]) -> None:
    text = runs_link.text_of_all(runs, more)
    session.states["runs"] = replace(state_of(session), shown=text)


def _put(session: Session, runs: tuple[Run, ...]) -> None:
    shelf = Shelf.of(runs) if runs else None
    name = shelf.name if shelf else ""
    state = state_of(session)
    session.states["runs"] = replace(state, shelf=name, kept=shelf, deleted=None)
    runs_state.hold(session.states)


def measured(session: Session) -> list[Measurement]:
    """All settings of this session that are measured on its data, that under the slider first."""
    indexes = [session.index, *session.kept, *settings_of(session).all]
    indexes += [index for key in session.methods for index in grid_of(session, key)]
    asked_for = [*map(session.measurement_of, indexes), *work.wanted(session)]
    by_key = {measurement.key: measurement for measurement in asked_for}
    return [measurement for measurement in by_key.values() if measurement.result is not None]


def ks_of(session: Session, measurement: Measurement) -> tuple[int, ...]:
    """Every K a run of this visitor is read off at."""
    if measurement.index.depends_on_k:
        return (measurement.K,)
    most = min(MAX_K, measurement.dataset.available)
    return tuple(sorted({K for K in (*USUAL_KS, session.K) if most >= K}))


def run_of(session: Session, measurement: Measurement, name: str) -> Run | None:
    """The run of what this visitor has measured, or None where it is forgotten meanwhile."""
    return run_from(measurement, ks_of(session, measurement), name, session.data, session.recipe)


def run_from(
    measurement: Measurement, ks: Sequence[int], name: str, source: str, recipe: QueryRecipe | None
) -> Run | None:
    """The same of any measurement, called `name`."""
    tried, built = measurement.result, measurement.built
    if tried is None:
        return None
    groups = None
    if built is not None:
        groups = groups_of(measurement.index, measurement.index.searcher(built.structure))
    return Run.of(
        tried.evaluation,
        measurement.dataset,
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
    for one, measurement in list(wanted.items()):
        run = run_from(measurement, one.ks, one.name, one.source, one.recipe)
        if run is not None and room(session):
            add(session, [run])
            del wanted[one]
    session.want("runs", [measurement.key for measurement in wanted.values()])
    for number, measurement in enumerate(wanted.values()):
        measurement.start(session.owner, NEXT + number)
    return any(measurement.unsettled for measurement in wanted.values())


def to_measure(session: Session) -> list[Measurement]:
    """What measures the runs of the link that are not kept here and whose data is here."""
    return list(_here(session).values())


def gone(session: Session) -> list[LinkedRun]:
    """The runs of the link whose data is not here."""
    here = _here(session)
    return [one for one in missing(session) if one not in here]


def _here(session: Session) -> dict[LinkedRun, Measurement]:
    measurements = {one: one.measurement(session) for one in missing(session)}
    return {
        one: measurement for one, measurement in measurements.items() if measurement is not None
    }
