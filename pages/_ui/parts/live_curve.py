"""The live curve as pages place it: what it shows of a visitor's choices, and what it hears.

Which settings are tried, known and waited for; it watches what is computed.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import streamlit as st

from mips_core import Index
from mips_core.figures import tradeoff
from mips_core.figures.template import NARROW
from pages._ui.elements.live_curve import Build, Choice, CurvePoints, LiveMessage, live_curve
from pages._ui.parts import progress
from pages._ui.parts.drawn_curves import drawn_curves
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.state.settings import (
    Settings,
    is_whole,
    settings_of,
    shown,
    start_missing,
    unsettled,
)
from pages._ui.text.glossary import lesson_about
from pages._ui.work import stored_curves
from pages._ui.work.measurement import Measurement

SENTENCE = (
    "{asking}, this index finds **{{precision}}%** (±{{half}}) of the true top {{K}} with "
    "**{{speedup}}× fewer** inner products than exact search."
)
BELOW_ONE = (
    "{asking}, this index finds **{{precision}}%** (±{{half}}) of the true top {{K}} with "
    "**no fewer** inner products than exact search: {{speedup}}×."
)
KEY = (
    "Thick line: this index, from little effort to all; its ring is where the sliders stand. {thin}"
    "Small ring: exact search. Shaded, left of 1×: dearer than exact search."
)
THIN = {
    "best": f"Thin line: the best of {{which}} of the same method. {tradeoff.BEST} ",
    "built": "Other lines: the other indexes you keep. ",
}
FIELDS = {"effort": "{effort}", "live": "{live}"}  # left for the browser to fill


def message_of(session: Session, settings: Settings, **known: Any) -> LiveMessage:
    """The live curve of the index under the slider, over what is known of the other settings."""
    index, K = session.index, session.K
    drawn = drawn_curves(session, settings)
    return LiveMessage(
        figure=drawn.figure,
        builds=[_build(session, step, drawn.points.get(step)) for step in settings.under_slider],
        chosen=Choice(_value(index), session.effort or drawn.effort),
        n=session.source.n,
        m=drawn.m,
        K=min(K, session.most_answers),
        sentence=SENTENCE.format(asking=index.asking.format(**FIELDS)),
        sentence_below_one=BELOW_ONE.format(asking=index.asking.format(**FIELDS)),
        narrow=NARROW,
        chips=drawn.methods,
        effort_label=index.effort_name,
        effort_nouns=index.effort_nouns,
        effort_unit=index.effort_nouns[1],
        effort_help=index.effort_help,
        lessons=_lessons(index.effort_name, type(index).main_label()),
        show_others=False,
        build_label=type(index).main_label(),
        topic=f"{session.source.fingerprint} {index.key} {session.show}",
        file_name=f"precision-speedup-{K}",
        alt=f"Precision at {K} against speedup.",
        **known,
    )


def _lessons(effort: str, build: str) -> dict[str, int]:
    """Which lesson shows what a number or a slider is."""
    labels = {"effort": effort, "build": build, "precision": "Precision@K", "speedup": "Speedup"}
    return {name: lesson_about(label) for name, label in labels.items()}


def _build(session: Session, index: Index, points: CurvePoints | None) -> Build:
    setting = index.setting(session.source.n)
    if points is not None:
        return Build(_value(index), setting, index.key, int(points.efforts[-1]), points)
    return Build(_value(index), setting, index.key, 0, None, _waiting(session, index, setting))


def _waiting(session: Session, index: Index, setting: str) -> str:
    job = session.measurement_of(index).job
    if job is None:
        return f"{setting} · to be built"
    if job.state == "cancelled":
        return f"{setting}: cancelled. Press “Go on” to build it."
    if job.state == "failed":
        return f"{setting}: {job.error}"
    if job.state == "waiting":
        how = progress.how_far(job).replace("\\", "")  # this is no Markdown
        return f"{setting} · {how[:1].lower()}{how[1:]}"
    return f"Building {setting} · {job.fraction:.0%}"


def _value(index: Index) -> str:
    return f"{getattr(index, index.main_param):,}" if index.main_param else index.label


def _never() -> bool:
    return False


def draw(
    key: str,
    below: Callable[[], None] | None = None,
    waits: Callable[[], bool] = _never,
    **known: Any,
) -> None:
    """The live curve of the index under the slider, then `below`; both redraw as results come.

    `waits` says whether something in `below` is still to come.
    The page comes first: it asks for the kept indexes only, and the rest of the settings wait for
    the first look back, so that they do not slow the first picture down.
    """
    session = app_state.current().snapshot()
    wanted = settings_of(session)
    steps = [*session.kept, *wanted.all]
    session.want("curve", (session.measurement_of(step).key for step in steps))
    if not shown(session, [session.index]):
        begun = [look for look in wanted.looks if look.active]
        start_missing(session, Settings([session.index], session.kept, looks=begun))
    pace, looks = _pace(session, settings_of(session), waits), count()
    watch_jobs(_draw, pace, key, looks, pace, below, waits, known)


def _pace(session: Session, settings: Settings, waits: Callable[[], bool] = _never) -> float | None:
    """Seconds to the next look; None where nothing more is to come."""
    if not unsettled(session, settings):
        return progress.LOOK if waits() else None
    return progress.LOOK if shown(session, [session.index]) else progress.EAGER


def _draw(
    key: str,
    looks: Iterator[int],
    pace: float | None,
    below: Callable[[], None] | None,
    waits: Callable[[], bool],
    known: dict[str, Any],
) -> bool:
    session = app_state.current().snapshot()
    first = next(looks) == 0
    wanted = settings_of(session)
    message = message_of(session, wanted, **known)
    choice = live_curve(message, key=key)
    if choice != message.chosen:
        steps = zip(message.builds, wanted.under_slider, strict=True)
        step = next(step for build, step in steps if build.value == choice.build)
        app_state.current().put_under_slider(step, choice.effort)
        session = app_state.current().snapshot()
        wanted = settings_of(session)
    app_state.publish()  # always: the run that kept a choice may have ended before this
    if below is not None:
        below()
    if not first:
        start_missing(session, wanted)
        if _pace(session, wanted, waits) != pace:
            st.rerun()
    return first


def draw_key() -> None:
    """What the lines and rings of the picture are."""
    session = app_state.current()
    which = "all settings" if is_whole(session) else "the settings built"
    st.caption(KEY.format(thin=THIN[session.show].format(which=which)))


def origin() -> str:
    """Where the curves that are drawn come from, as the start of a sentence."""
    wanted = _measurements()
    if not any(map(_from_store, wanted)):
        return "Measured on this machine"
    known = sum(one.evaluation is not None for one in wanted)
    return (
        "Stored with the data, where the same code measured it; "
        f"{known} of {len(wanted)} settings are measured again on this machine"
    )


def draw_progress() -> None:
    """What is under way for the curve, with Cancel, and what can be gone on with."""
    wanted = _measurements()
    if any(map(_from_store, wanted)):
        progress.draw(wanted, so_far="Curves are drawn as they are stored with the data till then.")
    else:
        progress.draw(wanted)


def _measurements() -> list[Measurement]:
    session = app_state.current()
    return [session.measurement_of(index) for index in settings_of(session).all]


def _from_store(measurement: Measurement) -> bool:
    """Whether it is drawn as it was stored."""
    return measurement.evaluation is None and stored_curves.of(measurement) is not None
