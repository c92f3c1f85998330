"""What the server does between its start and the first visitor."""

from threading import Thread


def start() -> None:
    """Warm up in the background; returns at once."""
    Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    import mips_core  # noqa: F401 - numba and scipy load here, not in the first visit
