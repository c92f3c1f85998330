"""A scheduler and workers on this machine, for trying; nothing listens beyond it."""

from collections.abc import Iterator
from contextlib import contextmanager

from mips_core.base.errors import ParamError
from mips_core.scale.dask_engine import EXTRA


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """The address of so many worker processes, which end with the block.

    Call it from a program that guards its `__main__`: workers import that.
    """
    try:
        from distributed import LocalCluster
    except ImportError:
        raise ParamError("A cluster needs the package distributed.", EXTRA) from None
    with LocalCluster(
        host="127.0.0.1", n_workers=workers, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address
