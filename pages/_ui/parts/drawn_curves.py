"""What the live curve shows of all that is measured, made once for the same.

A drag, and most looks at what is under way, change nothing of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mips_core import Curve, Evaluation, Index
from mips_core.figures import tradeoff
from mips_core.figures.styles import METHODS
from pages._ui.elements.live_curve import CurvePoints
from pages._ui.state.session import Session
from pages._ui.state.settings import Settings, name_of, shown
from pages._ui.work.task import while_same

USUAL_PRECISION = 0.9


@dataclass(frozen=True, eq=False)
class DrawnCurves:
    """The same until more is measured, or something else is chosen."""

    figure: dict[str, Any]  # the still part of the picture
    methods: list[str]  # on it
    points: dict[Index, CurvePoints]  # of the steps under the slider that are measured
    m: int  # queries
    effort: int  # where a slider stands before it is moved


def drawn_curves(session: Session, settings: Settings) -> DrawnCurves:
    """Those of the index under the slider, and of all that is drawn with it."""
    K, known = session.K, shown(session, settings.all)
    choices = K, session.show, session.index, session.source.simulated
    drawn: DrawnCurves = while_same(
        ("drawn curves", session.owner),
        (name_of(session, known), tuple(settings.under_slider), *choices),
        lambda: _drawn_curves(session, settings, K),
    )
    return drawn


def _drawn_curves(session: Session, settings: Settings, K: int) -> DrawnCurves:
    curves = {e.index: e.curve((K,)) for e in shown(session, settings.under_slider)}
    figure, methods = figure_of(session, settings, list(curves.values()))
    m = next((curve.m for curve in curves.values()), session.dataset.m)
    points = {index: _points(curve, K) for index, curve in curves.items()}
    return DrawnCurves(figure, methods, points, m, usual_effort(curves.get(session.index), K))


def usual_effort(curve: Curve | None, K: int) -> int:
    """Where a slider stands before it is moved: the least effort of 90% precision, or the most."""
    if curve is None:
        return 0
    enough = np.flatnonzero(curve.precision(K) >= USUAL_PRECISION)
    return int(curve.efforts[enough[0] if len(enough) else -1])


def figure_of(
    session: Session, settings: Settings, own: Sequence[Curve]
) -> tuple[dict[str, Any], list[str]]:
    """The still part of the picture, and the methods on it."""
    K = session.K
    traces: list[dict[str, Any]] = []
    curves = list(own)
    methods = [session.index.key]
    if session.show == "best":
        by_method: dict[str, list[Evaluation]] = {}
        for evaluation in shown(session, settings.all):
            by_method.setdefault(evaluation.index.key, []).append(evaluation)
        traces = tradeoff.best_of_each(by_method, K, pale=session.index.key)
        methods += by_method
        curves += [e.curve((K,)) for group in by_method.values() for e in group]
    else:
        for evaluation in shown(session, settings.others):
            curve = evaluation.curve((K,))
            traces += tradeoff.single(curve, K, pale=curve.index.key == session.index.key)
            curves.append(curve)
            methods.append(curve.index.key)
    layout = tradeoff.layout(K, *tradeoff.span_of(curves, K, own))
    if session.source.simulated:
        layout["annotations"] = [tradeoff.SIMULATED]
    data = [*traces, tradeoff.exact_point(session.source.n)]
    return {"data": data, "layout": layout}, [key for key in METHODS if key in methods]


def _points(curve: Curve, K: int) -> CurvePoints:
    interval = curve.interval(K)
    return CurvePoints(
        efforts=curve.efforts.astype(np.int32),
        precision=curve.precision(K).astype(np.float32),
        low=interval[:, 0].astype(np.float32),
        high=interval[:, 1].astype(np.float32),
        parts={part: cost.astype(np.float32) for part, cost in curve.costs.items()},
        missed_all=curve.missed_all(K).astype(np.int32),
        histogram=curve.histograms[K].astype(np.int32),
    )
