"""What an index misses at one effort, and what that hangs together with."""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.base.text import counted, percent
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.methods.indexes import Index
from mips_core.studies.misses.diagnosis.causes import Cause
from mips_core.studies.misses.diagnosis.group_losses import GroupLosses
from mips_core.studies.misses.diagnosis.more_effort import MoreEffort
from mips_core.studies.misses.diagnosis.query_losses import QueryLosses
from mips_core.studies.misses.diagnosis.rates import Rates


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """The misses of `index`, built with `seed` on n items, at one effort.

    ids (m, K): the true answers of the m queries measured, best first; missed (m, K): which of
    them are no candidates; needed (m, K): the least effort from this one on that finds each, NEVER
    for none. `measure`: what people call the length of a vector, "norm" or a distance. The rates
    by the norm of the item, by how many queries it is an answer of, and by the norm of the query
    are None where those are all equal.
    """

    index: Index
    seed: int
    effort: int
    n: int
    ids: Ids
    missed: Mask
    needed: Ids
    measure: str
    queries: QueryLosses
    groups: GroupLosses
    more: MoreEffort
    cause: Cause
    by_norm: Rates | None
    by_popularity: Rates | None
    by_query_norm: Rates | None

    @property
    def m(self) -> int:
        """Number of queries."""
        return len(self.missed)

    @property
    def K(self) -> int:  # noqa: N802
        """Answers a query."""
        return self.missed.shape[1]

    @property
    def misses(self) -> int:
        """True answers missed, over all queries."""
        return int(self.missed.sum())

    @property
    def precision(self) -> float:
        """Share of the true answers that are found."""
        return float(mean_precision(self._histogram)[0])

    @property
    def interval(self) -> Floats:
        """(2,) 95% interval of the precision over queries."""
        return precision_interval(self._histogram)[0]

    @property
    def _histogram(self) -> Ids:
        return np.bincount(self.queries.found, minlength=self.K + 1)[None]

    def summary(self) -> str:
        """How much is missed, with its interval and the number of queries."""
        total = counted(self.missed.size, "true answer", "true answers")
        effort = counted(self.effort, *self.index.effort_nouns)
        over = counted(self.m, "query", "queries")
        low, high = self.interval
        if self.misses == 0:
            said = f"At {effort} nothing is missed of {total}"
        else:
            verb = "is" if self.misses == 1 else "are"
            said = f"At {effort} {self.misses:,} of {total} {verb} missed"
        sure = f"{percent(low)} to {percent(high)} over {over}"
        return f"{said}: precision {percent(self.precision)}, {sure}."

    def sentences(self) -> list[str]:
        """What is missed, by what: queries, groups, the cause, and the effort that would find it.

        None where nothing is missed.
        """
        if self.misses == 0:
            return []
        gathered = self.groups.in_words() if len(self.groups.sizes) > 1 else ""
        told = (
            *(self.queries.in_words(), gathered, self.cause.in_words()),
            *(self.cause.where_answers_are(), self.more.in_words()),
        )
        return [text for text in told if text]

    def in_words(self) -> str:
        """All that is known in sentences: how much, where, why, and what would find it."""
        return " ".join((self.summary(), *self.sentences()))
