"""Seeds of MATLAB files of version 5 to 7, as SciPy writes them."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.io import savemat
from scipy.sparse import csc_matrix

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import WORDS, Q, X

HEAD = 116  # bytes of text at the start, with the time of writing


def matlab(variables: Mapping[str, Any], **how: Any) -> bytes:
    """The bytes of a MATLAB file that holds `variables`."""
    out = io.BytesIO()
    savemat(out, dict(variables), **how)
    return b"MATLAB 5.0 MAT-file".ljust(HEAD) + out.getvalue()[HEAD:]


@seeds_for("matlab")
def matlab_seeds() -> list[Seed]:
    """A matrix alone, packed, with cells or characters as labels, with queries; none at all."""
    words = [str(word) for word in WORDS]
    cells = np.array(words, object).reshape(-1, 1)
    return [
        seed("x.mat", matlab({"X": X.astype("f8")})),
        seed("x.mat", matlab({"X": X, "words": cells}, do_compression=True)),
        seed("x.mat", matlab({"X": X, "names": np.array(words)})),
        seed("x.mat", matlab({"items": X, "queries": Q, "n": 6.0})),
        refused("x.mat", matlab({"s": {"X": X}})),
        refused("x.mat", matlab({"X": csc_matrix(X)})),
        refused("x.mat", matlab({"X": X + 1j})),
    ]
