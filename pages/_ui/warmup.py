"""What the server does between its start and the first visitor."""

import logging
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages._ui.work.measurement import Measurement

WAIT = 120.0  # seconds for the first curves
VISITOR = 5.0  # seconds for a first visitor to come and see the stored curves, undisturbed
PAGE_DRAWN = Event()  # set when a page was drawn for somebody


def start() -> None:
    """Warm up in the background; returns at once, and nothing that fails there is raised."""
    Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    """First what the first picture needs, then what other pages need when they are entered.

    The first picture is of stored curves. Compiling, which slows all else down, comes behind it.
    """
    try:
        from pages._ui.parts import live_curve  # noqa: F401
        from pages._ui.work import jobs, kernel_child, memory

        kernel_child.use(kernel_child.KernelChild())
        _first_curves()
        PAGE_DRAWN.wait(VISITOR)
        _measure_first_curves()
        jobs.wait(WAIT)  # what comes after must not slow the first curves down
        memory.set_aside()
        _import_pages()
        from mips_core.groups.projection import warm

        warm()
        _follow_first_search()
        memory.set_aside()
    except Exception:
        logging.getLogger(__name__).exception("The warm-up failed; the first visit is slower")


def _measure_first_curves() -> None:
    """Load numba and the kernels, and build what a first visitor sees, before there is one."""
    from pages._ui.work.job import LATER

    for number, measurement in enumerate(_first_curves()):
        measurement.start("warm-up", LATER + number)


def _first_curves() -> "list[Measurement]":
    from pages._ui.state.session import DEFAULT_DATA, shipped, usual

    session = usual(shipped(DEFAULT_DATA), DEFAULT_DATA)
    return list(map(session.measurement_of, session.kept))


def _follow_first_search() -> None:
    """Name the clusters and say why answers are missed, of one query: it compiles what does so."""
    from mips_core.base.progress import silent
    from mips_core.groups.typed_queries.one_query import question_of_query, true_answers
    from pages._ui.parts import followed_search

    measurement = _first_curves()[0]
    if measurement.built is None:  # taken back, or forgotten
        return
    question = question_of_query(measurement.dataset, 0, measurement.K)
    true = true_answers(measurement.dataset.items, question)
    levels = followed_search.levels(measurement)
    followed_search.followed(measurement, question, true, levels.here()).make(silent)


def _import_pages() -> None:
    """Import what the pages are made of."""
    folder = Path(__file__).parent
    for path in sorted(folder.glob("*/*.py")):
        import_module(f"pages._ui.{path.parent.name}.{path.stem}")
    from pages._ui.parts.lesson.course import lessons

    lessons()
