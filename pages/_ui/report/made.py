"""The report on what is known now, made once for the same."""

from collections.abc import Hashable, Sequence

from mips_core import Evaluation, Report, report_of
from mips_core.data.catalog import CATALOG
from mips_core.report import Beside, Chosen, Origin
from mips_core.studies.robustness import RobustMethod
from pages._ui.parts.data_facts import facts
from pages._ui.report.beside import compared_of, misses_of, noise_of
from pages._ui.report.work import PAGE, view_of
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.session import Session
from pages._ui.work import results


def made(session: Session, known: Sequence[Evaluation], point: Chosen) -> Report:
    """The report on `known`, one or more, that recommends `point`."""
    said = misses_of(session, point.setting)
    beside = Beside(noise_of(session), compared_of(session), (said,) if said else ())
    view, dataset = view_of(session), session.dataset
    state = (tuple(one.index for one in known), point, view.title, view.note, _state(beside))
    name = (PAGE, dataset.fingerprint, dataset.query_fingerprint, session.data, session.recipe,
            session.K)  # fmt: skip
    kept: tuple[Hashable, Report] | None = results.recall(name)
    if kept is None or kept[0] != state:
        kept = (state, _made(session, known, point, beside))
        results.remember(name, kept)
    return kept[1]


def _state(beside: Beside) -> Hashable:
    """What is known of it."""
    noise, compared = beside.noise, beside.compared
    return (
        None if noise is None else (noise.speedup, *map(_builds, noise.methods)),
        None if compared is None else (compared[0].solved, compared[1]),
        beside.misses,
    )


def _builds(method: RobustMethod) -> Hashable:
    return (method.solved, *(under.setting for under in method.by_seed))


def _made(session: Session, known: Sequence[Evaluation], point: Chosen, beside: Beside) -> Report:
    source, view = session.source, view_of(session)
    shipped = session.data in CATALOG
    return report_of(
        searched(source, session.recipe),
        session.dataset,
        known,
        session.K,
        point=point,
        beside=beside,
        origin=Origin(
            shipped=session.data if shipped else "",
            stem="" if shipped else source.name,
            own_queries=source.m > 0,
        ),
        recipe=session.recipe,
        facts=facts(source),
        title=view.title,
        note=view.note,
    )
