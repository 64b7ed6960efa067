"""Reading of run directories.

:func:`open` gives a :class:`Run`, the results of one run. Everything is read when it is asked for, so that a run that
is still going on can be looked at.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from . import _units
from ._snapshots import Frames
from .errors import Error

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from .scene import Scene

_SCENE = "scene.resolved.toml"
_SNAPSHOTS = "snapshots.vtkhdf"


def open(directory: str | os.PathLike[str]) -> Run:
    """Opens a run directory, as ``dem run`` and ``scene.run`` write them.

    Raises ``FileNotFoundError`` if it does not exist and :class:`dem.Error` if it is no run directory.
    """
    return Run(directory)


class Run:
    """The results of one run, in its directory."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._directory = Path(directory)
        if not self._directory.exists():
            raise FileNotFoundError(f"{self._directory} does not exist")
        if not (self._directory / _SCENE).is_file():
            if (self._directory / "members").is_dir():
                raise Error(
                    f"{self._directory} holds several runs: open one of the folders in {self._directory / 'members'}"
                )
            raise Error(f"{self._directory} is no run directory: it has no {_SCENE}")
        self._scene: Scene | None = None
        self._frames: tuple[tuple[int, int], Frames] | None = None

    @property
    def directory(self) -> Path:
        """The run directory."""
        return self._directory

    @property
    def summary(self) -> dict[str, Any] | None:
        """What the run came to, from ``summary.json``; None while the run has not ended."""
        return self._json("summary.json")

    @property
    def beginning(self) -> dict[str, Any] | None:
        """Number and fingerprint of the particles before the first step, from ``beginning.json``; None if it is not
        there."""
        return self._json("beginning.json")

    @property
    def scene(self) -> Scene:
        """The scene of the run with all changes that were made to it."""
        if self._scene is None:
            from .scene import Scene

            self._scene = Scene.load(self._directory / _SCENE)
        return self._scene

    # tables

    @property
    def series(self) -> pd.DataFrame:
        """What was measured over time: one row for each output time, with the time [s] in the column ``time``.

        ``attrs["units"]`` has the units of the columns, ``1`` for numbers without one.
        """
        return self.read_series()

    @overload
    def read_series(self, library: Literal["pandas"] = "pandas") -> pd.DataFrame: ...
    @overload
    def read_series(self, library: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def read_series(self, library: str) -> Any: ...

    def read_series(self, library: str = "pandas") -> Any:
        """The table of :attr:`series` as a data frame of pandas, or of polars, whose units are in :attr:`units`.

        Raises ``ValueError`` for another library, ``ImportError`` without polars and :class:`dem.Error` while there is
        no row yet.
        """
        text = self._text("series.csv")
        if text is None:
            raise Error(f"{self._directory / 'series.csv'} is not there: the run has written no row yet")
        return read_table(text, library)

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns of :attr:`series`; ``1`` for numbers without one."""
        text = self._text("series.csv")
        return _units.of_columns(text.partition("\n")[0].strip().split(",")) if text else {}

    @property
    def profiles(self) -> pd.DataFrame | None:
        """Pressure and shear on walls: one row for each output time, probe, bin and sector. None in a run without wall
        probes."""
        return self._table("profiles.csv")

    @property
    def chosen_contacts(self) -> pd.DataFrame | None:
        """The contacts that the scene chose: one row for each time and contact. None in a run that follows none."""
        return self._table("contacts.csv")

    def _table(self, name: str) -> pd.DataFrame | None:
        text = self._text(name)
        return None if text is None else cast("pd.DataFrame", read_table(text, "pandas"))

    # states

    @property
    def frames(self) -> Frames:
        """The frames of ``snapshots.vtkhdf`` that are written so far; empty if there are none."""
        path = self._directory / _SNAPSHOTS
        try:
            status = path.stat()
        except FileNotFoundError:
            return Frames(path, [], [], {"tables": {}, "numbers": {}, "metadata": {}})
        mark = (status.st_mtime_ns, status.st_size)
        if self._frames is None or self._frames[0] != mark:
            self._frames = (mark, Frames.read(path))
        return self._frames[1]

    @property
    def checkpoints(self) -> list[Path]:
        """Saved states, the last one last."""
        return sorted((self._directory / "checkpoints").glob("step_*.ckpt"))

    @property
    def picture(self) -> bytes | None:
        """Picture of the final state in PNG; None if the run has not drawn it."""
        path = self._directory / "picture.png"
        return path.read_bytes() if path.is_file() else None

    # files

    def _json(self, name: str) -> dict[str, Any] | None:
        path = self._directory / name
        if not path.is_file():
            return None
        try:
            return cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
        except ValueError as error:
            raise Error(f"{path} is damaged: {error}") from error

    def _text(self, name: str) -> str | None:
        """Whole lines of a file: a row that is being written is left out. None without the file or before its first
        line."""
        path = self._directory / name
        if not path.is_file():
            return None
        text = path.read_text(encoding="utf-8")
        end = text.rfind("\n")
        return text[: end + 1] if end >= 0 else None

    def __fspath__(self) -> str:
        return os.fspath(self._directory)

    # display

    def __repr__(self) -> str:
        summary = self.summary
        state = (
            f"{summary.get('stop_reason')} at t = {summary.get('time', float('nan')):g} s"
            if summary
            else "has not ended"
        )
        return f"<dem.Run {str(self._directory)!r}: {state}>"

    def _repr_html_(self) -> str:
        from . import _html

        summary = self.summary
        rows = [("directory", str(self._directory)), ("frames", f"{len(self.frames):,}")]
        if summary is None:
            return _html.table("a run that has not ended", rows, _html.shrunk(self.picture))
        return _html.table(str(summary.get("title", "")), _summary_rows(summary) + rows, _html.shrunk(self.picture))

    def _repr_png_(self) -> bytes | None:
        from . import _html

        return _html.shrunk(self.picture)


def _summary_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a reader of a notebook wants to know first."""
    rows = [
        (
            "stopped",
            f"{summary.get('stop_reason')} after {summary.get('steps', 0):,} steps, t = {summary.get('time', 0.0):g} s",
        )
    ]
    rows.append(("particles", f"{summary.get('particles', 0):,}"))
    rows.append(
        (
            "contacts",
            f"{summary.get('contacts', 0):,} between particles, {summary.get('wall_contacts', 0):,} with walls",
        )
    )
    for key, unit in (("coordination", ""), ("packing_fraction", ""), ("bed_height", " m"), ("time_step", " s")):
        if summary.get(key) is not None:
            rows.append((key.replace("_", " "), f"{summary[key]:.4g}{unit}"))
    if summary.get("wall_seconds") is not None:
        rows.append(("wall time", f"{summary['wall_seconds']:.1f} s on {summary.get('threads')} threads"))
    if summary.get("engine"):
        rows.append(("code", str(summary["engine"])))
    return rows


def read_exactly(text: str, **options: Any) -> pd.DataFrame:
    """A table in CSV as a data frame of pandas, with numbers that are exact to the last bit."""
    import pandas as pd

    if int(pd.__version__.partition(".")[0]) < 3:
        # later versions know nothing else
        options["float_precision"] = "round_trip"
    table: pd.DataFrame = pd.read_csv(io.StringIO(text), **options)
    return table


def read_table(text: str, library: str, units: Callable[[list[str]], dict[str, str]] = _units.of_columns) -> Any:
    """A table of numbers in CSV as a data frame of pandas or polars."""
    names = text.partition("\n")[0].strip().split(",")
    if library == "pandas":
        table = read_exactly(text)
        for name in table.columns:
            # a column of zeros is no column of whole numbers
            if table[name].dtype.kind == "i" and not _units.is_count(name):
                table[name] = table[name].astype(np.float64)
        table.attrs["units"] = units(names)
        return table
    if library == "polars":
        try:
            import polars as pl
        except ImportError:
            raise ImportError('tables of polars need polars: pip install "granular-dem[polars]"') from None
        types: dict[str, Any] = {name: pl.Int64 if _units.is_count(name) else pl.Float64 for name in names}
        return pl.read_csv(io.StringIO(text), schema_overrides=types)
    raise ValueError(f"library = {library!r}, expected 'pandas' or 'polars'")
