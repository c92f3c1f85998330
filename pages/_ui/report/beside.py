"""What other pages have measured beside the curves, and what is missed at the setting to run."""

from collections.abc import Hashable

from mips_core import Setting
from mips_core.base.progress import Progress, span
from mips_core.report import NoiseMeasured
from mips_core.studies.comparison import Compared
from mips_core.studies.misses.diagnosis import diagnose
from mips_core.studies.noise import SPEEDUPS
from pages._ui.compare.differences import held
from pages._ui.compare.work import builds, pairs, rung
from pages._ui.compare.work import view_of as compare_view
from pages._ui.robustness.study import study_of
from pages._ui.robustness.view import places_of
from pages._ui.state.session import Session
from pages._ui.work import jobs, measurement, results
from pages._ui.work.job import Job


def noise_of(session: Session) -> NoiseMeasured | None:
    """What Robustness has measured at the speedup it is set to."""
    study = study_of(session)
    noisy = study.noise.known
    if noisy is None:
        return None
    at = places_of(session)[0]
    methods = [method for method in study.methods(at).values() if method.by_seed]
    return NoiseMeasured(noisy, methods, SPEEDUPS[at]) if methods else None


def compared_of(session: Session) -> tuple[Compared, str] | None:
    """What Compare has measured, with every build, at the speedup it is set to."""
    view = compare_view(session)
    at = rung(view.speedup)
    pair = next((one for one in pairs(session) if one.speedup == at and one.reached), None)
    if view.first == view.second or pair is None:
        return None
    if not all(one.evaluation for both in builds(session, pair) for one in both):
        return None
    return held(session)[at], f"{at:g}×"


def misses_key(session: Session, setting: Setting) -> Hashable:
    """Names what is missed: data, queries, setting and K."""
    dataset = session.dataset
    return ("report misses", dataset.fingerprint, dataset.query_fingerprint, setting, session.K)


def misses_of(session: Session, setting: Setting) -> str:
    """What is missed, in sentences; "" where it is not known."""
    return results.recall(misses_key(session, setting)) or ""


def look_for_misses(session: Session, setting: Setting) -> Job:
    """Find what is missed, as a job; the index is built anew where it is not remembered."""
    asked = measurement.Measurement(session.dataset, setting.index, setting.seed, session.K)

    def look(progress: Progress) -> str:
        searcher = setting.index.searcher(
            measurement.build(asked, span(progress, 0.0, 0.7)).structure
        )
        found = (
            measurement.measure(asked, span(progress, 0.7, 0.8))
            if asked.tried is None
            else asked.tried
        )
        report = span(progress, 0.8, 1.0)
        return diagnose(
            found.evaluation, searcher, asked.dataset, asked.K, setting.effort, progress=report
        ).in_words()

    return jobs.start(misses_key(session, setting), "What is missed", look, session.owner, -1)
