"""Results: objects whose attributes are the keys of the program's JSON."""

from __future__ import annotations

import base64
import copy
import html
import json
import keyword
from typing import Any, Callable, Iterator

import numpy as np

# Keys whose empty lists are arrays without elements; other empty lists are lists of words or objects.
_NUMBERS = frozenset(
    "W b drift u u_t u_n b_t W_tt W_tn Q P e_jam lambda_n lambda_t a a_n a_t Lambda_n Lambda_t u_after impulse_n "
    "impulse_t stiffness dt mu gap default_slip".split()
)


def _is_numbers(value: Any) -> bool:
    """Whether a list, or a list of lists of equal length, holds numbers alone."""
    if not isinstance(value, list) or not value:
        return False
    if all(type(x) in (int, float) for x in value):
        return True
    return all(_is_numbers(x) for x in value) and len({np.shape(x) for x in value}) == 1


def wrap(value: Any, key: str = "") -> Any:
    """Objects as results, lists of numbers as read-only arrays, everything else as it is."""
    if isinstance(value, dict):
        return Result(value)
    if isinstance(value, list):
        if _is_numbers(value) or (not value and key in _NUMBERS):
            array = np.array(value)
            array.flags.writeable = False
            return array
        return [wrap(x, key) for x in value]
    return value


class Result:
    """What a call returned: an object with the keys of ``painleve VERB --json`` as attributes.

    Lists of numbers and matrices are read-only NumPy arrays, ``None`` stands for what does not exist (``KEY_reason``
    says why), and keys that Python reserves take an underscore: ``result.class_``. The same is there as
    ``result["verdict"]``, ``"verdict" in result`` and ``dict(result)``; `to_dict` and `json` give plain Python and text.

    >>> import painleve as pnl
    >>> found = pnl.analyze("rod-three-solutions")
    >>> found.verdict, found["verdict"], "verdict" in found
    ('indeterminate', 'indeterminate', True)
    >>> found.contacts[0].mu_jam
    1.347150628109127
    >>> found.W.shape
    (2, 2)
    """

    def __init__(self, data: dict[str, Any], picture: Callable[[], str] | None = None) -> None:
        self._data = data
        self._picture = picture
        self._wrapped: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._wrapped:
            self._wrapped[key] = wrap(self._data[key], key)
        return self._wrapped[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_data" not in self.__dict__:  # copying and pickling ask before there is anything
            raise AttributeError(name)
        key = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if key in self._data:
            return self[key]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self._names())}")

    def _names(self) -> list[str]:
        return [key + "_" if keyword.iskeyword(key) else key for key in self._data if key.isidentifier()]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names()})

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return bool(self.to_dict() == other.to_dict())

    __hash__ = None  # type: ignore[assignment]

    def keys(self) -> list[str]:
        """The keys, in the order of the JSON."""
        return list(self._data)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default where there is no such key."""
        return self[key] if key in self._data else default

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists and numbers; a copy."""
        return copy.deepcopy(self._data)

    @property
    def json(self) -> str:
        """The text that ``painleve VERB --json`` prints."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)

    @property
    def svg(self) -> str:
        """A picture, as the text of an SVG file; empty where there is none."""
        return self._picture() if self._picture else ""

    def _lines(self) -> list[str]:
        return [f"{key}: {_short(value)}" for key, value in list(self._data.items())[:12]]

    def __repr__(self) -> str:
        head = f"{type(self).__name__}" if type(self) is Result else f"painleve.{type(self).__name__}"
        return head + "".join("\n  " + line for line in self._lines())

    def _repr_html_(self) -> str:
        return html_page(self.svg, repr(self))


def _short(value: Any) -> str:
    text = repr(value)
    if len(text) <= 80 or not hasattr(value, "__len__"):
        return text
    return f"{type(value).__name__} of {len(value)}"


def html_page(svg: str, text: str) -> str:
    """A picture above its text. The picture is an image of its own: names inside two of them cannot clash."""
    picture = ""
    if svg:
        data = base64.b64encode(svg.encode()).decode()
        picture = f'<img alt="" style="max-width:100%;background:white" src="data:image/svg+xml;base64,{data}"/>'
    return f"<div>{picture}<pre>{html.escape(text)}</pre></div>"


def number(value: float | None) -> str:
    """A number for people; a dash for none."""
    return "–" if value is None else f"{value:.6g}"
