"""How a worker of a cluster calls what runs on parts."""

from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from platform import python_version_tuple
from time import perf_counter
from typing import Any

from mips_core.base.errors import DataError
from mips_core.base.threads import limited
from mips_core.scale.engine import Work


@cache
def code_name() -> str:
    """Names the source of what runs on parts, and what runs it: workers with another are refused.

    Of Python its first two numbers, and the versions of numpy and numba: bits hang on them.
    """
    python = ".".join(python_version_tuple()[:2])
    digest = blake2b(f"{python} {version('numpy')} {version('numba')}".encode(), digest_size=8)
    root = Path(__file__).parents[1]
    for room in ("base", "data", "methods", "evaluation", "scale", "studies"):
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def timed(code: str, work: Work, *task: Any) -> tuple[float, Any]:
    """Seconds, and work(*task) on one thread of a worker of the same source. Raises DataError."""
    if code != code_name():
        raise DataError(
            "A worker runs another version of MIPS Explorer, Python, numpy or numba.",
            "Install the same on all machines.",
        )
    began = perf_counter()
    with limited(1):
        value = work(*task)
    return perf_counter() - began, value
