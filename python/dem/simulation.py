"""A simulation in this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from . import _engine, errors
from .arrays import Quantities, number_for_each, rows_of_three
from .callbacks import Callback, interval_of
from .contacts import Contacts
from .parameters import Parameters
from .particles import Bodies, Particles
from .walls import Walls

if TYPE_CHECKING:
    from .frame import Frame
    from .scene import Scene

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: Launchers of MPI say by these variables how many processes they have started.
_LAUNCHERS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE", "MPI_LOCALNRANKS")


def refuse_launchers() -> None:
    """Refuses to run in one of several processes that a launcher of MPI has started: each would do the same.

    Raises :class:`dem.StateError`.
    """
    for name in _LAUNCHERS:
        size = os.environ.get(name, "")
        if size.isdigit() and int(size) > 1:
            raise errors.StateError(
                f"this process is one of {size} of an MPI launcher ({name}): each of them would run the whole simulation; "
                "start Python without mpiexec, and use dem.map for several scenes"
            )


class Simulation:
    """A simulation: the particles of a scene, and the steps that move them.

    ``scene.build()`` makes one. It may be used by one thread at a time; a second one gets a :class:`dem.StateError`. A failed step raises a
    :class:`dem.StepError` and leaves the state readable.
    """

    def __init__(self, engine: _engine.Simulation, scene: Scene) -> None:
        self._engine = engine
        #: The scene that it was built from.
        self.scene = scene
        self._callbacks: list[Callback] = []
        self._is_running = False
        self._is_stopped_by_user = False
        #: Data of the particles.
        self.particles = Particles(engine)
        #: Contacts.
        self.contacts = Contacts(engine)
        #: Walls by name.
        self.walls = Walls(self)
        #: Contact parameters by name.
        self.parameters = Parameters(self)
        #: Rigid bodies; without any of length 0.
        self.bodies = Bodies(engine)

    # how far it is

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._engine.time

    @property
    def steps(self) -> int:
        """Steps done."""
        return self._engine.step

    @property
    def time_step(self) -> float:
        """Length of the next step [s]."""
        return self._engine.time_step

    @property
    def stage(self) -> str:
        """Name of the present stage."""
        return self._engine.stage

    @property
    def stopped(self) -> str | None:
        """Why the simulation has come to its own end; ``None`` while it can go on."""
        return self._engine.stopped

    @property
    def directory(self) -> Path | None:
        """The run directory that it writes, if it was built with one."""
        return self._engine.directory

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._engine.closed

    @property
    def can_go_on(self) -> bool:
        """Whether the state is that after a whole step: not after a step that has failed, nor once it is closed."""
        return not self._engine.closed and self._engine.is_whole

    def __len__(self) -> int:
        """Number of particles."""
        return len(self._engine)

    # steps

    def step(self, count: int = 1) -> None:
        """Takes some steps, fewer if the simulation comes to its end.

        Raises :class:`dem.StepError` for a step that fails.
        """
        if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 0:
            raise ValueError(f"count: expected a whole number of at least 0, got {count!r}")
        self._advance(self._engine.step + int(count), None, False, None)

    def run(
        self,
        until: float | str | None = None,
        *,
        steps: int | None = None,
        stop: Callable[[Simulation], bool] | None = None,
        check: float | str | int = 100,
        progress: bool | None = None,
    ) -> Simulation:
        """Runs until a time, for some steps, until a condition holds, or to the end of the simulation, whichever comes first.

        ``until`` is a time since the start of the simulation ("0.5 s", or a number in s), ``steps`` a number of further steps. ``stop(sim)`` is asked every
        ``check`` (a number of steps, or a time as a text) and ends the run when it is true. ``progress`` shows a bar with the time to go; by default where
        somebody looks, on a terminal and in a notebook.

        Ctrl-C raises ``KeyboardInterrupt`` between two steps: the simulation can go on. So does an exception of a callback. Returns the simulation.
        Raises :class:`dem.StepError` for a step that fails.
        """
        time = None if until is None else _engine.quantity(until, "s")
        if steps is not None and (not isinstance(steps, (int, np.integer)) or isinstance(steps, bool) or steps < 0):
            raise ValueError(f"steps: expected a whole number of at least 0, got {steps!r}")
        last = None if steps is None else self._engine.step + int(steps)
        if time is None and last is None and stop is None and self._engine.end is None and not self._ends_by_itself():
            raise ValueError("run: the scene has neither an end of time nor a state of rest: give until= or steps=")
        asked = None
        if stop is not None:
            interval, every = interval_of(*((None, check) if isinstance(check, int) else (check, None)))
            asked = self._callback(lambda sim: sim.stop() if stop(sim) else None, interval, every)
            self._callbacks.append(asked)
        try:
            self._advance(last, time, progress, asked)
        finally:
            if asked is not None:
                self._callbacks.remove(asked)
        return self

    def stop(self) -> None:
        """Ends the present ``run`` once all callbacks of this step are done; for callbacks."""
        self._is_stopped_by_user = True

    def _ends_by_itself(self) -> bool:
        # a scene without gravity and stages goes on for ever
        return bool(self.scene.to_dict().get("stages")) or any(self.scene.get("fields.gravity", [0, 0, -1]))

    def _advance(self, step: int | None, time: float | None, progress: bool | None, asked: Callback | None) -> None:
        if self._is_running:
            raise errors.StateError("a callback cannot take steps: it is called between those of a run")
        self._is_running = True
        self._is_stopped_by_user = False
        bar = None if progress is False else _bar(progress)
        report = None if bar is None else bar.show
        engine = self._engine
        completed = False
        try:
            if not self._callbacks:
                engine.advance(step, time, report)
                completed = True
                return
            while True:
                live = [callback for callback in self._callbacks if not callback.is_cancelled]
                first_step = min((c.next_step for c in live if c.next_step is not None), default=None)
                first_time = min((c.next_time for c in live if c.next_time is not None), default=None)
                next_step = first_step if step is None or (first_step is not None and first_step < step) else step
                next_time = first_time if time is None or (first_time is not None and first_time < time) else time
                has_ended = engine.advance(next_step, next_time, report)
                now, at, length = engine.step, engine.time, engine.time_step
                for callback in live:
                    # one before it may have ended it
                    if not callback.is_cancelled and callback._is_due(now, at, length):
                        callback._plan(now, at, length)
                        callback.function(self)
                if (
                    has_ended
                    or self._is_stopped_by_user
                    or (step is not None and now >= step)
                    or (time is not None and at + 1e-6 * length >= time)
                ):
                    completed = True
                    return
        finally:
            self._is_running = False
            self._callbacks = [callback for callback in self._callbacks if not callback.is_cancelled]
            if bar is not None:
                bar.finish(completed)

    # callbacks

    @overload
    def every(self, interval: float | str | None = None, *, steps: int | None = None) -> Callable[[_Function], _Function]: ...
    @overload
    def every(
        self, interval: float | str | None = None, *, steps: int | None = None, call: Callable[[Simulation], Any]
    ) -> Callback: ...
    def every(
        self,
        interval: float | str | None = None,
        *,
        steps: int | None = None,
        call: Callable[[Simulation], Any] | None = None,
    ) -> Any:
        """Calls a function with the simulation every interval of time or every so many steps: ``@sim.every("1 ms")`` or ``@sim.every(steps=10)``.

        With ``call=`` the function is an argument, and the :class:`dem.Callback` is returned, which can be cancelled. A function that is called every step
        costs what looking at every step costs: some percent of a step, see the guide.
        """
        time, count = interval_of(interval, steps)
        if call is not None:
            callback = self._callback(call, time, count)
            self._callbacks.append(callback)
            return callback

        def register(function: _Function) -> _Function:
            self._callbacks.append(self._callback(function, time, count))
            return function

        return register

    def _callback(self, function: Callable[[Simulation], Any], interval: float | None, steps: int | None) -> Callback:
        if not callable(function):
            raise TypeError(f"every: expected a function, got {function!r}")
        return Callback(function, interval=interval, steps=steps, step=self._engine.step, time=self._engine.time)

    @property
    def callbacks(self) -> list[Callback]:
        """The functions that are called, in the order in which they were given."""
        return [callback for callback in self._callbacks if not callback.is_cancelled]

    # changes

    def insert(
        self,
        position: Quantities,
        radius: Quantities,
        material: str | None = None,
        *,
        velocity: Quantities = (0.0, 0.0, 0.0),
        angular_velocity: Quantities = (0.0, 0.0, 0.0),
        density: Quantities | None = None,
        group: int = 1,
        max_overlap: float = 0.0,
    ) -> NDArray[np.uint64]:
        """Inserts spheres, all or none, and returns their ids.

        ``position`` has shape (n, 3) or (3,) [m]; ``radius`` [m], ``density`` [kg/m^3] and the velocities [m/s, rad/s] are one for each or one for all. The
        density is that of the material if it is not given; ``material`` may be left out if there is only one. Their energy is booked as exchanged.

        Raises :class:`dem.OverlapError` if one overlaps another sphere or a wall by more than ``max_overlap`` of its radius, ``ValueError`` for numbers out of
        range and places outside of the domain.
        """
        places = rows_of_three("position", position, "m")
        count = len(places)
        names = self._engine.materials()
        if material is None:
            if len(names) > 1:
                raise ValueError(f"material: expected one of {', '.join(names)}")
            material = names[0]
        if material not in names:
            raise ValueError(f"material: expected one of {', '.join(names)}, got {material!r}")
        if density is None:
            density = _engine.quantity(self.scene["materials"][material]["density"], "kg/m^3")
        if not isinstance(group, (int, np.integer)) or not 0 <= group < 2**32:
            raise ValueError(f"group: expected a whole number of at least 0, got {group!r}")
        ids = self._engine.insert(
            places,
            number_for_each("radius", radius, "m", count),
            rows_of_three("velocity", velocity, "m/s", count),
            rows_of_three("angular_velocity", angular_velocity, "rad/s", count),
            number_for_each("density", density, "kg/m^3", count),
            names.index(material),
            int(group),
            float(max_overlap),
        )
        return np.asarray(ids, dtype=np.uint64)

    def remove(self, ids: Iterable[int] | int | None = None, *, bodies: Iterable[int] | int | None = None) -> None:
        """Takes particles, or rigid bodies, out. Their energy is booked as exchanged; ids are never given again.

        Raises :class:`dem.ParticleIdError` for an id that no particle has, and nothing is taken out then.
        """
        if (ids is None) == (bodies is None):
            raise TypeError("remove: expected either ids or bodies=")
        if ids is not None:
            self._engine.remove(_ids(ids))
        if bodies is not None:
            self._engine.remove_bodies(_ids(bodies))

    def act(self, action: Mapping[str, Any]) -> None:
        """Does what an action of a stage does: ``sim.act(dem.remove_wall(wall="lid"))``. It is noted among the events of the run and in its checkpoints.

        Raises :class:`dem.SceneError` for an action that the scene does not allow.
        """
        from .checking import plain
        from .toml_text import write

        self._engine.act(write({"action": plain(dict(action), "action")}))

    def next_stage(self) -> None:
        """Ends the present stage as one of its conditions does; after the last one the simulation has ended."""
        self._engine.next_stage()

    @property
    def events(self) -> list[dict[str, Any]]:
        """What stages and ``act`` did: ``step``, ``time`` [s], ``stage`` and ``what`` of each."""
        return [dict(zip(("step", "time", "stage", "what"), event)) for event in self._engine.events()]

    # what is measured

    def measure(self, name: str) -> float:
        """A quantity of the series by its name, in SI: ``sim.measure("coordination")``. ``KeyError`` with the nearest name for one that there is not."""
        value = self._engine.measure(name)
        if value is None:
            from .nearest import nearest

            meant = nearest(name, list(self.measures))
            raise KeyError(f"no quantity {name!r}" + (f"; did you mean {meant!r}?" if meant else ""))
        return value

    @property
    def measures(self) -> dict[str, float]:
        """All quantities of the series by name, in SI: what a row of ``series.csv`` has."""
        return {name: value for name, value, _, _ in self._engine.measures()}

    @property
    def energy(self) -> dict[str, float]:
        """The terms of the energy balance by name [J]."""
        return {
            name: value for name, value, unit, _ in self._engine.measures() if unit == "J" and not name.startswith("virial")
        }

    @property
    def units(self) -> dict[str, str]:
        """Units of the quantities of the series."""
        return {name: unit for name, _, unit, _ in self._engine.measures()}

    @property
    def cell(self) -> dict[str, Any]:
        """The domain: ``origin`` (3,) [m], ``edges`` (3, 3) with an edge in each row [m], ``periodic`` (3 booleans), ``volume`` [m^3]."""
        cell = self._engine.cell()
        return {**cell, "origin": np.asarray(cell["origin"]), "edges": np.asarray(cell["edges"])}

    def stress(self, volume: float | str | None = None) -> NDArray[np.float64]:
        """Mean stress of the contact forces, shape (3, 3) [Pa], positive in tension.

        ``volume`` is that of the assembly [m^3]; without it that of the cell, which has to be periodic along all axes. ``ValueError`` otherwise.
        """
        cell = self._engine.cell()
        if volume is None:
            if not all(cell["periodic"]):
                raise ValueError("stress: give the volume of the assembly; only that of a cell with three periodic axes is known")
            size = float(cell["volume"])
        else:
            size = _engine.quantity(volume, "m^3")
        if not size > 0.0:
            raise ValueError(f"volume: expected a volume above 0 m^3, got {volume!r}")
        found = self.measures
        xx, yy, zz, xy, xz, yz = (found[f"virial_{pair}"] / size for pair in ("xx", "yy", "zz", "xy", "xz", "yz"))
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def frame(self, contacts: bool = True) -> Frame:
        """The present state as a frame of a run has it: tables of particles, contacts, walls and bodies."""
        from .frame import Frame

        found = self._engine.frame(contacts)
        return Frame(
            found["step"],
            found["time"],
            found["tables"],
            numbers=found["numbers"],
            metadata={
                "title": self.scene.get("title", ""),
                "materials": "\n".join(self._engine.materials()),
                "walls": "\n".join(self._engine.wall_names()),
                "sources": "\n".join(self._engine.sources()),
                "templates": "\n".join(self.scene.get("clumps", {})),
            },
        )

    # states and files

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the state to a file, from which :meth:`load`, ``scene.build(start=)`` and the command go on.

        ``FileExistsError`` if there is one and ``force`` is not given.
        """
        self._engine.save(os.fspath(path), force)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Goes on from a saved state of the same scene, bit for bit. :class:`dem.SavedStateError` for one that is not."""
        self._engine.load(os.fspath(path))
        for callback in self._callbacks:
            callback._plan(self._engine.step, self._engine.time, self._engine.time_step)

    def copy(self) -> Simulation:
        """Another simulation in the same state, without callbacks and run directory: what one does the other does, bit for bit."""
        return Simulation(self._engine.copy(), self.scene)

    def finish(self) -> Path | None:
        """Writes the last row, frame, summary, pictures and checkpoint of the run directory, if there is one, and returns its path."""
        return self._engine.finish()

    def close(self) -> None:
        """Gives up memory and run directory. Every later call raises :class:`dem.StateError`. What :meth:`finish` writes is not written by it; the end of a
        ``with`` block calls both."""
        self._engine.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        # whatever has ended the block: a run directory can be gone on with from its last step
        try:
            if self.can_go_on:
                self.finish()
        finally:
            if not self.closed:
                self.close()

    def render(
        self,
        colour: str = "height",
        *,
        size: tuple[int, int] = (800, 600),
        azimuth: float = -60.0,
        elevation: float = 20.0,
        zoom: float = 1.0,
    ) -> bytes:
        """A picture of the present state as PNG: coloured by ``"height"``, ``"speed"`` or a column of particles, seen from ``azimuth`` and ``elevation``
        [degrees]. ``ValueError`` for a column that there is not."""
        width, height = size
        return self._engine.picture(colour, int(width), int(height), float(azimuth), float(elevation), float(zoom))

    def __repr__(self) -> str:
        if self._engine.closed:
            return "<dem.Simulation: closed>"
        ended = f", {self.stopped}" if self.stopped else ""
        return (
            f"<dem.Simulation: {len(self)} particles, step {self.steps}, t = {self.time:.6g} s{ended}; "
            "the same bits with any number of threads>"
        )

    def _repr_html_(self) -> str:
        from ._html import table

        if self._engine.closed:
            return "<p>closed</p>"
        measures = self.measures
        rows = [
            ("time", f"{self.time:.6g} s"),
            ("steps", f"{self.steps}"),
            ("time step", f"{self.time_step:.4g} s"),
            ("stage", self.stopped or self.stage),
            ("particles", f"{len(self)}"),
            ("contacts", f"{measures['pair_contacts']:.0f} between particles, {measures['wall_contacts']:.0f} with walls"),
            ("kinetic energy", f"{measures['kinetic_energy']:.4g} J"),
            ("largest overlap", f"{100 * measures['overlap_ratio']:.3g} % of the radius"),
        ]
        return table(self.scene.get("title", "") or "simulation", rows)

    def _repr_png_(self) -> bytes | None:
        try:
            return self.render()
        except (ValueError, errors.Error):
            # nothing to draw
            return None


def _bar(progress: bool | None) -> Any:
    """A bar, where somebody looks or it is requested."""
    from .notebook import Progress, is_watched

    return Progress("dem") if progress or is_watched() else None


def _ids(ids: Iterable[int] | int) -> list[int]:
    found = [ids] if isinstance(ids, (int, np.integer)) else list(ids)
    for number in found:
        if not isinstance(number, (int, np.integer)) or isinstance(number, (bool, np.bool_)):
            raise TypeError(f"ids: expected whole numbers, got {number!r}")
        if number < 0 or number >= 2**63:
            raise errors.ParticleIdError(f"no particle has the id {number}")
    return [int(number) for number in found]
