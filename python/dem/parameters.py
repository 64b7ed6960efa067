"""Contact parameters of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .simulation import Simulation


class Parameters(MutableMapping[str, Any]):
    """Contact parameters by name, in SI. Assigning changes those of all pairs of materials, as the action ``set_contact`` of a stage does: histories are kept,
    the energy is booked as exchanged, and saved states hold the change."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """Law and parameters of each pair of materials: ``materials`` (two names), ``law``, ``parameters`` by name."""
        found = self._sim._engine.parameters()
        return [{"materials": (a, b), "law": law, "parameters": values} for a, b, law, values in found]

    def set(self, materials: tuple[str, str] | None = None, **values: Any) -> None:
        """Changes parameters of one pair of materials, or of all: ``sim.parameters.set(("glass", "steel"), friction=0.1)``.

        :class:`dem.SceneError` for a name or a value that the law refuses.
        """
        action: dict[str, Any] = {"type": "set_contact", "parameters": values}
        if materials is not None:
            action["materials"] = list(materials)
        self._sim.act(action)

    def __getitem__(self, name: str) -> Any:
        values = [pair["parameters"][name] for pair in self.pairs if name in pair["parameters"]]
        if not values:
            raise KeyError(f"no pair of materials has been given {name!r}: {', '.join(self)}")
        if any(value != values[0] for value in values):
            raise KeyError(f"{name!r} differs between pairs of materials: see parameters.pairs")
        return values[0]

    def __setitem__(self, name: str, value: Any) -> None:
        self.set(**{name: value})

    def __delitem__(self, name: str) -> None:
        raise TypeError("a contact parameter cannot be taken away")

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for pair in self.pairs for name in pair["parameters"]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return f"<dem parameters: {', '.join(self)}>"
