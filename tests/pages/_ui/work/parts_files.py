"""Vectors that tests write in parts, and a file as pages hand it on."""

from types import SimpleNamespace

import numpy as np

X = np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)


def file_at(path, private=""):
    return SimpleNamespace(name=path.name, private=private, path=lambda: path)
