"""What the server does between its start and the first visitor."""

import logging
from threading import Thread

WAIT = 120.0  # seconds for the first curves


def start() -> None:
    """Warm up in the background; returns at once."""
    Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    """Load numba and the kernels, and build what a first visitor sees, before there is one."""
    try:
        from mips_core import INDEXES
        from mips_core.queries import QueryRecipe
        from pages._ui import choices, jobs, work
        from pages._ui.searched import searched

        dataset = searched(choices.shipped(choices.DEFAULT_DATA), QueryRecipe())
        for number, key in enumerate(choices.DEFAULT_INDEXES):
            index = INDEXES[key]().explicit(dataset.n)
            work.Measurement(dataset, index, 0, choices.DEFAULT_K).start("warm-up", number)
        jobs.wait(WAIT)  # what the map needs must not slow the first curves down
        from mips_core.projection import warm

        warm()
    except Exception:
        logging.getLogger(__name__).exception("The warm-up failed; the first visit is slower")
