"""The same bits at any thread count of BLAS."""

import os
import subprocess
import sys

SCRIPT = """
import numpy as np
from mips_core.data.ratings import Ratings, factored
rng = np.random.default_rng(0)
pairs = np.unique(rng.integers(0, 400 * 300, 20_000))
users, items = (np.unique(codes, return_inverse=True)[1] for codes in np.divmod(pairs, 300))
names = [str(k) for k in range(400)]
values = rng.integers(1, 6, len(pairs)) * 1.0
n_users, n_items = users.max() + 1, items.max() + 1
ratings = Ratings(
    users.astype(np.int32), items.astype(np.int32), values, names[:n_users], names[:n_items]
)
data = factored(ratings, 20).dataset
print(data.fingerprint, data.query_fingerprint)
"""


def run(threads):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "MIPS_THREADS": threads}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_factors_have_the_same_bits_at_any_thread_count():
    assert run("1") == run("2")
