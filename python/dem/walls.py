"""Walls of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _engine
from .arrays import Quantities

if TYPE_CHECKING:
    from .simulation import Simulation

Reals = NDArray[np.float64]


class Wall:
    """A wall: where it is, how it moves, and what the particles exert on it."""

    def __init__(self, sim: Simulation, number: int, name: str) -> None:
        self._sim = sim
        self._engine = sim._engine
        #: Number of the wall in the scene, from 0.
        self.number = number
        #: Its name.
        self.name = name

    def _get(self, name: str) -> Any:
        return self._engine.wall(self.number)[name]

    @property
    def active(self) -> bool:
        """Whether particles touch it."""
        return bool(self._get("active"))

    @property
    def material(self) -> str:
        """Name of its material."""
        return str(self._get("material"))

    @property
    def position(self) -> Reals:
        """Its reference point, shape (3,) [m]."""
        return np.asarray(self._get("position"))

    @property
    def orientation(self) -> Reals:
        """Unit quaternion x, y, z, w from the body frame to the space frame, shape (4,)."""
        return np.asarray(self._get("orientation"))

    @property
    def velocity(self) -> Reals:
        """Velocity of the reference point, shape (3,) [m/s]. Assigning gives the wall this velocity from where it is, and ends what else it did; its work is
        booked like that of any motion."""
        return np.asarray(self._get("velocity"))

    @velocity.setter
    def velocity(self, value: Quantities) -> None:
        self._engine.move_wall(self.number, _vector("velocity", value, "m/s"), list(self._get("angular_velocity")))

    @property
    def angular_velocity(self) -> Reals:
        """Angular velocity about the reference point, shape (3,) [rad/s]. Can be assigned like the velocity."""
        return np.asarray(self._get("angular_velocity"))

    @angular_velocity.setter
    def angular_velocity(self, value: Quantities) -> None:
        self._engine.move_wall(self.number, list(self._get("velocity")), _vector("angular_velocity", value, "rad/s"))

    @property
    def load(self) -> Reals:
        """Force of the particles on it, shape (3,) [N]."""
        return np.asarray(self._get("load"))

    @property
    def torque(self) -> Reals:
        """Torque of the particles about its reference point, shape (3,) [N m]."""
        return np.asarray(self._get("torque"))

    @property
    def work(self) -> float:
        """Work that it has done on the particles [J]."""
        return float(self._get("work"))

    @property
    def target(self) -> float | None:
        """Force [N] or pressure [Pa] that its servo holds, whichever its motion prescribes; ``None`` without a servo. Can be assigned a number in SI or a
        text with a unit. :class:`ValueError` for a wall without a servo."""
        found = self._get("target")
        return None if found is None else float(found[1])

    @target.setter
    def target(self, value: float | str) -> None:
        found = self._get("target")
        self._engine.aim_wall(self.number, _engine.quantity(value, "N" if found is None else found[2]))

    def move(self, **motion: Any) -> None:
        """Gives it another motion, with the keys of ``motion`` of a scene: ``wall.move(amplitude=[0, 0, "1 mm"], frequency="20 Hz")``; nothing stops it."""
        self._sim.act({"type": "move_wall", "wall": self.name, "motion": motion})

    def add(self) -> None:
        """Puts a wall with ``active = false`` in place. :class:`dem.StepError` if it cuts particles."""
        self._sim.act({"type": "add_wall", "wall": self.name})

    def remove(self) -> None:
        """Takes the wall away."""
        self._sim.act({"type": "remove_wall", "wall": self.name})

    def __repr__(self) -> str:
        return f"<dem wall {self.name!r}{'' if self.active else ', not in place'}>"


class Walls(Mapping[str, Wall]):
    """Walls by name, in the order of the scene."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim

    def __getitem__(self, name: str) -> Wall:
        names = self._sim._engine.wall_names()
        if name not in names:
            raise KeyError(f"no wall {name!r}: {', '.join(names) or 'there is none'}")
        return Wall(self._sim, names.index(name), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sim._engine.wall_names())

    def __len__(self) -> int:
        return len(self._sim._engine.wall_names())

    def __repr__(self) -> str:
        return f"<dem walls: {', '.join(self)}>"


def _vector(name: str, value: Any, unit: str) -> list[float]:
    """Three numbers in SI."""
    given = list(value) if np.iterable(value) and not isinstance(value, str) else []
    if len(given) != 3:
        raise ValueError(f"{name}: expected three numbers, got {value!r}")
    return [_engine.quantity(component if isinstance(component, str) else float(component), unit) for component in given]
