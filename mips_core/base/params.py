"""Parameters declared once: default, range and help drive checks, widgets, CLI and docs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, Literal, TypeVar

from mips_core.base.errors import ParamError

Spec = TypeVar("Spec")


@dataclass(frozen=True, slots=True)
class Param:
    """What is known of one parameter beyond its type and default."""

    label: str
    help: str
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()
    kinds: Mapping[str, type] | None = None  # for a nested value: its kind -> its class
    at: Literal["build", "search"] = "build"
    phrase: str = ""  # how a value reads within a sentence, as in "{} fit"; "": label and value


def param(
    default: Any, label: str, help: str, within: tuple[float, float] = (0, 0), **more: Any
) -> Any:
    """A dataclass field with a declared Param of low and high `within`; `more` gives the rest."""
    return field(default=default, metadata={"param": Param(label, help, *within, **more)})


def same_param(spec: type[Any], name: str) -> Any:
    """A field declared as the parameter `name` of the dataclass `spec` is."""
    (declared,) = (f for f in fields(spec) if f.name == name)
    return field(default=declared.default, metadata=declared.metadata)


def params_of(spec: Any) -> dict[str, Param]:
    """The declared parameters of a dataclass or an instance of one, in declaration order."""
    return {f.name: f.metadata["param"] for f in fields(spec) if "param" in f.metadata}


def check(spec: Any) -> None:
    """Raise ParamError unless every declared parameter of `spec` has its type and range."""
    defaults = {f.name: f.default for f in fields(spec)}
    for name, p in params_of(spec).items():
        value = getattr(spec, name)
        if not _is_like(value, defaults[name]):
            owner = f"{type(spec).__name__}: {name} is {value!r}"
            raise ParamError(f"{owner}.", f"Allowed: {allowed(p, defaults[name])}.")
        _check_value(type(spec).__name__, name, p, value)


def _is_like(value: Any, default: Any) -> bool:
    """Whether `value` is of the kind of `default`; nested values and choices are checked later."""
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(_is_like(number, 1) for number in value)
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, int):
        return isinstance(value, Integral)
    if isinstance(default, str):
        return isinstance(value, str)
    return not isinstance(default, float) or isinstance(value, Real)


def _check_value(owner: str, name: str, p: Param, value: Any) -> None:
    words = f"{owner}: {name} is {format_value(value)}"
    if p.kinds is not None:
        if not isinstance(value, tuple(p.kinds.values())):
            raise ParamError(f"{words}.", f"Allowed: {', '.join(p.kinds)}. {p.help}")
    elif p.choices:
        if value not in p.choices:
            raise ParamError(f"{words}.", f"Allowed: {', '.join(p.choices)}. {p.help}")
    elif not isinstance(value, bool | str):
        for number in value if isinstance(value, tuple) else (value,):
            if not p.low <= number <= p.high:
                allowed = f"outside {p.low:.10g} to {p.high:.10g}"
                raise ParamError(f"{words}, {allowed}.", p.help)


def flat_values(spec: Any) -> dict[str, Any]:
    """Every parameter by name; nested values as `reduction` = kind and `reduction.U` = value."""
    flat: dict[str, Any] = {}
    for name, p in params_of(spec).items():
        value = getattr(spec, name)
        if p.kinds is None:
            flat[name] = value
        else:
            flat[name] = value.kind
            flat |= {f"{name}.{inner}": v for inner, v in flat_values(value).items()}
    return flat


def plain_values(spec: Any) -> dict[str, Any]:
    """`flat_values` as JSON holds them."""
    return {name: _plain(value) for name, value in flat_values(spec).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return format_value(value)
    return value.item() if hasattr(value, "item") else value  # of a numpy number


def format_value(value: Any) -> str:
    """A value as it is written on a command line or in a link: 0.75, 46x2154, paper."""
    if isinstance(value, tuple):
        return "x".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(getattr(value, "kind", value))


def with_text(spec: Spec, texts: Mapping[str, str]) -> Spec:
    """`spec` with parameters read from text, all at once: {"n_levels": "3", "reduction.U": "0.8"}.

    Raises ParamError for an unknown name, a text that is no such value, or a value out of range.
    """
    declared = params_of(spec)
    new: dict[str, Any] = {}
    for name, text in sorted(texts.items(), key=lambda entry: "." in entry[0]):
        outer, _, inner = name.partition(".")
        if outer not in declared or (inner and declared[outer].kinds is None):
            names = ", ".join(flat_values(spec)) or "none"
            owner = type(spec).__name__
            raise ParamError(f"{owner} has no parameter {name!r}.", f"Its parameters: {names}.")
        old = new.get(outer, getattr(spec, outer))
        new[outer] = (
            with_text(old, {inner: text}) if inner else _parse(outer, declared[outer], old, text)
        )
    return replace(spec, **new)  # type: ignore[type-var]


def _parse(name: str, p: Param, old: Any, text: str) -> Any:
    try:
        if p.kinds is not None:
            return p.kinds[text]()
        if isinstance(old, bool):
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[
                text.lower()
            ]
        if isinstance(old, tuple):
            return () if text in ("", "none") else tuple(int(part) for part in text.split("x"))
        if isinstance(old, int):
            return int(text)
        return float(text) if isinstance(old, float) else text
    except (KeyError, ValueError):
        raise ParamError(f"{name}={text} cannot be read.", f"Allowed: {allowed(p, old)}.") from None


def allowed(p: Param, default: Any) -> str:
    """The values a parameter may take, in words."""
    if p.kinds is not None or p.choices:
        return ", ".join(p.kinds or p.choices)
    if isinstance(default, bool):
        return "yes, no"
    if isinstance(default, tuple):
        return f"whole numbers {p.low:.10g} to {p.high:.10g} joined by x, like 46x2154"
    if isinstance(default, str):
        return "any text"
    kind = "a whole number" if isinstance(default, int) else "a number"
    return f"{kind} from {p.low:.10g} to {p.high:.10g}"
