"""Values as plain data for JSON beside named arrays, and back, by their declared types alone.

A structure is made of dataclasses, named tuples, tuples, numbers, texts, None and arrays. What is
made of a file is what the type says: no name that stands in the file is looked up, but for the
kinds of reductions. So a new structure needs nothing here. What has one part is that part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import ParamError
from mips_core.base.params import Spec, format_value, plain_values, with_text
from mips_core.methods.reductions import REDUCTIONS, Reduction
from mips_core.methods.soundness import UnsoundError

PLAIN = (int, float, bool, str)


@dataclass(frozen=True, eq=False)
class Packed:
    """Plain values, and the arrays whose names stand in them; each array once."""

    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)  # id of an array -> its name

    def add(self, value: Any, declared: Any, path: str) -> Any:
        """`value` of the type `declared` as plain data; its arrays are named after `path`."""
        if declared is Reduction:
            return {"kind": value.kind, **plain_values(value)}
        if get_origin(declared) is np.ndarray:
            return self._array(value, declared, path)
        if _is_optional(declared):
            return None if value is None else self.add(value, _of_optional(declared), path)
        if get_origin(declared) is tuple:
            types = enumerate(_types(declared, len(value), path))
            return [self.add(value[at], inner, f"{path}.{at}") for at, inner in types]
        if declared in PLAIN:
            return declared(value)
        parts = _parts(declared)
        if len(parts) == 1:
            return self.add(getattr(value, parts[0][0]), parts[0][1], path)
        usual = _defaults(declared)
        values = {name: getattr(value, name) for name, _ in parts}
        return {
            name: self.add(values[name], inner, f"{path}.{name}")
            for name, inner in parts
            if name not in usual or values[name] != usual[name]
        }

    def _array(self, array: NDArray[Any], declared: Any, path: str) -> str:
        if array.dtype != _dtype(declared):
            raise TypeError(f"{path} is {array.dtype}, declared {_dtype(declared)}.")
        name = self.names.setdefault(id(array), path)
        self.arrays[name] = array
        return name


@dataclass(frozen=True, eq=False)
class Unpacking:
    """Arrays by name, and which of them were taken."""

    arrays: Mapping[str, NDArray[Any]]
    taken: set[str] = field(default_factory=set)

    def value(self, plain: Any, declared: Any, path: str) -> Any:
        """The value of the type `declared`. Raises UnsoundError where `plain` is none."""
        if declared is Reduction:
            return _reduction(plain, path)
        if get_origin(declared) is np.ndarray:
            return self._array(plain, declared, path)
        if _is_optional(declared):
            return None if plain is None else self.value(plain, _of_optional(declared), path)
        if get_origin(declared) is tuple:
            types = enumerate(_types(declared, len(_expect(plain, list, path)), path))
            return tuple(self.value(plain[at], inner, f"{path}.{at}") for at, inner in types)
        if declared in PLAIN:
            return _number(plain, declared, path)
        parts = dict(_parts(declared))
        if len(parts) == 1:
            (inner,) = parts.values()
            return (get_origin(declared) or declared)(self.value(plain, inner, path))
        there = set(_expect(plain, dict, path))
        if not set(parts) - set(_defaults(declared)) <= there <= set(parts):
            raise UnsoundError(f"{path} has other parts than {', '.join(parts)}")
        values = {
            name: self.value(plain[name], inner, f"{path}.{name}")
            for name, inner in parts.items()
            if name in there
        }
        return (get_origin(declared) or declared)(**values)

    def _array(self, name: Any, declared: Any, path: str) -> NDArray[Any]:
        if _expect(name, str, path) not in self.arrays:
            raise UnsoundError(f"{path} is missing")
        array = self.arrays[name]
        if array.dtype != _dtype(declared):
            raise UnsoundError(f"{path} is {array.dtype}, not {_dtype(declared)}")
        if array.ndim == 0:
            raise UnsoundError(f"{path} is a single number")
        ends = [array.min(), array.max()] if array.dtype.kind == "f" and array.size else []
        if not np.isfinite(ends).all():  # either is NaN where an entry is
            raise UnsoundError(f"{path} holds what is not a finite number")
        self.taken.add(name)
        return array


@cache
def _parts(declared: Any) -> tuple[tuple[str, Any], ...]:
    """Names and types of the fields of a dataclass or named tuple, type arguments filled in."""
    cls = get_origin(declared) or declared
    arguments = dict(zip(getattr(cls, "__parameters__", ()), get_args(declared), strict=True))
    names = [f.name for f in fields(cls)] if is_dataclass(cls) else cls._fields
    hints = get_type_hints(cls)
    return tuple((name, _filled(hints[name], arguments)) for name in names)


@cache
def _defaults(declared: Any) -> Mapping[str, Any]:
    """What fields of a dataclass are where a file, perhaps an older one, does not say."""
    cls = get_origin(declared) or declared
    every = fields(cls) if is_dataclass(cls) else ()
    return {f.name: f.default for f in every if f.default is not MISSING}


def _filled(hint: Any, arguments: Mapping[Any, Any]) -> Any:
    """`hint` with `arguments` for its type variables."""
    if isinstance(hint, TypeVar):
        return arguments[hint]
    inner = getattr(hint, "__parameters__", ())
    return hint[tuple(arguments[one] for one in inner)] if inner else hint


def _types(declared: Any, count: int, path: str) -> Sequence[Any]:
    """The type of each of `count` things in a tuple."""
    inner = get_args(declared)
    if inner[-1] is Ellipsis:
        return inner[:1] * count
    if len(inner) != count:
        raise UnsoundError(f"{path} has {count} parts in place of {len(inner)}")
    return inner


def _is_optional(declared: Any) -> bool:
    return get_origin(declared) in (Union, UnionType) and NoneType in get_args(declared)


def _of_optional(declared: Any) -> Any:
    (inner,) = (one for one in get_args(declared) if one is not NoneType)
    return inner


def _dtype(declared: Any) -> np.dtype[Any]:
    """Of NDArray[np.int64]: ndarray[shape, dtype[int64]]."""
    (scalar,) = get_args(get_args(declared)[1])
    return np.dtype(scalar)


def _expect(plain: Any, kind: type, path: str) -> Any:
    if type(plain) is not kind:
        raise UnsoundError(f"{path} is not what belongs there")
    return plain


def _number(plain: Any, kind: type, path: str) -> Any:
    number = _expect(plain, kind, path)
    if kind is float and not isfinite(number):
        raise UnsoundError(f"{path} is not a finite number")
    return number


def _reduction(plain: Any, path: str) -> Reduction:
    values = dict(_expect(plain, dict, path))
    kind = values.pop("kind", None)
    if type(kind) is not str or kind not in REDUCTIONS:
        raise UnsoundError(f"{path} is no reduction known here")
    return with_plain(REDUCTIONS[kind](), values, path)


def with_plain(spec: Spec, values: Any, path: str) -> Spec:
    """`spec` with the parameters that `plain_values` gave. Raises UnsoundError for others."""
    texts = {
        name: format_value(value) if type(value) is bool else str(value)
        for name, value in _expect(values, dict, path).items()
    }
    try:
        spec = with_text(spec, texts)
    except ParamError as error:
        raise UnsoundError(f"{path}: {error}") from None
    if plain_values(spec) != values:
        raise UnsoundError(f"{path} lacks some parameters")
    return spec
