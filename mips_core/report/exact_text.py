"""Parameters as text that gives them back to the last digit, as --set and `with_text` read it."""

from typing import Any

from mips_core.base.params import flat_values, format_value


def exact_values(spec: Any) -> dict[str, str]:
    """Every parameter of `spec` by its flat name."""
    return {name: _exact(value) for name, value in flat_values(spec).items()}


def _exact(value: Any) -> str:
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    return format_value(value)
