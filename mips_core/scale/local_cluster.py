"""A scheduler and workers on this machine, for trying; nothing listens beyond it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mips_core.base.errors import ParamError
from mips_core.base.limits import number_of
from mips_core.scale.cluster_client import EXTRA


@contextmanager
def local_cluster(workers: int, memory_limit: str = "auto") -> Iterator[tuple[str, Path]]:
    """The address of so many worker processes, and the certificate, with its key, that opens it.

    Both are gone after the block: only who can read that file, on this machine, comes in.
    `memory_limit`, as 2GB, is of each worker; auto: its share of this machine. Call it from a
    program that guards its `__main__`: workers import that. Raises ParamError without Dask, and for
    a limit that is none.
    """
    try:
        from distributed import LocalCluster, Security

        security = Security.temporary()
    except ImportError:
        raise ParamError(
            "A cluster needs the packages distributed and cryptography.", EXTRA
        ) from None
    limit = memory_limit if memory_limit == "auto" else number_of(memory_limit)
    if not limit:
        raise ParamError(f"The memory limit is {memory_limit!r}.", "Write 2GB, 500MB or auto.")
    with TemporaryDirectory(prefix="mips-cluster-") as folder:
        certificate = Path(folder) / "cluster.pem"
        certificate.touch(0o600)
        certificate.write_text(security.tls_client_cert + security.tls_client_key)
        with LocalCluster(
            host="127.0.0.1",
            protocol="tls",
            security=security,
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=limit,
            dashboard_address="127.0.0.1:0",  # a port that is free
        ) as cluster:
            yield cluster.scheduler_address, certificate
