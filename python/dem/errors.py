"""Exceptions of the package. All of them are :class:`Error`."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """Any error of the package."""


class SceneError(Error, ValueError):
    """A scene that cannot be built.

    ``file``, ``line``, ``column`` and ``key`` say where (``None`` where that is not known), ``allowed`` what is expected there;
    ``errors`` has all errors of the scene, as dictionaries with these entries.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
        allowed: str | None = None,
        errors: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.allowed = allowed
        self.errors = errors or []

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


class StepError(Error, RuntimeError):
    """A step that could not be taken. The state stays readable; each cause has a class of its own, with its numbers as attributes."""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.__dict__.update(fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


class NonFiniteError(StepError):
    """A position, force or velocity is NaN or infinite.

    Attributes: ``step``, and ``particle``, its id.
    """

    step: int
    particle: int


class EscapedError(StepError):
    """A particle left the domain through a face that it was not to cross.

    Attributes: ``step``, ``particle`` (its id), ``face`` (``"z_max"``), ``position`` [m].
    """

    step: int
    particle: int
    face: str
    position: list[float]


class HalfTurnError(StepError):
    """A rotation carried as a Rodrigues vector came to half a turn.

    Attributes: ``step``, and ``particle``, its id.
    """

    step: int
    particle: int


class OverlapLimitError(StepError):
    """An overlap is larger than ``limits.overlap``.

    Attributes: ``step``, ``first`` and ``second`` (texts such as ``particle 3`` and ``wall "floor"``), ``ratio`` (the overlap over the smaller radius),
    ``limit``.
    """

    step: int
    first: str
    second: str
    ratio: float
    limit: float


class TooFastError(StepError):
    """A particle moves by more than its radius in a step.

    Attributes: ``step``, ``particle`` (its id), ``partner`` (a text), ``ratio`` (the way in a step over the radius), ``speed`` [m/s], ``time_step`` [s].
    """

    step: int
    particle: int
    partner: str
    ratio: float
    speed: float
    time_step: float


class CreatedEnergyError(StepError):
    """The energy balance has grown beyond ``limits.created_energy``.

    Attributes: ``step``, ``created`` and ``total`` [J], ``limit`` (their largest ratio), ``particle`` (the id of the fastest one), ``speed`` [m/s].
    """

    step: int
    created: float
    total: float
    limit: float
    particle: int
    speed: float


class NotConvergedError(StepError):
    """An implicit integrator could not solve a step.

    Attributes: ``step``, ``time_step`` [s], ``error``, ``tolerance``.
    """

    step: int
    time_step: float
    error: float
    tolerance: float


class StressOutOfReachError(StepError):
    """A stress of the cell cannot be reached.

    Attributes: ``step``, ``component`` (``"xx"``), ``stress`` and ``target`` [Pa, positive in tension], ``strain``.
    """

    step: int
    component: str
    stress: float
    target: float
    strain: float


class ForceOutOfReachError(StepError):
    """A wall cannot press with its force.

    Attributes: ``step``, ``wall`` (its name), ``force`` and ``target`` [N], ``travel`` and ``limit`` [m].
    """

    step: int
    wall: str
    force: float
    target: float
    travel: float
    limit: float


class SavedStateError(Error, ValueError):
    """A saved state that cannot be read, or that belongs to another scene."""


class OverlapError(Error, ValueError):
    """A new particle that does not fit.

    Attributes: ``first`` (its row), ``second`` (the id of the particle or the name of the wall that it overlaps, ``None`` for another new one),
    ``second_row`` (the row of that other new one, or ``None``), ``ratio`` (the overlap over the smaller radius).
    """

    def __init__(
        self, message: str, *, first: int, second: int | str | None = None, second_row: int | None = None, ratio: float
    ) -> None:
        super().__init__(message)
        self.first = first
        self.second = second
        self.second_row = second_row
        self.ratio = ratio

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


class ParticleIdError(Error, KeyError):
    """An id that no particle has (any more)."""

    def __str__(self) -> str:
        return Exception.__str__(self)


class StateError(Error, RuntimeError):
    """A call that the present state of an object does not allow: after ``close``, inside ``raw()``, while another thread or call steps the simulation."""


class ForkError(StateError):
    """A simulation used in a process that was forked after its first step. Start processes with ``spawn``, or use :func:`dem.map`."""


class CommandError(Error, RuntimeError):
    """A command that ended with an error: ``code`` is its exit code, ``command`` its arguments."""

    def __init__(self, message: str, *, code: int, command: list[str]) -> None:
        super().__init__(message)
        self.code = code
        self.command = command

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


class InternalError(Error):
    """A fault of the package itself. Please report it with the message."""


def _again(kind: type[Error], args: tuple[Any, ...], fields: dict[str, Any]) -> Error:
    """Makes an exception again that was pickled, as from another process."""
    made = kind.__new__(kind, *args)
    made.args = args
    made.__dict__.update(fields)
    return made
