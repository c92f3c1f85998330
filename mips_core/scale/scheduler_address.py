"""Which schedulers may be worked with: the address is chosen when the program starts."""

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from mips_core.base.errors import DataError, ParamError

VARIABLE = "MIPS_SCHEDULER"
TLS = {"tls_ca_file": "MIPS_TLS_CA", "tls_client_cert": "MIPS_TLS_CERT",
       "tls_client_key": "MIPS_TLS_KEY"}  # fmt: skip


class AbsentError(DataError):
    """No scheduler answers at its address."""


def check_address(address: str, environment: Mapping[str, str], plain_tcp: bool) -> None:
    """Raise ParamError unless it is tls:// with certificates, or tcp:// on this machine.

    `plain_tcp` allows tcp:// beyond it.
    """
    parsed = urlsplit(address)
    if parsed.scheme not in ("tls", "tcp") or not parsed.hostname or parsed.port is None:
        raise ParamError(f"{address!r} is no scheduler.", "Write tls://HOST:PORT.")
    if parsed.scheme == "tls":
        missing = [variable for variable in TLS.values() if not environment.get(variable)]
        if missing:
            raise ParamError(
                f"{address} needs certificates.", f"Set {', '.join(missing)} to their files."
            )
    elif not (plain_tcp or _is_loopback(parsed.hostname)):
        raise ParamError(
            f"{address} is plain TCP to another machine, where whoever reaches the port can run "
            "programs.",
            "Use tls://, or allow it by --plain-tcp on a network that is yours alone.",
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
