"""One instant of a simulation: particles, contacts, walls and rigid bodies.

A :class:`Frame` comes from a run directory (``run.frames[-1]``) or from a simulation (``sim.frame()``) and is the same
in both cases. All numbers are in SI.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from . import _units

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure
    import pandas as pd

Column = tuple[NDArray[Any], str]
Table = Mapping[str, Column]

_COMPONENTS = {3: "xyz", 4: "xyzw"}
#: Up to so many particles :meth:`Frame.to_pyvista` makes a sphere of each unless told otherwise.
_MOST_SPHERES = 20_000


def component_names(name: str, width: int) -> list[str]:
    """Names of the flat columns of a column with several numbers in a row.

    Vectors end with ``_x``, ``_y``, ``_z``, quaternions with ``_w`` besides, all others, principal moments among them,
    with ``_1``, ``_2`` and so on.
    """
    letters = _COMPONENTS.get(width) if name != "moments" else None
    return [f"{name}_{letters[k] if letters else k + 1}" for k in range(width)]


class Frame:
    """The state at the end of one time step.

    ``step`` is the number of steps done, ``time`` the time [s]. ``tables`` has the tables ``particles``, ``contacts``,
    ``walls`` and ``bodies``, those that there are; each maps names of columns to an array of shape ``(rows,)`` or
    ``(rows, numbers)`` and its unit. ``numbers`` are single numbers of the instant with their units. ``metadata`` has
    lists of names under ``materials``, ``walls``, ``sources`` and ``templates``, and the ``title``.
    """

    def __init__(
        self,
        step: int,
        time: float,
        tables: Mapping[str, Table],
        numbers: Mapping[str, tuple[float, str]] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.step = int(step)
        self.time = float(time)
        self._tables = tables
        self._numbers = dict(numbers or {})
        self._metadata = dict(metadata or {})

    # what there is

    @property
    def numbers(self) -> dict[str, float]:
        """Single numbers of the instant in SI, as ``kinetic_energy`` [J]."""
        return {name: value for name, (value, _) in self._numbers.items()}

    @property
    def title(self) -> str:
        """Title of the scene, empty if it is not known."""
        return str(self._metadata.get("title", ""))

    @property
    def materials(self) -> list[str]:
        """Names of the materials; the column ``material`` of particles counts in them from 0."""
        return self._names("materials")

    @property
    def sources(self) -> list[str]:
        """Names of the sources of particles; the column ``source`` of particles counts in them from 0."""
        return self._names("sources")

    @property
    def wall_names(self) -> list[str]:
        """Names of the walls; ``second`` of a contact with a wall counts in them from 0."""
        return self._names("walls")

    @property
    def templates(self) -> list[str]:
        """Names of the shapes of rigid bodies; the column ``template`` of bodies counts in them from 0."""
        return self._names("templates")

    @property
    def cell(self) -> NDArray[np.float64] | None:
        """Edges of the periodic cell [m], shape ``(3, 3)``, one edge in each row. None unless the cell can deform."""
        names = [f"cell_edge_{edge}_{axis}" for edge in (1, 2, 3) for axis in "xyz"]
        if not all(name in self._numbers for name in names):
            return None
        return np.array([self._numbers[name][0] for name in names]).reshape(3, 3)

    def _names(self, kind: str) -> list[str]:
        names = self._metadata.get(kind) or ()
        return names.split("\n") if isinstance(names, str) else [str(name) for name in names]

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            held = ", ".join(self._tables)
            raise KeyError(f"the frame has no table {name!r}, only {held}")
        return self._tables[name]

    # numbers

    @property
    def particle_count(self) -> int:
        """The number of particles."""
        return len(self._table("particles")["radius"][0])

    def arrays(self, table: str) -> dict[str, NDArray[Any]]:
        """Columns of the table ``particles``, ``contacts``, ``walls`` or ``bodies`` as arrays of shape ``(rows,)`` or
        ``(rows, numbers)``.

        The arrays cannot be written to; ``array.copy()`` can. Raises ``KeyError`` for a table that the frame does not
        have.
        """
        return {name: array for name, (array, _) in _loaded(self._table(table)).items()}

    def units(self, table: str) -> dict[str, str]:
        """Units of the columns of :meth:`arrays`; ``1`` is no unit. Raises ``KeyError`` for a table that the frame does
        not have."""
        return {name: unit for name, (_, unit) in _loaded(self._table(table)).items()}

    @property
    def particles(self) -> pd.DataFrame:
        """Particles in order of their ids, which are the index.

        Columns are flat: ``position_x`` [m], ``velocity_x`` [m/s], ``orientation_w`` and so on. ``attrs["units"]`` has
        the units. Each access makes a new table: keep it in a variable.
        """
        return self._frame_of("particles", "id")

    @property
    def contacts(self) -> pd.DataFrame:
        """Contacts in order of (first, partner, second, feature), numbered from 0.

        ``partner`` is 0 for two particles and 1 for a particle and a wall, whose number is then ``second``. The normal
        points from ``first`` to ``second``. Columns are flat, ``attrs["units"]`` has the units. Without contacts in the
        snapshots the table is empty and has no columns.
        """
        import pandas as pd

        if "contacts" not in self._tables:
            empty: pd.DataFrame = pd.DataFrame()
            empty.attrs["units"] = {}
            return empty
        return self._frame_of("contacts", None)

    @property
    def walls(self) -> pd.DataFrame:
        """Walls in order of the scene; their names are the index. Forces are those of the particles on the wall [N]."""
        import pandas as pd

        table = self._frame_of("walls", None)
        names = self.wall_names
        numbers = table["number"].tolist() if "number" in table else list(range(len(table)))
        table.index = pd.Index(
            [names[number] if number < len(names) else str(number) for number in numbers], name="name", dtype=object
        )
        return table

    @property
    def bodies(self) -> pd.DataFrame | None:
        """Rigid bodies in order of their ids, which are the index; None in a scene without any."""
        return self._frame_of("bodies", "id") if "bodies" in self._tables else None

    def _frame_of(self, name: str, index: str | None) -> pd.DataFrame:
        import pandas as pd

        columns: dict[str, NDArray[Any]] = {}
        units: dict[str, str] = {}
        labels: pd.Index[Any] | None = None
        for column, (array, unit) in _loaded(self._table(name)).items():
            if column == index:
                labels = pd.Index(array, name=index)
            elif array.ndim == 1:
                columns[column] = array
                units[column] = unit
            else:
                for k, flat in enumerate(component_names(column, array.shape[1])):
                    columns[flat] = array[:, k]
                    units[flat] = unit
        table: pd.DataFrame = pd.DataFrame(columns, index=labels)
        table.attrs["units"] = units
        return table

    # pictures

    def plot(
        self,
        colour: str | NDArray[Any] | None = "velocity",
        *,
        view: str | None = None,
        ax: matplotlib.axes.Axes | None = None,
        cmap: str = "viridis",
        limits: tuple[float, float] | None = None,
    ) -> tuple[matplotlib.figure.Figure, matplotlib.axes.Axes]:
        """Draws the spheres from the side, each with its radius, near ones over far ones.

        ``colour`` is a column of particles, of a vector its magnitude, a component as in ``velocity_z``, an array of
        shape ``(particles,)``, or None for one colour. ``view`` names the axes to the right and up, by default
        ``"xz"``, or ``"xy"`` for particles in a plane of equal z. ``limits`` are the ends of the colour scale. Returns
        the figure and its axes. Raises ``ValueError`` for an unknown column or view.
        """
        from . import _drawing

        return _drawing.draw(self, colour, view=view, ax=ax, cmap=cmap, limits=limits)

    def to_pyvista(self, spheres: bool | None = None) -> Any:
        """The frame as a ``pyvista.MultiBlock``.

        ``particles`` are points at the centres with all columns of particles, ``contacts`` lines from centre to centre,
        or to the wall, with all columns of contacts, ``bodies`` points at the centres of mass. With ``spheres`` there
        is a block ``spheres`` besides, a surface for each particle; by default up to 20,000 particles have one. Raises
        ``ImportError`` without pyvista.
        """
        try:
            import pyvista
        except ImportError:
            raise ImportError('to_pyvista needs pyvista: pip install "granular-dem[view]"') from None
        from . import _drawing

        if spheres is None:
            spheres = self.particle_count <= _MOST_SPHERES
        return _drawing.blocks(self, pyvista, spheres)

    # display

    def __repr__(self) -> str:
        return f"<dem.Frame: step {self.step}, t = {self.time:g} s, {self.particle_count:,} particles>"

    def _repr_html_(self) -> str:
        from . import _html

        rows = [("step", f"{self.step:,}"), ("time", f"{self.time:g} s")]
        for name in self._tables:
            columns = self._tables[name]
            rows.append((name, f"{len(columns[next(iter(columns))][0]) if columns else 0:,}"))
        for name, (value, unit) in self._numbers.items():
            if not name.startswith("cell_edge"):
                rows.append((name.replace("_", " "), f"{value:.4g}" + ("" if unit == "1" else f" {unit}")))
        return _html.table(self.title or "frame", rows, self._repr_png_())

    def _repr_png_(self) -> bytes | None:
        from . import _drawing

        try:
            return _drawing.small_picture(self)
        except ImportError:
            return None


def column_of(frame: Frame, name: str) -> tuple[NDArray[Any], str, str]:
    """Values of shape ``(particles,)`` of a column of particles, of one of its components, or the magnitude of a
    vector, with unit and text for an axis."""
    table = frame._table("particles")
    if name == "speed" and "velocity" in table:
        name = "velocity"
    if name in table:
        array, unit = table[name]
        if array.ndim == 1:
            return array, unit, _units.label(name, unit)
        text = "speed" if name == "velocity" else f"magnitude of {name}"
        return cast("NDArray[Any]", np.linalg.norm(array, axis=1)), unit, _units.label(text, unit)
    vector = name.rpartition("_")[0]
    if vector in table and table[vector][0].ndim == 2:
        array, unit = table[vector]
        names = component_names(vector, array.shape[1])
        if name in names:
            return array[:, names.index(name)], unit, _units.label(name, unit)
    raise ValueError(
        f"particles have no column {name!r}; expected one of {', '.join(table)}, or a component, as in velocity_z"
    )


def _loaded(table: Table) -> dict[str, Column]:
    """All columns of a table, those of a file read at once, none of which can be written to."""
    load = getattr(table, "load", None)
    if load is not None:
        load()
    return {name: (_locked(array), unit) for name, (array, unit) in table.items()}


def _locked(array: NDArray[Any]) -> NDArray[Any]:
    view: NDArray[Any] = array.view()
    view.flags.writeable = False
    return view


class LazyTables(Mapping[str, Table]):
    """Tables of which each is made when it is first asked for."""

    def __init__(self, makers: Mapping[str, Any]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
