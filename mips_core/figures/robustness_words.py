"""What noise does to methods at one speedup, in sentences with **bold**."""

from collections.abc import Mapping, Sequence

from mips_core.base.arrays import Floats, Ids
from mips_core.base.text import times, verb
from mips_core.evaluation.precision import mean_precision
from mips_core.figures.robustness import NoiseQuestion
from mips_core.figures.styles import METHODS
from mips_core.studies.robustness import RobustMethod

LITTLE = 0.0005  # a smaller difference of precisions is written as 0.0 points
LOPSIDED = 1.5  # one side of an interval by the other, from which half its width would mislead
WEAK, STRONG = 0.05, 3.0  # times the data's rms: as the largest σ, too small or too large to tell


def sentences(
    question: NoiseQuestion,
    methods: Mapping[str, RobustMethod],
    ceiling: Ids | None = None,
) -> list[str]:
    """For each σ the most precise method there, what it lost to noise, and who lost most.

    methods: key -> what is known of it, the first seed first. Those that reach the speedup speak
    for it, others only where none does. ceiling (S, K'+1): what `noise.ceiling` gives.
    """
    measured = {key: method for key, method in methods.items() if method.by_seed}
    equal = {key: method for key, method in measured.items() if method.solved.reached} or measured
    if not equal:
        return ["No method is measured at this speedup yet."] * len(question.sigmas)
    firsts = {key: method.by_seed[0] for key, method in equal.items()}
    precisions = {key: under.precision(question.truth) for key, under in firsts.items()}
    intervals = {key: under.interval(question.truth) for key, under in firsts.items()}
    best = None if ceiling is None or question.truth == "noisy" else mean_precision(ceiling)
    return [
        _sentence(question, at, equal, precisions, intervals, best)
        for at in range(len(question.sigmas))
    ]


def _sentence(
    question: NoiseQuestion,
    at: int,
    methods: Mapping[str, RobustMethod],
    precisions: Mapping[str, Floats],
    intervals: Mapping[str, Floats],
    ceiling: Floats | None,
) -> str:
    best = max(precisions, key=lambda key: precisions[key][at])
    interval, solved = intervals[best][at], methods[best].solved
    beside = "" if solved.reached else f", at {times(solved.speedup)},"
    answers = (
        f"true top {question.K}" if question.truth == "noisy" else f"top {question.K} before noise"
    )
    text = (
        f"{_where(question, at)}, {_name(best)}{beside} {_verb(best, 'find')} "
        f"**{100 * precisions[best][at]:.1f}%** ({_about(precisions[best][at], *interval)}) of the "
        f"{answers}"
    )
    if question.sigmas[at] == 0:
        return f"{text}."
    lost = {key: float(values[0] - values[at]) for key, values in precisions.items()}
    less = "less" if lost[best] > 0 else "more"
    change = f"{abs(100 * lost[best]):.1f} points {less} than"
    text += f", {'as many as' if abs(lost[best]) < LITTLE else change} without noise"
    text += _and_others(best, lost)
    if ceiling is not None:
        text += f"; exact search itself finds {100 * ceiling[at]:.1f}%"
    return f"{text}."


def note(speedup: float, methods: Mapping[str, RobustMethod], keys: Sequence[str]) -> str:
    """Which methods are still to come, and which have no setting near `speedup`."""
    measured = sum(key in methods and len(methods[key].by_seed) > 0 for key in keys)
    come = f"{measured} of {len(keys)} methods are in." if len(keys) > 1 else ""
    far = [
        f"{METHODS[key].label}: no setting near {speedup:g}×, the nearest is "
        f"{times(methods[key].solved.speedup)}."
        for key in keys
        if key in methods and not methods[key].solved.reached
    ]
    return " ".join(filter(None, [come if measured < len(keys) else "", *far]))


def about_unit(question: NoiseQuestion) -> str:
    """Whether absolute amounts of noise fit the data badly; "" where they do not."""
    if question.unit == "relative" or question.rms is None:
        return ""
    most = max(question.sigmas)
    if WEAK <= most / question.rms <= STRONG:
        return ""
    queries = "hardly changed" if most / question.rms < WEAK else "almost nothing but noise"
    return (
        f"Here σ {most:g} is {most / question.rms:,.3g} times the data's rms: such queries are "
        f"{queries}. Relative to data, σ counts in rms."
    )


def _where(question: NoiseQuestion, at: int) -> str:
    sigma = question.sigmas[at]
    if sigma == 0:
        return "At σ **0**, without noise"
    _, other = question.in_both_units(sigma)
    if question.unit == "relative":
        return f"At σ **{sigma:g}** of the data's rms{f' ({other})' if other else ''}"
    if question.rms is None:
        return f"At σ **{sigma:g}**"
    of = "of" if sigma < question.rms else "times"
    return f"At σ **{sigma:g}** ({other.removesuffix(' rms')} {of} the data's rms)"


def _about(precision: float, low: float, high: float) -> str:
    """The interval: half its width, or its ends where they are not about as far away."""
    sides = sorted((precision - low, high - precision))
    if sides[1] <= LOPSIDED * sides[0]:
        return f"±{50 * (high - low):.1f}"
    return f"95% interval {100 * low:.1f} to {100 * high:.1f}"


def _and_others(best: str, lost: Mapping[str, float]) -> str:
    """The other method that lost most, if it lost anything."""
    others = {key: loss for key, loss in lost.items() if key != best}
    if not others:
        return ""
    worst = max(others, key=lambda key: others[key])
    lost_most = f"; {_name(worst)} {_verb(worst, 'lose')} {100 * others[worst]:.1f}"
    return lost_most if others[worst] >= LITTLE else ""


def _name(key: str) -> str:
    """A method within a sentence: "flat k-means", but "PCA-tree"."""
    label = METHODS[key].label
    return label[0].lower() + label[1:] if label[1:].islower() else label


def _verb(key: str, plural: str) -> str:
    return verb(METHODS[key].label, plural)
