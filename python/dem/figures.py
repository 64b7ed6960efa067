"""Figures of runs with matplotlib, to be restyled for a paper: energies, coordination and profiles as the command has them.

``plot(run)`` draws all of them, ``plot.energy(run)`` and the others one each and return the figure and its axes.
Nothing is saved: call ``figure.savefig("energy.pdf")``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union, cast

import numpy as np
from numpy.typing import NDArray

from . import _units
from .results import Run
from .results import open as _open

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure
    import pandas as pd

    Figure = tuple[matplotlib.figure.Figure, NDArray[Any]]

Source = Union[Run, str, "os.PathLike[str]"]

#: Colours of the plots of the command, to be told apart by everybody.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#404040")
#: Most lines of a panel of profiles.
_MOST_LINES = 16

# of each panel: title, label of the y axis, whether it is logarithmic, columns with their labels
_Panel = tuple[str, str, bool, tuple[tuple[str, str], ...]]
_ENERGY: tuple[_Panel, ...] = (
    (
        "Energy",
        "energy [J]",
        False,
        (
            ("kinetic_energy", "kinetic"),
            ("gravity_energy", "gravity"),
            ("friction_work", "friction"),
            ("viscous_work", "damping"),
            ("exchanged_energy", "brought in"),
        ),
    ),
    ("Kinetic energy", "energy [J]", True, (("kinetic_translation", "translation"), ("kinetic_rotation", "rotation"))),
)
_COORDINATION: tuple[_Panel, ...] = (
    (
        "Coordination",
        "coordination number [-]",
        False,
        (("coordination", "all"), ("coordination_without_rattlers", "without rattlers")),
    ),
    ("Particles", "number [-]", False, (("particles", "present"), ("rattlers", "rattlers"))),
)


class Plot:
    """Draws figures of runs: ``plot(run)`` all, ``plot(run, "energy")`` or ``plot.energy(run)`` one of them.

    A run is a :class:`dem.Run` or the path of its directory. Each figure comes as a pair of the figure and an array of
    its axes, shape ``(panels,)``.
    """

    names = ("energy", "coordination", "profiles")

    def __call__(self, run: Source, name: str | None = None) -> Any:
        """One figure by its name, or a dictionary of all that have something to show.

        Raises ``ValueError`` for a name that is none of ``energy``, ``coordination`` and ``profiles``, or if that
        figure has nothing to show.
        """
        if name is not None:
            if name not in self.names:
                raise ValueError(f"name = {name!r}, expected one of {', '.join(self.names)}")
            return getattr(self, name)(run)
        opened = _run(run)
        drawn: dict[str, Any] = {}
        for each in self.names:
            try:
                drawn[each] = getattr(self, each)(opened)
            except NothingToShow:
                continue
        return drawn

    def energy(self, run: Source) -> Figure:
        """Energies [J] over time [s], kinetic energies in a panel of their own with a logarithmic axis."""
        return _over_time(_run(run).series, _ENERGY)

    def coordination(self, run: Source) -> Figure:
        """Coordination numbers, and numbers of particles and rattlers, over time [s]."""
        return _over_time(_run(run).series, _COORDINATION)

    def profiles(self, run: Source) -> Figure:
        """The last averages of the wall probes: pressure and shear [Pa] and mobilised friction over the position [m],
        pressure around the wall [deg].

        Raises ``ValueError`` for a run without wall probes or without a row of theirs.
        """
        opened = _run(run)
        table = opened.profiles
        if table is None or not len(table):
            raise NothingToShow(f"{opened.directory} has no averages of wall probes")
        return _profiles(table, _wall_names(opened))

    def series(
        self,
        run: Source | pd.DataFrame,
        x: str = "time",
        *ys: str,
        labels: Sequence[str] | None = None,
        log: bool = False,
    ) -> Figure:
        """Columns of the series, or of any other table, over another column.

        Columns with the same unit share a panel; the labels of the axes have the units. ``labels`` are texts for the
        legend, ``log`` makes the y axes logarithmic. Raises ``ValueError`` for columns that the table does not have.
        """
        import pandas as pd

        table = run if isinstance(run, pd.DataFrame) else _run(run).series
        if not ys:
            raise ValueError("plot.series needs at least one column besides that of the x axis")
        missing = [name for name in (x, *ys) if name not in table]
        if missing:
            raise ValueError(
                f"the table has no column {missing[0]!r}; expected one of {', '.join(map(str, table.columns))}"
            )
        if labels is not None and len(labels) != len(ys):
            raise ValueError(f"{len(labels)} labels for {len(ys)} columns")
        units = cast("dict[str, str]", table.attrs.get("units", {}))
        groups: dict[str | None, list[tuple[str, str]]] = {}
        for k, name in enumerate(ys):
            groups.setdefault(units.get(name), []).append(
                (name, labels[k] if labels is not None else name.replace("_", " "))
            )
        figure, axes = _panels(len(groups))
        for ax, (unit, curves) in zip(axes, groups.items(), strict=True):
            for k, (name, label) in enumerate(curves):
                ax.plot(table[x], table[name], color=COLOURS[k % len(COLOURS)], label=label)
            text = _units.label(curves[0][0], unit) if len(curves) == 1 else _units.label("", unit).strip()
            _finish(ax, _units.label(x, units.get(x)), text, log, legend=len(curves) > 1 or labels is not None)
        return figure, axes


class NothingToShow(ValueError):
    """A figure that would be empty."""


def _run(run: Source) -> Run:
    return run if isinstance(run, Run) else _open(run)


def _panels(count: int) -> tuple[matplotlib.figure.Figure, NDArray[Any]]:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(count, 1, figsize=(7, 0.6 + 2.6 * count), layout="constrained", squeeze=False)
    return figure, axes[:, 0]


def _finish(ax: matplotlib.axes.Axes, x: str, y: str, log: bool, *, legend: bool = True) -> None:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if log:
        ax.set_yscale("log")
    ax.grid(True, color="#e3e6ea")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    if legend:
        ax.legend(frameon=False)


def _drawable(values: NDArray[np.float64], log: bool) -> NDArray[np.float64]:
    """Values with gaps where a run diverged, and where a logarithmic axis has no place for them."""
    hidden = ~(np.abs(values) < 1e300)
    if log:
        hidden |= values <= 0
    return np.where(hidden, np.nan, values)


def _over_time(series: pd.DataFrame, panels: tuple[_Panel, ...]) -> Figure:
    time = series["time"].to_numpy(float)
    shown = []
    for title, y, log, columns in panels:
        curves = [(label, _drawable(series[name].to_numpy(float), log)) for name, label in columns if name in series]
        if any(np.isfinite(values).any() for _, values in curves):
            shown.append((title, y, log, curves))
    if not shown:
        raise NothingToShow("the series has nothing to show")
    figure, axes = _panels(len(shown))
    for ax, (title, y, log, curves) in zip(axes, shown, strict=True):
        for k, (label, values) in enumerate(curves):
            ax.plot(time, values, color=COLOURS[k % len(COLOURS)], label=label)
        ax.set_title(title, loc="left")
        _finish(ax, "time [s]", y, log)
    return figure, axes


def _wall_names(run: Run) -> list[str]:
    """Names of the walls of the scene, as far as they are known."""
    frames = run.frames
    return frames[0].wall_names if len(frames) else []


def _profiles(table: pd.DataFrame, walls: list[str]) -> Figure:
    last = table[table["step"] == table["step"].max()]
    probes = sorted(last["probe"].unique())
    ones = np.ones(len(last))
    over_position = (
        ("pressure [Pa]", "pressure", ones),
        ("shear along [Pa]", "shear_along", ones),
        ("mobilised friction [-]", "mobilised_friction", last["contacts"].to_numpy(float)),
    )
    panels: list[tuple[str, str, list[tuple[str, NDArray[Any], NDArray[Any]]]]] = []
    for y, column, weight in over_position:
        curves = [
            (_probe_label(last, probe, walls), *_averages(last, probe, column, weight, "bin", "position"))
            for probe in probes[:_MOST_LINES]
        ]
        panels.append(("position [m]", y, curves))
    cut = [probe for probe in probes if (last.loc[last["probe"] == probe, "sector"] > 0).any()]
    if cut:
        curves = []
        for probe in cut[:_MOST_LINES]:
            angle, pressure = _averages(last, probe, "pressure", ones, "sector", "angle")
            curves.append((_probe_label(last, probe, walls), np.degrees(angle), pressure))
        panels.append(("angle [deg]", "pressure [Pa]", curves))
    panels = [panel for panel in panels if any(np.isfinite(y).any() for _, _, y in panel[2])]
    figure, axes = _panels(len(panels))
    for ax, (x, y, lines) in zip(axes, panels, strict=True):
        for k, (label, across, up) in enumerate(lines):
            ax.plot(
                across,
                up,
                color=COLOURS[k % len(COLOURS)],
                ls="--" if k // len(COLOURS) % 2 else "-",
                marker="." if len(across) == 1 else "",
                label=label,
            )
        _finish(ax, x, y, log=False)
    return figure, axes


def _probe_label(rows: pd.DataFrame, probe: int, walls: list[str]) -> str:
    wall = int(rows.loc[rows["probe"] == probe, "wall"].iloc[0])
    return f"{walls[wall] if wall < len(walls) else 'wall'} ({probe})"


def _averages(
    rows: pd.DataFrame, probe: int, column: str, weight: NDArray[Any], number: str, place: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Weighted means over the rows of a probe that have the same number, with their places."""
    own = (rows["probe"] == probe).to_numpy()
    part = rows[own]
    weights = weight[own]
    values = np.where(weights > 0, part[column].to_numpy(float), 0.0)
    numbers = part[number].to_numpy(int)
    sums = np.bincount(numbers, weights * values)
    total = np.bincount(numbers, weights)
    x = np.full(len(total), np.nan)
    x[numbers] = part[place].to_numpy(float)
    with np.errstate(invalid="ignore"):
        return x, sums / total


#: Draws figures of runs; see :class:`Plot`.
plot = Plot()
