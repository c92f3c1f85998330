"""A connection to a scheduler. `distributed` is imported once a cluster is named, not before."""

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from mips_core.base.errors import MipsError, ParamError
from mips_core.scale.cluster_versions import check_versions
from mips_core.scale.scheduler_address import AbsentError

CONNECT_SECONDS = 15
ANSWER_SECONDS = 10  # that a scheduler has for a question
TOLD_BY_US = ("distributed.client", "distributed.core", "distributed.comm", "tornado.application")
EXTRA = "Add it: .venv/bin/python -m pip install -r requirements-scale.txt"


def connected(address: str, certificates: Mapping[str, str]) -> Any:
    """A client of the scheduler at `address`, by TLS with these files where it is tls://.

    Raises ParamError without Dask, AbsentError where nobody answers, DataError for other versions.
    """
    try:
        from distributed import Client, Security
    except ImportError:
        raise ParamError("A cluster needs the package distributed.", EXTRA) from None
    for name in TOLD_BY_US:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    secure = address.startswith("tls://")
    security = Security(require_encryption=True, **certificates) if secure else None
    with ExitStack() as refused:
        try:
            client = Client(address, security=security, timeout=CONNECT_SECONDS,
                            set_as_default=False)  # fmt: skip
            refused.callback(client.close)
            check_versions(client, ANSWER_SECONDS)
        except MipsError:
            raise
        except (OSError, ValueError, TimeoutError) as error:
            raise AbsentError(
                f"No scheduler answers at {address}: {error}.",
                "Start it, or correct --cluster.",
            ) from None
        refused.pop_all()
    return client
