"""Reading of ``snapshots.vtkhdf``, also while a run writes to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from .errors import Error
from .frame import Column, Frame, LazyTables, Table

_T = TypeVar("_T")

#: A frame is written within milliseconds: what cannot be read is tried again after these times [s].
_PAUSES = (0.01, 0.03, 0.1, 0.3)
_METADATA = ("materials", "walls", "sources", "templates")


def _read(path: Path, read: Callable[[Any], _T]) -> _T:
    """Opens a file of snapshots and reads from it.

    Raises :class:`dem.Error` if that fails, also after some tries.
    """
    import h5py  # type: ignore[import-untyped, unused-ignore]

    for pause in (*_PAUSES, None):
        try:
            with h5py.File(path, "r", locking=False) as file:
                return read(file)
        except FileNotFoundError:
            raise
        except (OSError, RuntimeError, KeyError, ValueError) as error:
            if pause is None:
                raise Error(
                    f"{path} cannot be read ({error}): if a run writes to it, wait a moment and read again; "
                    "else the file is damaged"
                ) from error
        time.sleep(pause)
    raise AssertionError("unreachable")


class _Columns(Mapping[str, Column]):
    """Rows of one frame in the columns of a group of the file; read when they are asked for, and then kept."""

    def __init__(self, path: Path, columns: dict[str, str], offset: int, rows: int) -> None:
        self._path, self._columns = path, columns
        self._offset, self._rows = offset, rows
        self._held: dict[str, Column] = {}

    def load(self, *names: str) -> None:
        """Reads columns, all of them by default."""
        missing = [name for name in names or self._columns if name not in self._held]
        if missing:
            self._held.update(_read(self._path, lambda file: {name: self._column(file, name) for name in missing}))

    def _column(self, file: Any, name: str) -> Column:
        dataset = file[self._columns[name]]
        if len(dataset) < self._offset + self._rows:
            raise ValueError(f"{self._columns[name]} ends within the frame")
        return dataset[self._offset : self._offset + self._rows], str(dataset.attrs.get("unit", "1"))

    def __getitem__(self, name: str) -> Column:
        if name not in self._held:
            if name not in self._columns:
                raise KeyError(name)
            self.load(name)
        return self._held[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


class Frames(Sequence[Frame]):
    """The frames of a run in order of time, read when they are asked for.

    ``frames[0]``, ``frames[-1]``, slices, ``len(frames)`` and loops work as with a list; :meth:`at` finds a frame by
    its time or step.
    """

    def __init__(
        self,
        path: Path,
        steps: Sequence[int] | NDArray[Any],
        times: Sequence[float] | NDArray[Any],
        content: Mapping[str, Any],
        chosen: Sequence[int] | None = None,
    ) -> None:
        self._path = path
        self._steps = np.asarray(steps, dtype=np.int64)
        self._times = np.asarray(times, dtype=np.float64)
        self._content = content
        # numbers in the file, of a slice fewer than there are
        self._chosen = range(len(self._steps)) if chosen is None else chosen

    @classmethod
    def read(cls, path: Path) -> Frames:
        """The frames that a file holds now."""
        steps, times, content = _read(path, _content)
        return cls(path, steps, times, content)

    @property
    def steps(self) -> NDArray[np.int64]:
        """Steps done at each frame, shape ``(frames,)``."""
        return self._steps[list(self._chosen)]

    @property
    def times(self) -> NDArray[np.float64]:
        """Time of each frame [s], shape ``(frames,)``."""
        return self._times[list(self._chosen)]

    def at(self, time: float | str | None = None, *, step: int | None = None) -> Frame:
        """The frame that is nearest to a time, in seconds or with a unit as in ``"0.5 s"``, or the frame of a step.

        Raises ``ValueError`` for a time that is farther before the first or after the last frame than half the time
        between frames there, for a step without a frame, and if there are no frames.
        """
        if (time is None) == (step is None):
            raise TypeError("at() takes either time or step")
        if not len(self):
            raise ValueError(f"{self._path} has no frames yet")
        if step is not None:
            steps = self.steps
            found = np.flatnonzero(steps == step)
            if not len(found):
                nearest = int(steps[np.argmin(np.abs(steps - step))])
                raise ValueError(f"no frame is of step {step}; the nearest is of step {nearest}")
            return self[int(found[0])]
        seconds = _seconds(time)
        times = self.times
        nearest = int(np.argmin(np.abs(times - seconds)))
        early, late = _slack(times)
        if not times[0] - early <= seconds <= times[-1] + late:
            raise ValueError(f"no frame is near t = {seconds:g} s: the frames are from {times[0]:g} to {times[-1]:g} s")
        return self[nearest]

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> Frames: ...

    def __getitem__(self, index: int | slice) -> Frame | Frames:
        if isinstance(index, slice):
            return Frames(self._path, self._steps, self._times, self._content, self._chosen[index])
        try:
            number = self._chosen[index]
        except IndexError:
            raise IndexError(f"frame {index} of {len(self)}") from None
        return self._frame(number)

    def _frame(self, number: int) -> Frame:
        makers: dict[str, Callable[[], Table]] = {}
        for table, (columns, offsets, rows) in self._content["tables"].items():
            makers[table] = partial(_Columns, self._path, columns, int(offsets[number]), int(rows[number]))
        numbers = {name: (float(values[number]), unit) for name, (values, unit) in self._content["numbers"].items()}
        return Frame(
            int(self._steps[number]), float(self._times[number]), LazyTables(makers), numbers, self._content["metadata"]
        )

    def __len__(self) -> int:
        return len(self._chosen)

    def __repr__(self) -> str:
        if not len(self):
            return "<dem.Frames: none>"
        times = self.times
        return f"<dem.Frames: {len(self)}, t = {times[0]:g} to {times[-1]:g} s>"


def _seconds(time: float | str | None) -> float:
    if isinstance(time, str):
        from . import _engine

        return float(_engine.quantity(time, "s"))
    return float(time)  # type: ignore[arg-type]


def _slack(times: NDArray[np.float64]) -> tuple[float, float]:
    """How far before the first and after the last frame a time may lie: half the time between frames, with one frame
    the error of rounding."""
    if len(times) < 2:
        rounding = 1e-9 * max(1.0, abs(float(times[0])))
        return rounding, rounding
    return 0.5 * float(times[1] - times[0]), 0.5 * float(times[-1] - times[-2])


def _content(file: Any) -> tuple[NDArray[Any], NDArray[Any], dict[str, Any]]:
    """Steps, times, and where the rows of every frame are."""
    particles = {"id": "VTKHDF/PointData/id", "position": "VTKHDF/Points"}
    for name in _listed(file["VTKHDF/PointData"]):
        particles[name] = f"VTKHDF/PointData/{name}"
    tables = {"particles": (particles, file["VTKHDF/Steps/PointOffsets"][:], file["VTKHDF/NumberOfPoints"][:])}
    for name in ("contacts", "walls", "bodies"):
        if name in file:
            columns = {column: f"{name}/{column}" for column in _listed(file[name])}
            tables[name] = (columns, file[f"{name}/frame_offsets"][:], file[f"{name}/frame_rows"][:])
    frames = file["frames"]
    numbers = {name: (frames[name][:], str(frames[name].attrs.get("unit", "1"))) for name in _listed(frames)}
    metadata: dict[str, Any] = {}
    for name, value in file["metadata"].attrs.items():
        text = value.decode() if isinstance(value, bytes) else str(value)
        metadata[name] = text.split("\n") if name in _METADATA and text else [] if name in _METADATA else text
    steps, times = frames["step"][:], frames["time"][:]
    # what is written last is not there yet while a frame is on its way
    whole = [len(steps), len(times)]
    whole += [len(values) for _, offsets, rows in tables.values() for values in (offsets, rows)]
    whole += [len(values) for values, _ in numbers.values()]
    count = min(whole)
    return steps[:count], times[:count], {"tables": tables, "numbers": numbers, "metadata": metadata}


def _listed(group: Any) -> list[str]:
    """Names of the columns of a group in their order."""
    columns = group.attrs.get("columns")
    if columns is None:
        return [name for name in group if name not in ("frame_offsets", "frame_rows", "step", "time")]
    text = columns.decode() if isinstance(columns, bytes) else str(columns)
    return [name for name in text.split(",") if name in group]
