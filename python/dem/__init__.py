"""Discrete element simulations of granular matter.

A :class:`Scene` says what is simulated, :class:`Simulation` runs it in this process, :func:`open` reads the results of a run::

    scene = dem.Scene.load("silo.toml", set={"contact.friction": 0.3})
    sim = scene.build()
    sim.run(until="0.5 s")
    sim.particles.position            # (n, 3) in order of ids

Numbers are in SI units; texts with a unit, as in ``"2.5 mm"``, are understood wherever a number is.
"""

from __future__ import annotations

import os as _os
from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from . import _engine, errors
from .callbacks import Callback
from .errors import (
    CommandError,
    CreatedEnergyError,
    Error,
    EscapedError,
    ForceOutOfReachError,
    ForkError,
    HalfTurnError,
    InternalError,
    NonFiniteError,
    NotConvergedError,
    OverlapError,
    OverlapLimitError,
    ParticleIdError,
    SavedStateError,
    SceneError,
    StateError,
    StepError,
    StressOutOfReachError,
    TooFastError,
)
from .scene import Scene
from .simulation import Simulation
from .versions import show_versions

if TYPE_CHECKING:
    from .builders import *  # noqa: F403
    from .commands import ShortfallWarning, compare, merge, pack, probe, profile, report, study, triaxial, validate
    from ._snapshots import Frames
    from .ensemble import EnsembleError, map
    from .figures import plot
    from .frame import Frame
    from .reports import Report
    from .results import Run, open

__version__: str = _engine.version()

# what is read when it is first asked for, so that the import is fast
_LATER = {
    "Frame": "frame",
    "Frames": "_snapshots",
    "Report": "reports",
    "EnsembleError": "ensemble",
    "ShortfallWarning": "commands",
    "Run": "results",
    "open": "results",
    "map": "ensemble",
    "plot": "figures",
    **dict.fromkeys(("study", "pack", "triaxial", "probe", "compare", "validate", "profile", "report", "merge"), "commands"),
}

__all__ = [
    "Callback",
    "CommandError",
    "CreatedEnergyError",
    "EnsembleError",
    "Error",
    "EscapedError",
    "ForceOutOfReachError",
    "ForkError",
    "Frame",
    "Frames",
    "HalfTurnError",
    "InternalError",
    "NonFiniteError",
    "NotConvergedError",
    "OverlapError",
    "OverlapLimitError",
    "ParticleIdError",
    "Report",
    "Run",
    "SavedStateError",
    "Scene",
    "SceneError",
    "ShortfallWarning",
    "Simulation",
    "StateError",
    "StepError",
    "StressOutOfReachError",
    "TooFastError",
    "compare",
    "errors",
    "laws",
    "map",
    "merge",
    "open",
    "pack",
    "plot",
    "probe",
    "profile",
    "quantity",
    "report",
    "set_threads",
    "show_versions",
    "study",
    "threads",
    "triaxial",
    "validate",
]


def quantity(value: float | str, unit: str) -> float:
    """A number in SI from a number or a text with a unit.

    ``unit`` is the SI unit of its dimension: ``dem.quantity("2 mm", "m")`` is 0.002. A text of another dimension is a ``ValueError``.
    """
    return _engine.quantity(value, unit)


def laws() -> list[str]:
    """Names of the contact laws that this build knows."""
    return _engine.laws()


def set_threads(count: int) -> None:
    """Sets the number of threads of all simulations of this process.

    To be called before the first scene is read; :class:`StateError` once there are threads. Without it there are as many as cores, or as
    ``RAYON_NUM_THREADS`` says. Results are the same to the bit for any number.
    """
    _engine.set_threads(count)


def threads() -> int:
    """Number of threads of a simulation."""
    return _engine.threads()


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(_import_module(f".{_LATER[name]}", __name__), name)
    if not name.startswith("_"):
        builders = _import_module(".builders", __name__)
        if name in builders.names():
            return builders.constructor(name)
        nearest = _import_module(".nearest", __name__).nearest
        meant = nearest(name, [*__all__, *builders.names()])
        hint = f"; did you mean {meant!r}?" if meant else ""
    else:
        hint = ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    builders = _import_module(".builders", __name__)
    return sorted({*__all__, *_LATER, *builders.names(), "__version__"})


# a process that is forked has none of the threads
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_engine.forget_threads)
