"""What tuning found, in sentences: Markdown that pages and commands show as it stands."""

from typing import TYPE_CHECKING

from mips_core.base.text import duration, inner_products, memory, percent, rounded, saved, times
from mips_core.evaluation.setting import Setting, index_in_words
from mips_core.studies.tuning.trials import Budget, Trial

if TYPE_CHECKING:
    from mips_core.studies.tuning.precision import Tuned
    from mips_core.studies.tuning.within import Within


def named(setting: Setting, n: int) -> str:
    """Flat k-means, 566 clusters, 24 probes."""
    return f"{setting.index.label}, {setting.in_words(n)}"


def name_of(trial: Trial) -> str:
    """The method, parameters and effort of a trial."""
    return named(trial.setting, trial.tried.evaluation.truth.n)


def promise_in_words(tuned: "Tuned") -> str:
    """The answer and the close call, or that no setting reaches the precision."""
    if tuned.chosen is None:
        return f"{_none_reaches(tuned)} {_what_would_help(tuned)}"
    found = _answer(tuned, tuned.chosen)
    return f"{found} {close_call_in_words(tuned)}".strip()


def _answer(tuned: "Tuned", trial: Trial) -> str:
    confidence = percent_of(tuned.need.confidence)
    sure = (
        "which is certain"
        if trial.lower == 1
        else f"at least {percent(trial.lower)} with {confidence} confidence"
    )
    return (
        f"**{name_of(trial)}.** On queries it has not seen it finds **{percent(trial.precision)}** "
        f"of the true top {tuned.K}, {sure}, {_savings(trial)}."
    )


def _savings(trial: Trial) -> str:
    return saved(trial.cost, trial.tried.evaluation.truth.n)


def percent_of(confidence: float) -> str:
    """95%, 99.9%."""
    return f"{100 * confidence:g}%"


def close_call_in_words(tuned: "Tuned") -> str:
    """What may hold at less cost, and how many queries would tell; "" where nothing may."""
    call = tuned.close_call
    if call is None:
        return ""
    found = (
        f"{name_of(call)} ({inner_products(call.cost)}) may reach {tuned.need.precision:g} "
        f"too, but {tuned.m_held_out:,} held-out queries cannot settle it."
    )
    if tuned.queries_needed is None:
        return f"{found} Its precision is too close to the target for any number of queries."
    return f"{found} About {rounded(tuned.queries_needed):,} queries in all would."


def _none_reaches(tuned: "Tuned") -> str:
    best, need = tuned.best, tuned.need
    return (
        f"**No setting reaches {need.precision:g} at {percent_of(need.confidence)} confidence.** "
        f"The best is {percent(best.precision)} (at least {percent(best.lower)}): "
        f"{name_of(best)}, {times(best.speedup)}."
    )


def _what_would_help(tuned: "Tuned") -> str:
    if tuned.need.precision == 1:
        return (
            "Only exact search can promise 1: queries not seen may always hold a miss. Lower the "
            "target."
        )
    if tuned.best.precision < tuned.need.precision:
        return "More queries would not change that: lower the target, or try other methods."
    if tuned.queries_needed is None:
        return "Lower the target."
    return (
        f"Lower the target, or take about {rounded(tuned.queries_needed):,} queries to narrow the "
        "interval."
    )


def budget_in_words(within: "Within") -> str:
    """The most precise setting within the budget, or why there is none."""
    trial = within.chosen
    if trial is None:
        return f"**No setting keeps the budget.** {within.why_none}"
    low, high = trial.interval
    between = (
        "which is certain" if low == 1 else f"{percent(low)} to {percent(high)} with 95% confidence"
    )
    found = (
        f"**{name_of(trial)}.** On queries it has not seen it finds **{percent(trial.precision)}** "
        f"of the true top {within.K} ({between}), {_savings(trial)}. Its index takes "
        f"{memory(trial.tried.bytes)} and was built in {duration(trial.tried.seconds)}."
    )
    if trial.verdict == "holds":
        return found
    limit = within.budget.inner_products
    return f"{found} On these queries it costs a little more than the {limit:,.0f} allowed."


def _amount(what: str, amount: float) -> str:
    if what == "inner products":
        return f"{inner_products(amount)} a query"
    return f"{memory(amount)} of memory" if what == "bytes" else f"{duration(amount)} to build"


def too_much(what: str, limit: float, least: float, trial: Trial) -> str:
    """A limit that nothing keeps, and the least there is."""
    who = name_of(trial) if what == "inner products" else index_of(trial)
    most, there_is = _amount(what, limit), _amount(what, least)
    return f"Nothing tried takes at most {most}; the least is {there_is}: {who}."


def index_of(trial: Trial) -> str:
    """The method and its build parameters."""
    index = trial.setting.index
    return f"{index.label}, {index_in_words(index, trial.tried.evaluation.truth.n)}"


def clash(budget: Budget) -> str:
    """Each limit is kept by something, but not all by one setting."""
    limits = [_amount(what, limit) for what, limit in budget.limits.items()]
    return f"Each limit is kept by some setting, but none keeps all: {', '.join(limits)}."
