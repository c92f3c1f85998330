"""Compile the kernels of the app into NUMBA_CACHE_DIR, by using it on small data of its own."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

import numpy as np

ONE = "--index flat-kmeans"
TWO = "--index flat-kmeans --index pca-tree"
COMMANDS = (
    "curve items.npy --index all --k 1,10",
    f"noise items.npy {ONE} --speedup 2",
    f"tune items.npy {ONE} --precision 0.5",
    f"compare items.npy {TWO} --speedup 2",
    f"drift items.npy {ONE}",
    f"map items.npy {ONE} --out map.html",
    f"report items.npy {ONE} --out report.html",
    f"build items.npy {ONE} --precision 0.5 --out index.mips",
    "search index.mips queries.npy --k 10",
)


def main() -> None:
    """Run each command once; one that fails ends it."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "items.npy", rng.normal(size=(2000, 16)).astype(np.float32))
        np.save(Path(folder) / "queries.npy", rng.normal(size=(50, 16)).astype(np.float32))
        for command in COMMANDS:
            words = [sys.executable, "-m", "mips_core", *command.split()]
            subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (Path(os.environ["NUMBA_CACHE_DIR"]) / "image").write_text(uuid4().hex)


if __name__ == "__main__":
    main()
