"""Which versions a cluster must have: Dask itself only warns of others."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from mips_core.base.errors import DataError

WORKER_SECONDS = 3  # that all have to tell theirs; who says nothing is passed over later
OF_ALL = ("dask", "distributed", "cloudpickle")  # what tasks are sent with
OF_WORKERS = (*OF_ALL, "numpy", "numba")  # and what computes


def check_versions(client: Any, seconds: float) -> None:
    """Raise DataError where the scheduler or a worker has other versions than this program.

    Raises TimeoutError for a scheduler that is silent for so many seconds.
    """
    asked: dict[str, Any] = {"packages": OF_WORKERS}
    here, ask = installed(), client.scheduler
    told = client.sync(ask.versions, callback_timeout=seconds, **asked)
    refuse_others(here, "The scheduler", told, OF_ALL)
    with suppress(TimeoutError):
        told = client.sync(ask.broadcast, msg={"op": "versions", **asked}, on_error="ignore",
                           callback_timeout=WORKER_SECONDS)  # fmt: skip
        for worker, there in told.items():
            refuse_others(here, f"The worker {worker}", there, OF_WORKERS)


def installed() -> Any:
    """What this program runs with, as Dask tells it."""
    from distributed.versions import get_versions

    return get_versions(OF_WORKERS)


def refuse_others(
    here: Mapping[str, Any], name: str, there: Mapping[str, Any], packages: tuple[str, ...]
) -> None:
    """Raise DataError unless `there` has the versions of `here`, as Dask tells both."""
    mine, theirs = _versions(here, packages), _versions(there, packages)
    for package, version in mine.items():
        if theirs[package] != version:
            raise DataError(
                f"{name} has {package} {theirs[package]}, this program {version}.",
                "Install the same versions on all machines.",
            )


def _versions(told: Mapping[str, Any], packages: tuple[str, ...]) -> dict[str, str]:
    """Of Python, its first two numbers, and of `packages`."""
    have = told["packages"]
    python = ".".join(str(have.get("python", "none")).split(".")[:2])
    return {"Python": python, **{name: str(have.get(name) or "none") for name in packages}}
