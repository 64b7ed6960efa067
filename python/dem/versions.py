"""What a report of a fault needs."""

from __future__ import annotations

import importlib.metadata
import platform
import sys

from . import _engine

_PACKAGES = ("numpy", "pandas", "h5py", "matplotlib", "pyvista", "polars", "scipy")


def show_versions() -> dict[str, str]:
    """Versions of the package, Python, the machine and the packages it works with. Please add them to reports of faults."""
    found = {
        "granular-dem": _engine.version(),
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "processor": platform.machine(),
        "contacts are computed with": _engine.lanes(),
        "threads": str(_engine.threads()),
    }
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
