"""Measure the curves that Home shows first, and store them beside the data they are of.

Usage: python -m data.measure_curves, in the folder of the project; a minute. To be run again after
a change of results, or of the settings a default method is tried at; a test says so.
"""

import json
from collections.abc import Sequence

import numpy as np

from mips_core import Evaluation
from mips_core.base.progress import silent
from pages._ui.state.session import DEFAULT_DATA, Session, shipped, usual
from pages._ui.state.settings import settings_of
from pages._ui.work.measurement import data_name
from pages._ui.work.stored_curves import FILE


def main() -> None:
    """Write the file beside this script."""
    session = usual(shipped(DEFAULT_DATA), DEFAULT_DATA)
    tasks = map(session.measurement_of, settings_of(session).all)
    write([task.here(silent).evaluation for task in tasks], session)


def write(evaluations: Sequence[Evaluation], session: Session) -> None:
    """Store what `evaluations` found and spent at the K of `session`, each effort and fold."""
    K = session.K
    for evaluation in evaluations:
        evaluation.curve((K,))
    hits, tied = zip(*(e.read_off["counted", K] for e in evaluations), strict=True)
    most = max(len(e.costs) for e in evaluations)
    costs = np.zeros((most, 2, sum(len(e.efforts) for e in evaluations)))
    at = 0
    for e in evaluations:
        for number, sums in enumerate(e.costs.values()):
            costs[number, :, at : at + len(e.efforts)] = sums
        at += len(e.efforts)
    about = {
        "of": [*data_name(session.dataset), session.seed],
        "K": K,
        "m": evaluations[0].truth.m,
        "indexes": [
            {"index": repr(e.index), "efforts": len(e.efforts), "costs": list(e.costs)}
            for e in evaluations
        ],
    }
    np.savez_compressed(
        FILE,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        efforts=np.concatenate([e.efforts for e in evaluations]).astype(np.int32),
        hits=np.concatenate(hits, axis=1).astype(np.int16),
        tied=np.concatenate(tied, axis=1).astype(np.int16),
        costs=costs,
    )


if __name__ == "__main__":
    main()
