"""From what is known of methods under noise to the figure under two sliders."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

from mips_core.base.arrays import Ids
from mips_core.base.text import times
from mips_core.evaluation.evaluate import folds_of
from mips_core.figures import robustness as figures
from mips_core.figures.robustness import CEILING, NoiseQuestion
from mips_core.figures.robustness_words import note, sentences
from mips_core.studies.noise import SIGMAS, SPEEDUPS
from mips_core.studies.robustness import RobustMethod
from pages._ui.elements.stepped import SteppedMessage, SteppedScene, Steps
from pages._ui.robustness.study import Study
from pages._ui.state.session import Session
from pages._ui.work import jobs
from pages._ui.work.task import while_same

WRITTEN = (2, 5, 10, 20, 50, 100, 200)  # of SPEEDUPS, below the slider


def places_of(session: Session) -> tuple[int, int]:
    """Where the sliders stand: positions in SPEEDUPS and SIGMAS."""
    state = session.states["robustness"]
    speedup = min(range(len(SPEEDUPS)), key=lambda at: abs(log(SPEEDUPS[at] / state.speedup)))
    return speedup, min(range(len(SIGMAS)), key=lambda at: abs(SIGMAS[at] - state.sigma))


def keep_places(session: Session, places: tuple[int, int]) -> None:
    """Keep where the sliders were left."""
    speedup, sigma = float(SPEEDUPS[places[0]]), SIGMAS[places[1]]
    session.states["robustness"] = replace(
        session.states["robustness"], speedup=speedup, sigma=sigma
    )


def asked_of(session: Session, study: Study) -> NoiseQuestion:
    """What is asked of all methods alike."""
    state, noisy = session.states["robustness"], study.noise.result
    return NoiseQuestion(
        n=session.source.n,
        K=session.K,
        truth=state.truth,
        sigmas=SIGMAS,
        unit=state.unit,
        rms=None if noisy is None else noisy.rms,
        simulated=session.source.simulated,
    )


def picture_of(session: Session, study: Study) -> SteppedMessage:
    """All speedups, with what is known at each."""
    question, keys = asked_of(session, study), list(study.grids)
    methods = [study.methods(at) for at in range(len(SPEEDUPS))]
    waiting = _waiting(session, methods)
    settled = all(study.settled(key) for key in keys)
    ceiling = [CEILING] if question.truth == "clean" and CEILING not in keys else []
    return SteppedMessage(
        figure=figures.figure(keys, question),
        scenes=[
            _scene(study, question, at, known, waiting, settled) for at, known in enumerate(methods)
        ],
        places=SIGMAS,
        sliders=(_speedups(study), _sigmas(question)),
        chosen=places_of(session),
        narrow=figures.NARROW,
        chips=[*keys, *ceiling],
        labels={CEILING: "Exact search, the ceiling"} if ceiling else {},
        topic=f"{session.source.fingerprint} {session.metric} {question.unit}",
        file_name=f"robustness-{session.K}",
        alt=f"Precision at {session.K} and speedup of {len(keys)} methods against noise on the "
        "queries. The same numbers are in the table below.",
    )


def shown_of(session: Session, study: Study) -> object:
    """Equal where the picture of these choices would be the same."""
    methods = [study.methods(at) for at in range(len(SPEEDUPS))]
    settled, noise = all(map(study.settled, study.grids)), study.noise.result is not None
    return [*map(settings_of, methods), _waiting(session, methods), settled, noise]


def settings_of(methods: Mapping[str, RobustMethod]) -> object:
    """Names all that is known of these."""
    return [(one.solved, *(under.setting for under in one.by_seed)) for one in methods.values()]


def _waiting(session: Session, by_speedup: Sequence[Mapping[str, RobustMethod]]) -> str:
    """What is said instead of a result while there is none at any speedup; "" where there is."""
    if not session.methods:
        return "No method is compared. Choose some above."
    if any(method.by_seed for methods in by_speedup for method in methods.values()):
        return ""
    waiting = [job for job in jobs.of(session.owner) if job.lane == "measure"]
    running = next((job for job in waiting if job.state == "running"), None)
    if running is not None:
        return f"Measuring {running.label} · {running.fraction:.0%}"
    return "Waiting behind other work." if waiting else "Nothing is measured yet."


def _scene(
    study: Study,
    question: NoiseQuestion,
    at: int,
    methods: Mapping[str, RobustMethod],
    waiting: str,
    settled: bool,
) -> SteppedScene:
    """What is shown at SPEEDUPS[at]; made once for what is known."""
    keys, ceiling = list(study.grids), study.ceiling()
    name = ("robustness scene", study.noise.key, study.seed, question, *keys, at)
    shown = settings_of(methods)
    facts = (keys, question, SPEEDUPS[at], methods, ceiling)
    made = while_same(name, (shown, ceiling is None), lambda: _made(*facts))
    if waiting:
        made = replace(made, sentences=[waiting] * len(question.sigmas))
    return made if settled else replace(made, complete=False)


def _made(
    keys: Sequence[str],
    question: NoiseQuestion,
    speedup: int,
    methods: Mapping[str, RobustMethod],
    ceiling: Ids | None,
) -> SteppedScene:
    traces, layout = figures.scene(keys, question, speedup, methods, ceiling)
    return SteppedScene(
        traces=traces,
        sentences=sentences(question, methods, ceiling),
        layout=layout,
        names={
            key: f"{method.solved.setting.index.label}, {times(method.solved.speedup)}"
            for key, method in methods.items()
            if not method.solved.reached
        },
        note=note(speedup, methods, keys),
        complete=all(key in methods and methods[key].by_seed for key in keys),
    )


def _speedups(study: Study) -> Steps:
    noisy = study.noise.result
    same = noisy is not None and folds_of(noisy.m)[1] is None
    scored = "of the queries, scored on the other half"
    return Steps(
        "Same speedup for all",
        [f"{speedup}×" for speedup in SPEEDUPS],
        [f"{speedup}×" if speedup in WRITTEN else "" for speedup in SPEEDUPS],
        f"Chosen without noise on {'the queries it is scored on' if same else f'half {scored}'}.",
        "Speedup",
    )


def _sigmas(question: NoiseQuestion) -> Steps:
    unit = " rms" if question.unit == "relative" else ""
    rms = (
        ""
        if question.rms is None
        else f" Theirs in the data: {question.rms:.3g} (root mean square, rms)."
    )
    return Steps(
        "Noise σ",
        [f"{sigma:g}{unit}" for sigma in SIGMAS],
        ["" if at % 2 else f"{sigma:g}" for at, sigma in enumerate(SIGMAS)],
        f"Added to each component of a query.{rms}",
        "σ",
    )
