"""What is known of two methods at each speedup they both reach."""

from typing import Any, NamedTuple

from mips_core.difference import FEWEST_SEEDS, Compared, Difference, difference, scored
from mips_core.evaluate import folds_of, rows_of
from pages._ui.choices import Session
from pages._ui.compare_work import Pair, builds, labels_of, pairs


def held(chosen: Session) -> dict[float, Compared]:
    """Speedup -> both methods held against each other at it."""
    return {pair.speedup: _compared(chosen, pair) for pair in pairs(chosen) if pair.reached}


def _compared(chosen: Session, pair: Pair) -> Compared:
    """Both on the queries to score on, over the builds of which both are measured."""
    known = [
        (first.evaluation, second.evaluation)
        for first, second in builds(chosen, pair)
        if first.evaluation and second.evaluation
    ]
    first = scored([one for one, _ in known], pair.first.setting, chosen.K)
    second = scored([one for _, one in known], pair.second.setting, chosen.K)
    choosing, scoring = folds_of(known[0][0].truth.m)
    return Compared(
        n=chosen.dataset.n,
        m_choosing=len(range(known[0][0].truth.m)[rows_of(choosing)]),
        split=choosing != scoring,
        solved=(pair.first, pair.second),
        scored=(first, second),
        difference=difference(first.hits, second.hits, first.K),
    )


class Side(NamedTuple):
    """One of two methods at a speedup: means over its builds."""

    key: str
    setting: str
    speedup: float
    precision: float


def sides(compared: Compared) -> list[Side]:
    """The two methods, with what they reach."""
    return [
        Side(
            one.setting.index.key,
            one.setting.in_words(compared.n),
            _mean(one.speedups),
            _mean(one.precisions),
        )
        for one in compared.scored
    ]


def rows(chosen: Session, known: dict[float, Compared]) -> list[dict[str, Any]]:
    """Every speedup as a flat row for tables, CSV and JSON; differences in points."""
    return [_row(chosen, speedup, compared) for speedup, compared in known.items()]


def _row(chosen: Session, speedup: float, compared: Compared) -> dict[str, Any]:
    d, names = compared.difference, labels_of(chosen)
    return {
        "speedup": speedup,
        "difference": 100 * d.mean,
        "low_95": 100 * d.low,
        "high_95": 100 * d.high,
        "finds_more": _winner(d, names),
        **{
            f"seed {seed}": 100 * share
            for seed, share in zip(compared.scored[0].seeds, d.by_seed, strict=True)
        },
        **{
            f"{name}: {what}": value
            for name, side in zip(names, sides(compared), strict=True)
            for what, value in (
                ("setting", side.setting),
                ("speedup reached", side.speedup),
                (f"precision@{d.K}", side.precision),
            )
        },
        "queries": d.m,
        "queries_needed": d.queries_needed,
        "data": chosen.dataset.name,
        "metric": chosen.dataset.metric,
        "simulated": chosen.dataset.simulated,
    }


def _winner(apart: Difference, names: tuple[str, str]) -> str:
    if len(apart.by_seed) < FEWEST_SEEDS:
        return "too few builds"
    return {"first": names[0], "second": names[1], None: "cannot tell"}[apart.winner]


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)
