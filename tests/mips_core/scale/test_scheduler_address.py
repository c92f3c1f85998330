import pytest

from mips_core.base.errors import ParamError
from mips_core.scale.scheduler_address import check_address

CERTIFICATES = {"MIPS_TLS_CA": "a", "MIPS_TLS_CERT": "b", "MIPS_TLS_KEY": "c"}


@pytest.mark.parametrize(
    "address", ["tls://far:8786", "tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1"]
)
def test_addresses_that_are_safe(address):
    check_address(address, CERTIFICATES, False)


@pytest.mark.parametrize(
    ("address", "environment", "told"),
    [
        ("tcp://10.0.0.1:8786", CERTIFICATES, "plain TCP"),
        ("tcp://far:8786", {}, "plain TCP"),
        ("tls://far:8786", {}, "needs certificates"),
        ("http://far:8786", CERTIFICATES, "no scheduler"),
        ("tcp://127.0.0.1", {}, "no scheduler"),
        ("", {}, "no scheduler"),
    ],
)
def test_addresses_that_are_refused(address, environment, told):
    with pytest.raises(ParamError, match=told):
        check_address(address, environment, False)
    if told == "plain TCP":
        check_address(address, environment, True)
