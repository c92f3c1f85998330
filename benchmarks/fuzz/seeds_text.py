"""Seeds of vectors in text: words and numbers, JSON, JSON lines; labels beside vectors."""

import io
import json

import numpy as np

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import WORDS, X, npy

LABELS = [str(word) for word in WORDS]
ROWS = [[float(f"{value:.4f}") for value in row] for row in X.tolist()]


def lines(words: list[str] | None = None, cut: str = " ", end: str = "\n", head: str = "") -> str:
    """One vector a line, a word before it where there are words."""
    rows = [cut.join(map(str, row)) for row in ROWS]
    if words:
        rows = [word + cut + row for word, row in zip(words, rows, strict=True)]
    return head + "".join(row + end for row in rows)


@seeds_for("vectors_text")
def vectors_text_seeds() -> list[Seed]:
    """word2vec with its header, GloVe, fastText, numpy.savetxt, odd blanks and ends."""
    saved = io.BytesIO()
    np.savetxt(saved, X)
    joined = [word.replace(" ", "_") for word in LABELS]
    texts = [lines(joined), lines(joined, head="6 4\n"), lines(LABELS), lines(),
             lines(joined, head="7 4\n"), lines(joined, end=" \n"), lines(joined, end="\r\n"),
             lines(joined, cut="  "), "\ufeff" + lines(joined), lines(joined, end="\r"),
             lines(joined).rstrip("\n"), lines(["1", "2", "3", "4", "5", "6"]),
             lines(["a\u00a0b", "nan", "null", "1", "−", "…"], head="6 4\n")]  # fmt: skip
    found = [seed("glove.txt", text) for text in texts]
    found += [seed("wiki.vec", texts[1]), seed("saved.txt", saved.getvalue()),
              seed("wide.txt", texts[0].encode("utf-16"))]  # fmt: skip
    return [*found, refused("sparse.txt", "a 1:0.5 3:0.25\nb 2:0.5 3:0.1\n"),
            refused("words.txt", "\n".join(LABELS))]  # fmt: skip


@seeds_for("json")
def json_seeds() -> list[Seed]:
    """Arrays, arrays of objects, objects of arrays, one object a line."""
    objects = [{"id": word, "embedding": row} for word, row in zip(LABELS, ROWS, strict=True)]
    deep = [{"meta": {"title": word}, "vector": row, "n": None} for word, row in
            zip(LABELS, ROWS, strict=True)]  # fmt: skip
    whole = [ROWS, objects, deep, dict(zip(LABELS, ROWS, strict=True)),
             {"data": objects, "model": "x"}, {"embeddings": ROWS, "labels": LABELS}]  # fmt: skip
    by_line = [objects, deep, ROWS, [{"word": w, "a": r[0], "b": r[1]} for w, r in
               zip(LABELS, ROWS, strict=True)]]  # fmt: skip
    return [
        *(seed("e.json", json.dumps(value)) for value in whole),
        *(seed("e.json", json.dumps(value, indent=1, ensure_ascii=False)) for value in whole),
        *(seed("e.jsonl", "\n".join(map(json.dumps, rows))) for rows in by_line[:3]),
        seed("e.ndjson", "\r\n".join(map(json.dumps, objects)) + "\r\n\r\n"),
        refused("e.json", "{}"),
        refused("e.json", '{"a": 1, "b": "text"}'),
    ]


@seeds_for("labels")
def labels_seeds() -> list[Seed]:
    """Vectors, and a file of labels with and without a header or quotes."""
    vectors = lines(cut="\t")
    rows = [f"{word}\t{i}" for i, word in enumerate(LABELS)]
    quoted = ['"a, ""b"""', *(f'"{word}"' for word in LABELS[1:])]
    metadata = [("metadata.tsv", "\n".join(LABELS)),
                ("metadata.tsv", "\n".join(["word\tn", *rows])),
                ("metadata.tsv", "word\n" + "\n".join(LABELS) + "\n"),
                ("labels.txt", "\r\n".join(LABELS)),
                ("labels.csv", "id,title\n" + "\n".join(f"{i},{q}" for i, q in enumerate(quoted))),
                ("labels.csv", "\n".join(quoted))]  # fmt: skip
    found = [seed("vectors.tsv", vectors, name, text) for name, text in metadata]
    return [*found, seed("vectors.npy", npy(X), "vocab.txt", "\n".join(LABELS))]
