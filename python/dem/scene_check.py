"""What ``dem check`` says of a scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dem import _html


class Check(Mapping[str, Any]):
    """What was found out about a scene without running it: the object that ``dem check --json`` prints."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    @property
    def sound(self) -> bool:
        """Whether the scene has no errors."""
        return bool(self._data.get("sound", True))

    @property
    def warnings(self) -> list[str]:
        """What is likely to be wrong, in words."""
        return list(self._data.get("warnings", ()))

    @property
    def time_step(self) -> float:
        """The time step [s]; of an adaptive one the first."""
        return float(self._data["time_step"]["time_step"])

    @property
    def particles(self) -> int | None:
        """How many particles the run has, if that can be told."""
        count = self._data["estimate"]["particles"]
        return None if count is None else round(count)

    @property
    def wall_time(self) -> float | None:
        """How long a run takes on this machine [s], if that can be told."""
        seconds = self._data["estimate"]["wall_time"]
        return None if seconds is None else float(seconds)

    def __str__(self) -> str:
        lines = [f"{name}: {value}" for name, value in self._rows()]
        return "\n".join([*lines, *(f"warning: {warning}" for warning in self.warnings)])

    def __repr__(self) -> str:
        return f"<Check: time step {self.time_step:.4g} s, {len(self.warnings)} warnings>"

    def _repr_html_(self) -> str:
        return _html.table("Check", self._rows()) + _html.items("Warnings", self.warnings)

    def _rows(self) -> list[tuple[str, str]]:
        step = self._data["time_step"]
        estimate = self._data["estimate"]
        rows = [("time step", f"{self.time_step:.4g} s, {step.get('control', '')}".rstrip(", "))]
        bounds = step.get("bounds") or []
        if bounds:
            rows.append(("bounded by", f"{bounds[0]['criterion']} ({bounds[0]['for']})"))
        if self.particles is not None:
            rows.append(("particles", str(self.particles)))
        for name, key, unit in (
            ("steps", "steps", ""),
            ("memory", "memory", " B"),
            ("duration of the run", "wall_time", " s"),
        ):
            if estimate.get(key) is not None:
                rows.append((name, f"{estimate[key]:.3g}{unit}"))
        for pair in self._data.get("contact", ()):
            rows.append((f"contact of {' and '.join(pair['materials'])}", str(pair["law"])))
        rows.append(("domain", str(self._data["domain"]["description"])))
        if estimate.get("first_steps_fail"):
            rows.append(("first steps fail", str(estimate["first_steps_fail"])))
        return rows
