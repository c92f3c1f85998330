"""Seeds of plain binary vectors: word2vec's .bin, fvecs and its kin, fbin and its kin."""

import struct

import numpy as np

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import WORDS, Q, X

BYTES = np.clip(X * 40 + 120, 0, 255).astype(np.uint8)
WHOLE = (X * 1000).astype(np.int32)


def word2vec(line_ends: bool, words: list[bytes], promised: int | None = None) -> bytes:
    """The layout of gensim (False) or of the C program (True), which ends rows with a newline."""
    out = f"{len(words) if promised is None else promised} {X.shape[1]}\n".encode()
    for word, row in zip(words, X, strict=True):
        out += word + b" " + row.astype("<f4").tobytes() + b"\n" * line_ends
    return out


@seeds_for("word2vec_binary")
def word2vec_seeds() -> list[Seed]:
    """Both newline layouts, words that are not UTF-8."""
    words = [str(word).replace(" ", "_").encode() for word in WORDS]
    odd = [b"\xff\xfe", b"caf\xe9", *words[2:]]
    return [
        seed("w.bin", word2vec(False, words)),
        seed("w.bin", word2vec(True, words)),
        seed("w.bin", word2vec(False, odd)),
        seed("vectors.w2v", word2vec(True, odd)),
    ]


def vecs(rows: np.ndarray) -> bytes:
    """Each row after its length, an int32."""
    return b"".join(struct.pack("<i", len(row)) + row.tobytes() for row in rows)


@seeds_for("vecs")
def vecs_seeds() -> list[Seed]:
    """fvecs and bvecs; ivecs are most often ids of neighbours, not vectors."""
    return [
        seed("base.fvecs", vecs(X)),
        seed("base.bvecs", vecs(BYTES)),
        refused("base.ivecs", vecs(WHOLE)),
        seed("base.fvecs", vecs(X[:1])),
        seed("base.fvecs", vecs(X), "query.fvecs", vecs(Q)),
    ]


def flat(rows: np.ndarray) -> bytes:
    """n and d, both uint32, and the numbers."""
    return struct.pack("<II", *rows.shape) + rows.tobytes()


@seeds_for("flat_binary")
def flat_binary_seeds() -> list[Seed]:
    """fbin, u8bin, i8bin, ibin and half precision."""
    return [
        seed("base.fbin", flat(X)),
        seed("base.u8bin", flat(BYTES)),
        seed("base.i8bin", flat((X * 30).astype(np.int8))),
        refused("base.ibin", flat(WHOLE)),
        seed("base.fbin", flat(X), "query.fbin", flat(Q)),
        refused("short.fbin", flat(X)[:-5]),
    ]
