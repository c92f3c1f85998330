"""How a worker of a cluster calls what runs on parts."""

from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any

from mips_core.base.errors import DataError
from mips_core.base.threads import limited
from mips_core.scale.engine import Work


@cache
def code_name() -> str:
    """Names the source of what runs on parts: workers with another are refused."""
    digest = blake2b(digest_size=8)
    root = Path(__file__).parents[1]
    for room in ("base", "data", "methods", "evaluation", "scale", "studies"):
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def timed(code: str, work: Work, *task: Any) -> tuple[float, Any]:
    """Seconds, and work(*task) on one thread of a worker of the same source. Raises DataError."""
    if code != code_name():
        raise DataError(
            "A worker runs another version of MIPS Explorer.", "Install the same on all machines."
        )
    began = perf_counter()
    with limited(1):
        value = work(*task)
    return perf_counter() - began, value
