"""Functions that a simulation calls between its steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _engine

if TYPE_CHECKING:
    from .simulation import Simulation

#: Share of a step by which a time may lie ahead and counts as reached, as in the engine.
_TOLERANCE = 1e-6


class Callback:
    """A function that is called every so many steps, or every so much time.

    ``sim.every`` makes them; :meth:`cancel` ends one. The first call is after the first interval; steps and times are multiples of the interval counted from
    the start of the simulation, so that a simulation which goes on from a saved state calls at the same steps.
    """

    def __init__(
        self,
        function: Callable[[Simulation], Any],
        *,
        interval: float | None = None,
        steps: int | None = None,
        step: int,
        time: float,
    ) -> None:
        self.function = function
        #: Time between two calls [s], if it is by time.
        self.interval = interval
        #: Steps between two calls, if it is by steps.
        self.steps = steps
        #: Whether it is called no more.
        self.is_cancelled = False
        self._next_step: int | None = None
        self._count: int | None = None
        self._plan(step, time, 0.0)

    def cancel(self) -> None:
        """Calls the function no more."""
        self.is_cancelled = True

    def _plan(self, step: int, time: float, time_step: float) -> None:
        """Finds when the next call is."""
        if self.steps is not None:
            self._next_step = (step // self.steps + 1) * self.steps
        elif self.interval is not None:
            count = math.floor((time + _TOLERANCE * time_step) / self.interval) + 1
            # a quotient that is rounded down would call twice
            while count * self.interval <= time + _TOLERANCE * time_step:
                count += 1
            self._count = count

    @property
    def next_step(self) -> int | None:
        """Step of the next call, if it is by steps."""
        return self._next_step

    @property
    def next_time(self) -> float | None:
        """Time of the next call [s], if it is by time."""
        return None if self._count is None or self.interval is None else self._count * self.interval

    def _is_due(self, step: int, time: float, time_step: float) -> bool:
        if self._next_step is not None:
            return step >= self._next_step
        next_time = self.next_time
        return next_time is not None and time + _TOLERANCE * time_step >= next_time

    def __repr__(self) -> str:
        when = f"steps={self.steps}" if self.steps is not None else f"interval={self.interval} s"
        return f"<dem.Callback {getattr(self.function, '__name__', self.function)!s}, {when}>"


def interval_of(every: float | str | None, steps: int | None) -> tuple[float | None, int | None]:
    """The interval of a callback, checked: a time [s] or a number of steps, one of the two."""
    if (every is None) == (steps is None):
        raise TypeError('every: expected either a time, as in every("1 ms"), or steps=')
    if steps is not None:
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
            raise ValueError(f"steps: expected a whole number of at least 1, got {steps!r}")
        return None, steps
    assert every is not None
    interval = _engine.quantity(every, "s")
    if interval <= 0.0:
        raise ValueError(f"every: expected a time above 0 s, got {every!r}")
    return interval, None
