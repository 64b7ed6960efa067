"""Data of particles and rigid bodies as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engine, errors
from .arrays import Quantities, rows_of_three

if TYPE_CHECKING:
    import pandas as pd

    from ._engine import Simulation as _Engine

Reals = NDArray[np.float64]

#: Units of the columns that every simulation has.
UNITS = {
    "id": "1",
    "position": "m",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "orientation": "1",
    "force": "N",
    "torque": "N m",
    "radius": "m",
    "mass": "kg",
    "inertia": "kg m^2",
    "material": "1",
    "group": "1",
    "frozen": "1",
    "image": "1",
    "body": "1",
    "contacts": "1",
    "external_force": "N",
    "external_torque": "N m",
}


class Particles:
    """Particles as arrays in order of ids.

    Arrays are copies, and read-only: they are made when they are first asked for after a step and kept until the next one. Some columns can be assigned as a
    whole: ``position``, ``velocity``, ``angular_velocity``, ``external_force`` and ``external_torque``, with one row for each particle or one for all. The
    energy that an assignment brings is booked as exchanged, but for loads.
    """

    __slots__ = ("_cache", "_engine", "_revision")
    _cache: dict[str, NDArray[Any]]
    _engine: _Engine
    _revision: int

    def __init__(self, engine: _Engine) -> None:
        object.__setattr__(self, "_engine", engine)
        object.__setattr__(self, "_cache", {})
        object.__setattr__(self, "_revision", -1)

    def __len__(self) -> int:
        return len(self._engine)

    def column(self, name: str) -> NDArray[Any]:
        """A column by its name, one of :attr:`names`. ``KeyError`` for one that there is not."""
        revision = self._engine.revision
        if revision != self._revision:
            self._cache.clear()
            object.__setattr__(self, "_revision", revision)
        found = self._cache.get(name)
        if found is None or self._engine.is_lent():
            found = self._engine.column(name)
            self._cache[name] = found
        return found

    @property
    def names(self) -> list[str]:
        """Names of all columns, those of the scene, as ``total_rotation``, included."""
        return self._engine.column_names()

    @property
    def id(self) -> NDArray[np.uint64]:
        """Ids, shape (n,), rising; an id is never given again."""
        return self.column("id")

    @property
    def position(self) -> Reals:
        """Centres, shape (n, 3) [m], inside the cell along its periodic axes. Assigning moves particles: contacts end and begin."""
        return self.column("position")

    @position.setter
    def position(self, values: Quantities) -> None:
        self._give("position", values)

    @property
    def velocity(self) -> Reals:
        """Velocities of the centres, shape (n, 3) [m/s]. Components that are frozen keep their zeros."""
        return self.column("velocity")

    @velocity.setter
    def velocity(self, values: Quantities) -> None:
        self._give("velocity", values)

    @property
    def angular_velocity(self) -> Reals:
        """Angular velocities in the space frame, shape (n, 3) [rad/s]."""
        return self.column("angular_velocity")

    @angular_velocity.setter
    def angular_velocity(self, values: Quantities) -> None:
        self._give("angular_velocity", values)

    @property
    def external_force(self) -> Reals:
        """Forces of the program, shape (n, 3) [N]: they act until they are assigned again, from the next evaluation of forces on, at the end of the next step.
        Saved states hold them. The energy balance does not know their work."""
        return self.column("external_force")

    @external_force.setter
    def external_force(self, values: Quantities) -> None:
        self._give("external_force", values)

    @property
    def external_torque(self) -> Reals:
        """Torques of the program about the centres, shape (n, 3) [N m]."""
        return self.column("external_torque")

    @external_torque.setter
    def external_torque(self, values: Quantities) -> None:
        self._give("external_torque", values)

    @property
    def orientation(self) -> Reals:
        """Unit quaternions x, y, z, w from the body frame to the space frame, shape (n, 4)."""
        return self.column("orientation")

    @property
    def force(self) -> Reals:
        """Total forces, shape (n, 3) [N]; on a sphere of a rigid body those of its contacts."""
        return self.column("force")

    @property
    def torque(self) -> Reals:
        """Total torques about the centres, shape (n, 3) [N m]."""
        return self.column("torque")

    @property
    def radius(self) -> Reals:
        """Radii, shape (n,) [m]."""
        return self.column("radius")

    @property
    def mass(self) -> Reals:
        """Masses, shape (n,) [kg]."""
        return self.column("mass")

    @property
    def inertia(self) -> Reals:
        """Moments of inertia of the solid spheres, shape (n,) [kg m^2]."""
        return self.column("inertia")

    @property
    def material(self) -> NDArray[np.uint16]:
        """Numbers of the materials, shape (n,), places in :attr:`material_names`."""
        return self.column("material")

    @property
    def material_names(self) -> list[str]:
        """Names of the materials, in order of their numbers."""
        return self._engine.materials()

    @property
    def group(self) -> NDArray[np.uint32]:
        """Groups as a bit mask, shape (n,)."""
        return self.column("group")

    @property
    def frozen(self) -> NDArray[np.uint8]:
        """Degrees of freedom that are suppressed as a bit mask, shape (n,): 1, 2, 4 for translations along x, y, z, 8, 16, 32 for rotations."""
        return self.column("frozen")

    @property
    def image(self) -> NDArray[np.int32]:
        """Periodic cells crossed, shape (n, 3)."""
        return self.column("image")

    @property
    def body(self) -> NDArray[np.uint32]:
        """Ids of the rigid bodies that spheres belong to, shape (n,); 4294967295 for spheres by themselves."""
        return self.column("body")

    @property
    def contacts(self) -> NDArray[np.uint32]:
        """Numbers of contacts with particles and walls, shape (n,)."""
        return self.column("contacts")

    def index(self, ids: ArrayLike) -> NDArray[np.intp]:
        """Rows of ids in the arrays. :class:`dem.ParticleIdError` for an id that no particle has (any more)."""
        wanted = np.atleast_1d(np.asarray(ids))
        if wanted.dtype.kind not in "iu":
            raise TypeError(f"ids: expected whole numbers, got {wanted.dtype}")
        known = self.id
        rows = np.searchsorted(known, wanted)
        inside = (wanted >= 0) & (rows < len(known))
        found = np.zeros(wanted.shape, dtype=bool)
        found[inside] = known[rows[inside]] == wanted[inside]
        if not found.all():
            raise errors.ParticleIdError(f"no particle has the id {wanted[~found][0]}")
        return rows

    def _give(self, name: str, values: Quantities) -> None:
        self._engine.give(name, rows_of_three(name, values, UNITS[name], len(self)))

    def __getattr__(self, name: str) -> NDArray[Any]:
        # columns that scenes ask for
        if not name.startswith("_") and name in self._engine.column_names():
            return self.column(name)
        raise AttributeError(f"particles have no column {name!r}: {', '.join(self._engine.column_names())}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._engine.column_names()})

    @contextmanager
    def raw(self, *, write: bool = True) -> Iterator[RawParticles]:
        """Columns without a copy, in order of memory, which changes from time to time; ``raw.id`` says which particle is where.

        Nothing else of the simulation can be used inside the block, and no step be taken. What is written to ``position``, ``velocity`` and
        ``angular_velocity`` is booked as exchanged energy at its end, which costs a pass over the particles, and for positions an evaluation of all forces;
        ``external_force`` and ``external_torque`` cost nothing. With ``write=False`` all arrays are read-only and nothing is booked. An array that is kept
        beyond the block is no part of the simulation any more.

        Raises ``ValueError`` at its end if a position or velocity that was written is not finite; a load that is not fails the next step.
        """
        if self._engine.is_lent():
            raise errors.StateError("columns are lent already: leave the other block of raw() first")
        raw = RawParticles(self._engine, write)
        try:
            yield raw
        finally:
            object.__getattribute__(raw, "_arrays").clear()
            object.__setattr__(raw, "_engine", None)
            wrong = self._engine.take_back()
            if wrong is not None:
                raise ValueError(f"raw: a number that was written for particle {wrong} is not finite")

    def to_pandas(self) -> pd.DataFrame:
        """All columns as a table with the ids as index; units are in ``attrs["units"]``."""
        from .tables import flat_table

        return flat_table({name: self.column(name) for name in self.names}, UNITS, index="id")

    def __repr__(self) -> str:
        return f"<dem particles: {len(self)}, columns {', '.join(self.names)}>"


class RawParticles:
    """Columns of particles without a copy; see :meth:`Particles.raw`."""

    __slots__ = ("_arrays", "_engine", "_write")
    _COLUMNS = ("id", "position", "velocity", "angular_velocity", "force", "torque", "radius", "mass", "external")

    def __init__(self, engine: _engine.Simulation, write: bool) -> None:
        object.__setattr__(self, "_engine", engine)
        object.__setattr__(self, "_write", write)
        object.__setattr__(self, "_arrays", {})

    def __getattr__(self, name: str) -> NDArray[Any]:
        column = "external" if name in ("external_force", "external_torque") else name
        if column not in self._COLUMNS or name == "external":
            raise AttributeError(f"raw particles have no column {name!r}")
        engine: _engine.Simulation | None = object.__getattribute__(self, "_engine")
        if engine is None:
            raise errors.StateError("the block of raw() has ended")
        arrays: dict[str, NDArray[Any]] = object.__getattribute__(self, "_arrays")
        if column not in arrays:
            arrays[column] = engine.lend(column, object.__getattribute__(self, "_write"))
        array = arrays[column]
        if column == "external":
            return array[:, :3] if name == "external_force" else array[:, 3:]
        return array

    def __setattr__(self, name: str, values: ArrayLike) -> None:
        # raw.velocity *= 0.9 assigns what it has changed in place
        array = getattr(self, name)
        if values is not array:
            array[...] = values

    def __dir__(self) -> list[str]:
        names = set(self._COLUMNS) - {"external"}
        return sorted({*super().__dir__(), *names, "external_force", "external_torque"})


class Bodies:
    """Rigid bodies as arrays in order of their ids: the columns of the table of bodies of a frame, as ``position``, ``velocity``, ``orientation``."""

    def __init__(self, engine: _engine.Simulation) -> None:
        self._engine = engine
        self._revision = -1
        self._columns: dict[str, tuple[NDArray[Any], str]] = {}

    def __len__(self) -> int:
        return self._engine.body_count()

    def _table(self) -> dict[str, tuple[NDArray[Any], str]]:
        revision = self._engine.revision
        if revision != self._revision:
            self._columns = self._engine.frame(False)["tables"].get("bodies", {})
            for array, _ in self._columns.values():
                array.setflags(write=False)
            self._revision = revision
        return self._columns

    @property
    def names(self) -> list[str]:
        """Names of the columns; none without bodies."""
        return list(self._table())

    def column(self, name: str) -> NDArray[Any]:
        """A column by its name. ``KeyError`` for one that there is not."""
        return self._table()[name][0]

    def __getattr__(self, name: str) -> NDArray[Any]:
        if not name.startswith("_") and name in self._table():
            return self._table()[name][0]
        raise AttributeError(f"bodies have no column {name!r}: {', '.join(self._table()) or 'there are none'}")

    def to_pandas(self) -> pd.DataFrame:
        """All columns as a table with the ids as index; units are in ``attrs["units"]``."""
        from .tables import flat_table

        table = self._table()
        units = {name: unit for name, (_, unit) in table.items()}
        return flat_table({name: array for name, (array, _) in table.items()}, units, index="id")

    def __repr__(self) -> str:
        return f"<dem bodies: {len(self)}>"
