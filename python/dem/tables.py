"""Arrays as tables of pandas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


def flat_table(columns: Mapping[str, NDArray[Any]], units: Mapping[str, str], index: str | None = None) -> pd.DataFrame:
    """A table with a column for each component: ``position`` becomes ``position_x``, ``position_y``, ``position_z``. Units are in ``attrs["units"]``."""
    import pandas as pd

    from .frame import component_names

    flat: dict[str, NDArray[Any]] = {}
    known: dict[str, str] = {}
    for name, array in columns.items():
        components = [name] if array.ndim == 1 else component_names(name, array.shape[1])
        for place, component in enumerate(components):
            flat[component] = array if array.ndim == 1 else array[:, place]
            known[component] = units.get(name, "1")
    table: pd.DataFrame = pd.DataFrame(flat)
    if index is not None:
        table = table.set_index(index)
        known.pop(index, None)
    table.attrs["units"] = known
    return table
