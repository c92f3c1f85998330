"""What is known of two methods at each speedup they both reach."""

from typing import Any, NamedTuple

from mips_core.studies.comparison import FEWEST_SEEDS, Compared, Difference, compared
from pages._ui.compare.work import Pair, builds, labels_of, pairs
from pages._ui.state.session import Session


def held(session: Session) -> dict[float, Compared]:
    """Speedup -> both methods held against each other at it."""
    return {pair.speedup: _compared(session, pair) for pair in pairs(session) if pair.reached}


def _compared(session: Session, pair: Pair) -> Compared:
    """Both on the queries to score on, over the builds of which both are measured."""
    known = [
        (first.evaluation, second.evaluation)
        for first, second in builds(session, pair)
        if first.evaluation and second.evaluation
    ]
    builds_of = [one for one, _ in known], [one for _, one in known]
    return compared((pair.first, pair.second), builds_of, session.K)


class Side(NamedTuple):
    """One of two methods at a speedup: means over its builds."""

    key: str
    setting: str
    speedup: float
    precision: float


def sides(found: Compared) -> list[Side]:
    """The two methods, with what they reach."""
    return [
        Side(
            one.setting.index.key,
            one.setting.in_words(found.n),
            _mean(one.speedups),
            _mean(one.precisions),
        )
        for one in found.scored
    ]


def rows(session: Session, known: dict[float, Compared]) -> list[dict[str, Any]]:
    """Every speedup as a flat row for tables, CSV and JSON; differences in points."""
    return [_row(session, speedup, found) for speedup, found in known.items()]


def _row(session: Session, speedup: float, found: Compared) -> dict[str, Any]:
    d, names = found.difference, labels_of(session)
    return {
        "speedup": speedup,
        "difference": 100 * d.mean,
        "low_95": 100 * d.low,
        "high_95": 100 * d.high,
        "finds_more": _winner(d, names),
        **{
            f"seed {seed}": 100 * share
            for seed, share in zip(found.scored[0].seeds, d.by_seed, strict=True)
        },
        **{
            f"{name}: {what}": value
            for name, side in zip(names, sides(found), strict=True)
            for what, value in (
                ("setting", side.setting),
                ("speedup reached", side.speedup),
                (f"precision@{d.K}", side.precision),
            )
        },
        "queries": d.m,
        "queries_needed": d.queries_needed,
        "data": session.dataset.name,
        "metric": session.dataset.metric,
        "simulated": session.dataset.simulated,
    }


def _winner(apart: Difference, names: tuple[str, str]) -> str:
    if len(apart.by_seed) < FEWEST_SEEDS:
        return "too few builds"
    return {"first": names[0], "second": names[1], None: "cannot tell"}[apart.winner]


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)
