"""Vectors for commands, and the curves a command measures on them."""

import json

import numpy as np

X = np.random.default_rng(0).normal(size=(400, 6)).astype(np.float32)


Q = np.random.default_rng(1).normal(size=(30, 6)).astype(np.float32)


def curves_of(run, tmp_path, *arguments):
    done = run("curve", "@items.npy", *arguments, "--out", "@out.json")
    assert done.exit_code == 0, done.output
    return json.loads((tmp_path / "out.json").read_text())
