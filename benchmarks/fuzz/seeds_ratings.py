"""Seeds of ratings: MovieLens, Netflix, RecBole, HetRec, triples, matrices."""

from dataclasses import replace

import numpy as np

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import npy, sparse_seeds

TRIPLES = [(user, item, (user * item) % 5 + 1) for user in range(1, 9) for item in range(1, 8)
           if (user + item) % 3]  # fmt: skip
MOVIES = [(item, f"Film {item}, The (19{50 + item})", "Drama") for item in range(1, 8)]
EITHER = ("triples.txt", "triples.tsv", "matrix.npy", "ratings.npz")
FULL = np.array([[(u * i) % 5 + 1.0 for i in range(1, 8)] for u in range(1, 9)])


def triples(cut: str, head: str = "", end: str = "\n", time: bool = True, quote: str = "") -> str:
    """One rating a line."""
    rows = [[*row, 880000000 + 37 * i][: 3 + time] for i, row in enumerate(TRIPLES)]
    body = [cut.join(f"{quote}{value}{quote}" for value in row) for row in rows]
    return head + "".join(row + end for row in body)


def netflix(items: range) -> str:
    """Ratings under the number of their film."""
    parts = []
    for item in items:
        rows = [f"{user},{value},2005-03-{user:02}" for user, i, value in TRIPLES if i == item]
        parts.append("\n".join([f"{item}:", *rows]))
    return "\n".join(parts) + "\n"


@seeds_for("ratings")
def ratings_seeds() -> list[Seed]:
    """Every layout of SPEC.md section 11, and titles beside them."""
    movies = "".join(f"{i}::{title}::{kind}\n" for i, title, kind in MOVIES)
    table = "movieId,title,genres\n" + "".join(f'{i},"{t}",{k}\n' for i, t, k in MOVIES)
    plain = triples(",", "userId,movieId,rating,timestamp\n")
    inter = "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    found = [
        seed("u.data", triples("\t")),
        seed("ratings.dat", triples("::")),
        seed("ratings.dat", triples("::"), "movies.dat", movies.encode("latin-1")),
        seed("ratings.csv", plain),
        seed("ratings.csv", plain, "movies.csv", table),
        seed("ratings.csv", "\ufeff" + plain.replace("\n", "\r\n")),
        seed("r.csv", triples(";", "item;user;stars\n", time=False)),
        seed("r.csv", triples(",", '"user","item","rating"\n', time=False, quote='"')),
        seed("r.csv", "user,item\n" + "".join(f"{user},i{item}\n" for user, item, _ in TRIPLES)),
        seed("combined_data_1.txt", netflix(range(1, 8))),
        seed("mv_0000001.txt", netflix(range(1, 2)), "mv_0000002.txt", netflix(range(2, 3))),
        seed("ml.inter", triples("\t", inter)),
        seed("user_ratedmovies.dat", triples("\t", "userID\tmovieID\trating\tdate\n")),
        seed("triples.txt", triples(" ", time=False)),
        seed("triples.tsv", triples("\t", time=False)),
        seed("matrix.npy", npy(FULL)),
        refused("ratings.csv", "userId,movieId,rating,timestamp\n"),
        *(seed("ratings.npz", given.files[0][1]) for given in sparse_seeds()[:6]),
    ]
    return [replace(given, kind="ratings") for given in found]


@seeds_for("ratings_given_to_read")
def misplaced_seeds() -> list[Seed]:
    """The same files where vectors are read: refused, unless they may be vectors as well."""
    return [
        replace(given, kind="vectors", accepted=given.files[0][0] in EITHER)
        for given in ratings_seeds()
    ]
