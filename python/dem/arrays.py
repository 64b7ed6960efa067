"""Arrays of real numbers from what users give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _engine

#: Numbers in SI, as arrays or lists, among them texts with a unit.
Quantities = Union[float, str, Sequence[Union[float, str, Sequence[Union[float, str]], NDArray[Any]]], NDArray[Any]]


def _in_si(values: Any, unit: str) -> Any:
    """Texts with a unit, by themselves or in lists, as numbers in SI; all else as it is."""
    if isinstance(values, str):
        return _engine.quantity(values, unit)
    if isinstance(values, (list, tuple)):
        return [_in_si(value, unit) for value in values]
    return values


def reals(name: str, values: Quantities, unit: str) -> NDArray[np.float64]:
    """An array of real numbers, from numbers in SI and texts with a unit. ``TypeError`` for complex numbers, truth values and objects, ``ValueError`` for rows
    of different lengths and texts of another dimension."""
    given = np.asarray(_in_si(values, unit))
    if given.dtype.kind not in "iuf" and given.size > 0:
        raise TypeError(f"{name}: expected real numbers, got {given.dtype}")
    return given.astype(np.float64, copy=False)


def rows_of_three(name: str, values: Quantities, unit: str, count: int | None = None) -> NDArray[np.float64]:
    """A contiguous array of shape (n, 3), from one of that shape, or (3,) for all of ``count`` rows. ``ValueError`` for other shapes."""
    given = reals(name, values, unit)
    if given.shape == (3,):
        given = np.broadcast_to(given, (1 if count is None else count, 3))
    if given.ndim != 2 or given.shape[1] != 3 or (count is not None and len(given) != count):
        expected = "(n, 3)" if count is None else f"({count}, 3) or (3,)"
        raise ValueError(f"{name}: expected an array of shape {expected}, got {given.shape}")
    return np.ascontiguousarray(given)


def number_for_each(name: str, values: Quantities, unit: str, count: int) -> NDArray[np.float64]:
    """A number for each of some rows, from one for all or one for each. ``ValueError`` for others."""
    given = reals(name, values, unit)
    if given.ndim > 1 or given.size not in (1, count):
        raise ValueError(f"{name}: expected 1 number or {count}, got an array of shape {given.shape}")
    return np.ascontiguousarray(np.broadcast_to(given.reshape(-1), (count,)))
