"""Numbers with units, and ranges, as the functions of this package take them."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np

from . import _core
from ._core import InputError

Number = Union[float, str]
Range = Union[str, Sequence[float], "np.ndarray[Any, np.dtype[np.float64]]"]


def quantity(name: str, value: Number, unit: str) -> float:
    """A number in SI units, or a text with a unit."""
    try:
        if isinstance(value, str):
            return _core.parse_quantity(value, unit)
        return float(value)
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"{name}: {error}") from None


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    """The value, which must be one of the allowed words."""
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, but is {value!r}")
    return value


def whole(name: str, value: int, least: int) -> int:
    """A whole number that is not too small."""
    if isinstance(value, bool) or int(value) != value or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}, but is {value!r}")
    return int(value)


def axis_range(name: str, value: Range, unit: str, axes: int) -> tuple[float, float, int]:
    """From, to and number of points: ``"0:90deg:400"``, ``(0, 1.57)`` or ``(0, 1.57, 400)``."""
    try:
        if isinstance(value, str):
            start, stop, count = _core.parse_range(value, unit)
        elif len(value) in (2, 3):
            start, stop = float(value[0]), float(value[1])
            count = whole("the number of points", int(value[2]), 1) if len(value) == 3 else 0
        else:
            raise InputError("a range is (FROM, TO), (FROM, TO, N) or a text such as '0:90deg:400'")
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"over {name}: {error}") from None
    return start, stop, count or (1 if start == stop else _core.default_count(axes))


def logarithmic(name: str, value: Range | None, unit: str) -> list[float]:
    """Values at equal ratios from ``"1e3:1e8:6"``; a list is taken as it is, and None is an empty one."""
    if value is None:
        return []
    if not isinstance(value, str):
        return [float(x) for x in value]
    parts = value.split(":")
    if len(parts) != 3:
        raise InputError(f"{name} takes FROM:TO:N, as 1e3:1e8:6, or a list of values, but was given {value!r}")
    try:
        count = float(parts[2])
        if count != int(count):
            raise InputError("the number of values must be whole")
        ends = [_core.parse_quantity(text, unit) for text in parts[:2]]
        return _core.logarithmic_range(ends[0], ends[1], int(count))
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def words(value: str | Iterable[str] | None) -> list[str]:
    """One word, several with commas, or a list of them."""
    if value is None:
        return []
    return [w for w in value.split(",") if w] if isinstance(value, str) else list(value)


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not None."""
    return {key: value for key, value in options.items() if value is not None}
