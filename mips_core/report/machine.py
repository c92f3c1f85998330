"""What measured: versions and the processor. No path, no name of a user or of the machine."""

import platform
from importlib.metadata import version
from pathlib import Path

from mips_core.base.text import MADE_BY
from mips_core.base.threads import n_threads
from mips_core.report.contents import Machine

LIBRARIES = ("numpy", "numba", "scipy")


def machine() -> Machine:
    """This one, as it is now."""
    name, _, own = MADE_BY.rpartition(" ")
    versions = {name: own, "Python": platform.python_version()}
    return Machine(
        versions | {library: version(library) for library in LIBRARIES},
        platform.system(),
        _processor(),
        n_threads(),
    )


def _processor() -> str:
    """Its name where the system tells it, else its family."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        told = ""
    names = (line.partition(":")[2].strip() for line in told.splitlines()
             if line.startswith("model name"))  # fmt: skip
    return next(names, "") or platform.processor() or platform.machine()
