"""What commands return: tables, figures and findings."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _units

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from .results import Run

#: Rows of the first table that a notebook shows.
_ROWS = 20


class Table:
    """A table of a report. :meth:`to_pandas` and :meth:`to_polars` read it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        """Name of the table."""
        return self._path.stem

    @property
    def path(self) -> Path:
        """Its file, in CSV."""
        return self._path

    @property
    def columns(self) -> list[str]:
        """Names of the columns. A unit at the end of a name, as in ``pull_off_N``, is that of the numbers."""
        return next(csv.reader(io.StringIO(self._text())), [])

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns whose names end with one."""
        units = {name: _units.of_heading(name) for name in self.columns}
        return {name: unit for name, unit in units.items() if unit is not None}

    def to_pandas(self) -> pd.DataFrame:
        """The table as a data frame of pandas; empty cells are NaN, ``attrs["units"]`` is :attr:`units`."""
        from .results import read_exactly

        table = read_exactly(self._text(), keep_default_na=False, na_values=["", "NaN"])
        table.attrs["units"] = self.units
        return table

    def to_polars(self) -> pl.DataFrame:
        """The table as a data frame of polars; empty cells are null. Raises ``ImportError`` without polars."""
        try:
            import polars as pl
        except ImportError:
            raise ImportError('tables of polars need polars: pip install "granular-dem[polars]"') from None
        return pl.read_csv(io.StringIO(self._text()), infer_schema_length=None)

    def _text(self) -> str:
        return self._path.read_text(encoding="utf-8")

    def __repr__(self) -> str:
        return f"<dem.Table {self.name!r}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return self.to_pandas().to_html(max_rows=_ROWS, border=0)


class Tables(Mapping[str, Table]):
    """Tables of a report by name, or by number: ``tables[0]`` is the one that the command prints."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._tables = {path.stem: Table(path) for path in paths}

    def __getitem__(self, key: str | int) -> Table:
        if isinstance(key, str):
            if key not in self._tables:
                raise KeyError(f"no table {key!r}; expected one of {', '.join(self._tables)}")
            return self._tables[key]
        try:
            return list(self._tables.values())[key]
        except IndexError:
            raise IndexError(f"table {key} of {len(self)}") from None

    def __contains__(self, key: object) -> bool:
        return key in self._tables

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<dem.Tables: {', '.join(self)}>"


class Report:
    """The results of a command.

    Without ``out`` they lie in a temporary folder, which goes when the report is closed or no longer used.
    """

    def __init__(
        self,
        directory: Path,
        files: Sequence[Path],
        *,
        text: str = "",
        shortfalls: Sequence[str] = (),
        command: Sequence[str] = (),
        temporary: Path | None = None,
    ) -> None:
        self._directory = directory
        self._files = list(files)
        self._text = text
        self._shortfalls = list(shortfalls)
        self._command = list(command)
        self._remove = (
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True) if temporary is not None else None
        )

    @property
    def directory(self) -> Path:
        """Where the results are."""
        return self._directory

    @property
    def files(self) -> list[Path]:
        """The files that the command wrote, those first that it names first."""
        return list(self._files)

    @property
    def command(self) -> list[str]:
        """The arguments of the command."""
        return list(self._command)

    @property
    def text(self) -> str:
        """What the command printed."""
        return self._text

    @property
    def findings(self) -> list[str]:
        """The sentences that say what was found."""
        return [line[2:].strip() for line in self._text.splitlines() if line.startswith("- ")]

    @property
    def shortfalls(self) -> list[str]:
        """What the results are not, though it was asked for; empty if all is well."""
        return list(self._shortfalls)

    @property
    def tables(self) -> Tables:
        """The tables, by name or number."""
        return Tables([path for path in self._files if path.suffix == ".csv"])

    @property
    def figures(self) -> Mapping[str, Path]:
        """The figures by name: files in PNG, most with one in SVG beside them, ``path.with_suffix(".svg")``."""
        found: dict[str, Path] = {}
        for path in self._files:
            if path.suffix == ".png" or (path.suffix == ".svg" and path.stem not in found):
                found[path.stem] = path
        return found

    @property
    def record(self) -> dict[str, Any] | None:
        """The record of a preparation, as that of ``pack``, with its numbers by name; None if the command writes
        none."""
        for path in self._files:
            if path.suffix == ".json" and path.name not in ("summary.json", "beginning.json"):
                content = json.loads(path.read_text(encoding="utf-8"))
                if isinstance(content, dict):
                    return content
        return None

    @property
    def page(self) -> Path | None:
        """The page in HTML with everything, if the command writes one."""
        return next((path for path in self._files if path.suffix == ".html"), None)

    @property
    def run(self) -> Run | None:
        """The run that the directory holds, as that of ``pack``; None if it holds none."""
        from . import results

        return results.open(self._directory) if (self._directory / "series.csv").is_file() else None

    def figure(self, name: str | None = None) -> Any:
        """A figure drawn again with matplotlib: the figure and an array of its axes, shape ``(panels,)``.

        Its curves are taken from the drawing, whose points lie where they belong to one part in some thousand of the
        axes. What is no diagram is shown as an image, in one pair of axes. ``name`` may be left out if there is only
        one figure. Raises ``KeyError`` for a figure that there is not.
        """
        figures = self.figures
        if name is None:
            if len(figures) != 1:
                raise KeyError(f"name a figure: {', '.join(figures)}" if figures else "the report has no figures")
            (name,) = figures
        if name not in figures:
            raise KeyError(f"no figure {name!r}; expected one of {', '.join(figures)}")
        from . import _redraw

        return _redraw.figure(figures[name])

    def close(self) -> None:
        """Removes the results if they lie in a temporary folder. Tables and figures cannot be read any more then."""
        if self._remove is not None:
            self._remove()

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __fspath__(self) -> str:
        return os.fspath(self._directory)

    def __repr__(self) -> str:
        held = f"{len(self.tables)} tables, {len(self.figures)} figures"
        return f"<dem.Report {' '.join(self._command)!r}: {held} in {str(self._directory)!r}>"

    def _repr_html_(self) -> str:
        from . import _html

        parts = [_html.items("Request not met", self.shortfalls), _html.items("Findings", self.findings)]
        tables = self.tables
        if len(tables):
            parts.append(_html.heading(tables[0].name) + tables[0]._repr_html_())
        for name, path in self.figures.items():
            if path.suffix == ".png":
                parts.append(_html.heading(name) + _html.image(path.read_bytes(), 700))
                break
        others = [*list(tables)[1:], *list(self.figures)[1:]]
        if others:
            parts.append(_html.note(f"also: {', '.join(others)}"))
        return "<div>" + "".join(parts) + "</div>"
