"""What a run was made on: processor, cores, caches, and versions of all that computes."""

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.peers import PEERS

OWN = ("numpy", "numba", "scipy", "threadpoolctl")
CPUINFO = Path("/proc/cpuinfo")
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def machine() -> dict[str, Any]:
    """The machine as far as the system tells: the processor's name, cores, caches, load."""
    return {
        "processor": _processor(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "caches": _caches(),
        "system": f"{platform.system()} {platform.release()}",
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
    }


def made_on(machine: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    """Where a page was made, in words: processor, cores and versions."""
    named = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"{machine['processor']}, {machine['cores']} cores; {named}"


def _processor() -> str:
    if CPUINFO.is_file():
        for line in CPUINFO.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown"


def _caches() -> dict[str, str]:
    """Size of each cache of the first core: {"L1 data": "48K", ...}; empty where it is not told."""
    found = {}
    for cache in sorted(CACHES.glob("index*")):
        level, kind, size = (
            (cache / name).read_text(encoding="utf-8").strip() for name in ("level", "type", "size")
        )
        found[f"L{level}" if kind == "Unified" else f"L{level} {kind.lower()}"] = size
    return found


def versions() -> dict[str, str]:
    """Of Python, what we compute with, and the peers that are installed."""
    found = {"python": platform.python_version()}
    for name in (*OWN, *(peer.distribution for peer in PEERS)):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
