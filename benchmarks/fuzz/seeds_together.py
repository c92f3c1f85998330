"""Seeds of several files that are read together; ratings with titles stand beside ratings."""

from itertools import product

from benchmarks.fuzz.seeds import Seed, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import Q, X, npy, npz, zipped
from benchmarks.fuzz.seeds_tables import csv, frame
from benchmarks.fuzz.seeds_text import LABELS, lines


@seeds_for("together")
def together_seeds() -> list[Seed]:
    """Vectors of every family beside labels, and queries; a layer; a zip of them."""
    vectors = {"v.npy": npy(X), "v.npz": npz(x=X), "v.txt": lines(), "v.tsv": lines(cut="\t"),
               "v.csv": csv(frame(), index=False)}  # fmt: skip
    table = "id,title\n" + "".join(f'{i},"{word}"\n' for i, word in enumerate(LABELS))
    labels = {"labels.txt": "\n".join(LABELS), "metadata.tsv": table.replace(",", "\t"),
              "labels.csv": table}  # fmt: skip
    found = [seed(*one, *other) for one, other in product(vectors.items(), labels.items())]
    found += [
        seed("items.npy", npy(X), "queries.npy", npy(Q), "labels.txt", labels["labels.txt"]),
        seed("W.npy", npy(X), "b.npy", npy(X[:, 0]), "H.npy", npy(Q)),
        seed("a.zip", zipped("items.npy", npy(X), "queries.npy", npy(Q), "labels.csv", table)),
    ]
    return found
