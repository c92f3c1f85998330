"""Which settings a worker holds whole, with all vectors in parts, and what is told of others."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from mips_core.base.errors import ParamError
from mips_core.base.text import counted, memory, verb
from mips_core.methods.indexes import Index
from mips_core.scale.build_on_parts import buildable, can_be_built
from mips_core.scale.engine import Engine, WorkersDiedError
from mips_core.scale.manifest import Manifest
from mips_core.studies.forecast import budget, forecast
from mips_core.studies.tuning.standing import Omission

SPARE = 0.6  # of a worker's memory: beyond, Dask writes to disk
STEP = 100 * 2**20  # bytes: what is advised is a multiple of it …
MORE = 1.05  # … and more than enough by this: some take a MB for 1,000,000 bytes


@dataclass(frozen=True, slots=True)
class WorkerRoom:
    """What one worker may take for a structure of n vectors (n, d), asked m queries.

    `each` names who has this room, in bytes.
    """

    n: int
    d: int
    m: int
    bytes: float
    each: str

    @classmethod
    def of(cls, engine: Engine, manifest: Manifest, m: int) -> "WorkerRoom":
        """As it is now; workers may come and go."""
        limit, workers = engine.memory, engine.workers
        each = "a worker" if limit else f"each of {counted(workers, 'thread', 'threads')}"
        return cls(manifest.n, manifest.d, m, SPARE * (limit or budget() // workers), each)

    def fits(self, index: Index) -> bool:
        """Whether a worker can build `index` on all rows, and ask it all queries."""
        return self._need(index) <= self.bytes

    def takes(self, index: Index) -> bool:
        """Whether it fits, or can be built by all workers together."""
        return can_be_built(index, self.n) or self.fits(index)

    def check(self, indexes: Iterable[Index]) -> None:
        """Raise ParamError for the first of `indexes` that this does not take."""
        for index in indexes:
            if not self.takes(index):
                try:
                    buildable(index, self.n)
                except ParamError as error:
                    whole = f"In one worker it would need {self._in_words([index])}."
                    raise ParamError(f"{error.found} {whole}", error.remedy) from None

    def left_out(self, every: Sequence[Index]) -> Iterator[Omission]:
        """Of each method how many of all its settings, `every`, this does not take, and why."""
        out = [index for index in every if not self.takes(index)]
        many, first = Counter(index.key for index in every), {i.key: i for i in reversed(out)}
        for key, count in Counter(index.key for index in out).items():
            label, of = first[key].label, counted(many[key], "setting", "settings")
            need = self._in_words([index for index in out if index.key == key])
            why = f"in {count:,} of {of} {verb(label, 'need')} {need}"
            yield Omission(key, label, 0, why)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say what workers that die in the block held: there smaller parts would not help."""
        try:
            yield
        except WorkersDiedError as error:
            raise WorkersDiedError(
                f"{error.found} They held all {self.n:,} vectors, and what was built of them.",
                "Give them more (--memory-limit), or leave out methods that take much.",
            ) from None

    def _need(self, index: Index) -> float:
        return forecast(index, self.n, self.d, self.m).bytes

    def _in_words(self, indexes: Sequence[Index]) -> str:
        """What the largest of `indexes` needs, how much there is, and what would do."""
        need = max(map(self._need, indexes))
        enough = STEP * -(-MORE * need / SPARE // STEP)
        up_to = "up to " * (len(indexes) > 1)
        return (
            f"{up_to}{memory(need)} of memory, where {self.each} has room for "
            f"{memory(self.bytes)}: workers with {memory(enough)} would hold it"
        )
