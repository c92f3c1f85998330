"""Seeds of files that this program writes itself: built indexes, and runs."""

import io
from dataclasses import replace

from benchmarks.fuzz.seeds import Seed, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import RNG, Q, X
from mips_core import INDEXES, Dataset, Index, rng_for
from mips_core.data.metrics import searched_by
from mips_core.serving.store import save, stored_index
from mips_core.studies.runs import measure_runs, save_runs

WORDS = [f"w{i}" for i in range(len(X) * 2)]
ITEMS = RNG.normal(size=(len(WORDS), 4)).astype("f4")


def index_file(index: Index, dataset: Dataset, with_items: bool = True) -> bytes:
    """The bytes of an index of `dataset`."""
    out, index = io.BytesIO(), index.explicit(dataset.n)
    structure = index.build(dataset.items, rng_for(0))
    save(out, stored_index(dataset, index, 0, structure, with_items=with_items))
    return out.getvalue()


@seeds_for("index")
def index_seeds() -> list[Seed]:
    """Every method; labels, other metrics, without its items."""
    plain = Dataset(ITEMS, name="small")
    indexes = [cls() for cls in INDEXES.values()]
    found = [index_file(index, plain) for index in indexes]
    found += [
        index_file(indexes[0], searched_by(replace(plain, labels=WORDS), "cosine")),
        index_file(indexes[1], searched_by(plain, "euclidean")),
        index_file(indexes[2], plain, with_items=False),
    ]
    return [replace(seed("a.mips", content), kind="index") for content in found]


@seeds_for("runs")
def runs_seeds() -> list[Seed]:
    """A run of every method alone, and all of them together."""
    measured = measure_runs([cls() for cls in INDEXES.values()], Dataset(ITEMS, Q), ks=(1, 3))
    made = [replace(run, seconds=1.0, kept="2026-01-02T03:04:05Z", versions={}) for run in measured]
    found = []
    for several in (*([run] for run in made), made):
        out = io.BytesIO()
        save_runs(out, several)
        found.append(replace(seed("a.run.json", out.getvalue()), kind="runs"))
    return found
