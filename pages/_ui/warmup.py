"""What the server does between its start and the first visitor."""

import logging
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from threading import Thread

WAIT = 120.0  # seconds for the first curves


def start() -> None:
    """Warm up in the background; returns at once, and nothing that fails there is raised."""
    Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    """First what the first picture needs, then what other pages need when they are entered."""
    from pages._ui import jobs

    try:
        _measure_first_curves()
        jobs.wait(WAIT)  # what comes after must not slow the first curves down
        _import_pages()
        from mips_core.projection import warm

        warm()
    except Exception:
        logging.getLogger(__name__).exception("The warm-up failed; the first visit is slower")


def _measure_first_curves() -> None:
    """Load numba and the kernels, and build what a first visitor sees, before there is one."""
    from mips_core import INDEXES
    from mips_core.queries import QueryRecipe
    from pages._ui import choices, work
    from pages._ui.searched import searched

    dataset = searched(choices.shipped(choices.DEFAULT_DATA), QueryRecipe())
    for number, key in enumerate(choices.DEFAULT_INDEXES):
        index = INDEXES[key]().explicit(dataset.n)
        work.Measurement(dataset, index, 0, choices.DEFAULT_K).start("warm-up", number)


def _import_pages() -> None:
    """Import what the pages are made of; `main` is the script that Streamlit runs."""
    folder = Path(__file__).parent
    for module in iter_modules([str(folder)], "pages._ui."):
        if module.name != "pages._ui.main":
            import_module(module.name)
