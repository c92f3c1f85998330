"""Six vectors and their labels, and tables of them."""

import numpy as np
import pandas as pd

X = np.random.default_rng(0).normal(size=(6, 4)).round(4).astype(np.float32)
TITLES = ["Amber, vol. 1", "b", "Señor", 'say "hi"', "nan", "6"]
PLAIN = ["amber", "brook", "cedar", "delta", "ember", "fjord"]


def frame(**first):
    return pd.DataFrame({**first, **{f"f{j}": X[:, j] for j in range(4)}})


def text(header, *columns, sep=",", end="\n"):
    """A table made of columns of text; `header` may be ""."""
    lines = [sep.join(row) for row in zip(*columns, strict=True)]
    return end.join([*([header] if header else []), *lines]) + end


NUMBERS = [[f"{v:.4f}" for v in column] for column in X.T]
COMMAS = [[cell.replace(".", ",") for cell in column] for column in NUMBERS]
LISTS = [str(row.tolist()) for row in X.astype(float).round(4)]


def check(data, labels=None):
    np.testing.assert_allclose(data.items, X, rtol=1e-5)
    assert data.labels == labels
    return data


HEADED = text("a,b,c,d", *NUMBERS).splitlines()


def faulty(line, row):
    """The table with the line (from 1) replaced."""
    return "\n".join([*HEADED[: line - 1], row, *HEADED[line:]])


FILMS = frame(id=range(501, 507), title=TITLES).assign(genre=list("ababab")).to_csv(index=False)
