"""Contacts as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _engine

if TYPE_CHECKING:
    import pandas as pd

Reals = NDArray[np.float64]

UNITS = {"overlap": "m", "force": "N", "branch": "m"}


class History(Mapping[str, NDArray[Any]]):
    """What contacts remember by the names of the law, one row for each contact; NaN where the law of a contact has no such number."""

    def __init__(self, fields: Mapping[str, tuple[NDArray[Any], str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._fields:
            raise KeyError(f"contacts remember no {name!r}: {', '.join(self._fields) or 'nothing'}")
        return self._fields[name][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def units(self) -> dict[str, str]:
        """Units by name."""
        return {name: unit for name, (_, unit) in self._fields.items()}

    def __repr__(self) -> str:
        return f"<dem history: {', '.join(self._fields)}>"


class Contacts:
    """Contacts of particles with each other and with walls, in order of their keys, and pairs that act on each other at a distance.

    Arrays are read-only copies, kept until the next step.
    """

    def __init__(self, engine: _engine.Simulation) -> None:
        self._engine = engine
        self._revision = -1
        self._table: dict[str, NDArray[Any]] = {}
        self._history: History | None = None

    def _columns(self) -> dict[str, NDArray[Any]]:
        revision = self._engine.revision
        if revision != self._revision or self._engine.is_lent():
            self._table = self._engine.contacts()
            for array in self._table.values():
                array.setflags(write=False)
            self._history = None
            self._revision = revision
        return self._table

    def __len__(self) -> int:
        return len(self._columns()["overlap"])

    @property
    def first(self) -> NDArray[np.int64]:
        """Ids of the first particles, shape (m,): the lower one of a pair."""
        return self._columns()["first"]

    @property
    def second(self) -> NDArray[np.int64]:
        """Ids of the second particles, shape (m,); -1 where the partner is a wall."""
        return self._columns()["second"]

    @property
    def wall(self) -> NDArray[np.int64]:
        """Numbers of the walls, shape (m,), places in ``list(sim.walls)``; -1 between particles."""
        return self._columns()["wall"]

    @property
    def normal(self) -> Reals:
        """Unit normals from the first body to the second, shape (m, 3)."""
        return self._columns()["normal"]

    @property
    def overlap(self) -> Reals:
        """Overlaps, shape (m,) [m]; negative at a distance."""
        return self._columns()["overlap"]

    @property
    def force(self) -> Reals:
        """Forces on the first body, shape (m, 3) [N]."""
        return self._columns()["force"]

    @property
    def normal_force(self) -> Reals:
        """Normal forces, shape (m,) [N], positive in compression."""
        along: Reals = np.einsum("ij,ij->i", self.force, self.normal)
        return -along

    @property
    def tangential_force(self) -> Reals:
        """Tangential forces on the first body, shape (m, 3) [N]."""
        return self.force + self.normal_force[:, np.newaxis] * self.normal

    @property
    def branch(self) -> Reals:
        """From the centre of the first body to that of the second, or to the contact point on a wall, shape (m, 3) [m]."""
        return self._columns()["branch"]

    @property
    def touches(self) -> NDArray[np.bool_]:
        """Whether surfaces touch or adhere, shape (m,)."""
        return self._columns()["touches"]

    @property
    def sliding(self) -> NDArray[np.bool_]:
        """Whether contacts are at their limit of friction, shape (m,)."""
        return self._columns()["sliding"]

    @property
    def history(self) -> History:
        """What contacts remember: ``sim.contacts.history["tangential_force"]``."""
        self._columns()
        if self._history is None:
            fields = self._engine.histories()
            for array, _ in fields.values():
                array.setflags(write=False)
            self._history = History(fields)
        return self._history

    def to_pandas(self) -> pd.DataFrame:
        """All columns as a table; units are in ``attrs["units"]``."""
        from .tables import flat_table

        return flat_table(self._columns(), UNITS)

    def __repr__(self) -> str:
        return f"<dem contacts: {len(self)}>"
