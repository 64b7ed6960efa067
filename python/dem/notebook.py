"""Progress of a run: a bar in a terminal or notebook, lines in a file."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Mapping
from html import escape
from typing import Any, TextIO

from . import _html

#: Seconds between two updates of a bar, and between two lines of a file.
_BAR_PERIOD, _LINE_PERIOD = 0.1, 10.0
_WIDTH = 24


class Progress:
    """Shows how far a run is.

    In a Jupyter notebook that is a bar below the cell, on a terminal a line with a bar on standard error, which is
    written over and over, elsewhere a line on standard error every 10 s. ``status`` has the keys ``step``, ``time``
    [s], ``stage``, ``particles``, ``contacts``, ``rate`` [particle-steps/s], ``done`` (the share that is done, from 0
    to 1, or None) and ``remaining`` (seconds, or None); what is missing is not shown.
    """

    def __init__(self, title: str = "", *, stream: TextIO | None = None) -> None:
        self._title = title
        self._stream = sys.stderr if stream is None else stream
        self._handle = _notebook_handle() if stream is None else None
        self._is_terminal = self._handle is None and _is_terminal(self._stream)
        self._began = time.monotonic()
        self._period = _BAR_PERIOD if self._handle is not None or self._is_terminal else _LINE_PERIOD
        # a bar is there at once, a line of a file only after the first period
        self._due = self._began if self._period == _BAR_PERIOD else self._began + self._period
        self._status: dict[str, Any] = {}
        self._shown = False
        self._width = 0

    def show(self, status: Mapping[str, Any]) -> None:
        """Shows the state of the run if it is time to. Cheap enough for every step."""
        self._status = dict(status)
        now = time.monotonic()
        if now >= self._due:
            self._due = now + self._period
            self._draw(finished=False)

    def finish(self, completed: bool = True) -> None:
        """Shows the last state and leaves the bar, full if the run has come to its end. A second call does nothing."""
        if self._status:
            if completed:
                self._status = {**self._status, "done": 1.0, "remaining": 0.0}
            self._draw(finished=True)
        if self._is_terminal and self._shown:
            self._write("\n")
        self._status, self._shown = {}, False
        self._is_terminal = False
        self._handle = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()

    def _draw(self, finished: bool) -> None:
        texts = describe(self._status, time.monotonic() - self._began, finished)
        share = _share(self._status.get("done"))
        self._shown = True
        if self._handle is not None:
            self._handle.update(_Bar(self._title, texts, share))
        elif self._is_terminal:
            bar = "" if share is None else f"{_bar(share)} {100 * share:3.0f} %  "
            line = f"{self._title + '  ' if self._title else ''}{bar}{', '.join(texts)}"
            line = line[: _columns(self._stream) - 1]
            self._write("\r" + line + " " * max(0, self._width - len(line)))
            self._width = len(line)
        else:
            part = [] if share is None else [f"{100 * share:.0f} %"]
            self._write(f"{self._title + ': ' if self._title else ''}{', '.join([*part, *texts])}\n")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            # a closed standard error ends no run
            pass


def is_watched() -> bool:
    """Whether somebody looks: standard error is a terminal, or a kernel of Jupyter runs this."""
    return _shell() is not None or _is_terminal(sys.stderr)


def describe(status: Mapping[str, Any], elapsed: float, finished: bool = False) -> list[str]:
    """The parts of a line of progress."""
    texts = []
    if status.get("stage"):
        texts.append(f"[{status['stage']}]")
    if status.get("time") is not None:
        texts.append(f"t = {status['time']:.4g} s")
    for key in ("step", "particles", "contacts"):
        if status.get(key) is not None:
            texts.append(f"step {status[key]:,}" if key == "step" else f"{status[key]:,} {key}")
    if status.get("rate"):
        texts.append(f"{status['rate'] / 1e6:.3g} M particle-steps/s")
    if finished:
        texts.append(f"took {clock(elapsed)}")
    elif status.get("remaining") is not None:
        texts.append(f"{clock(status['remaining'])} left")
    return texts


def clock(seconds: float) -> str:
    """Seconds as minutes and seconds, with hours if there are any."""
    if not 0 <= seconds < 1e9:
        return "?"
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class _Bar:
    """The bar of a notebook."""

    def __init__(self, title: str, texts: list[str], share: float | None) -> None:
        self._title, self._texts, self._share = title, texts, share

    def _repr_html_(self) -> str:
        value = "" if self._share is None else f" value='{self._share:.4f}'"
        percent = "" if self._share is None else f"{100 * self._share:.0f} % "
        return (
            f"{_html.heading(self._title) if self._title else ''}<div>"
            f"<progress max='1'{value} style='width:16em'></progress> {percent}{escape(', '.join(self._texts))}</div>"
        )

    def __repr__(self) -> str:
        percent = [] if self._share is None else [f"{100 * self._share:.0f} %"]
        return f"{self._title + ': ' if self._title else ''}{', '.join([*percent, *self._texts])}"


def _share(done: Any) -> float | None:
    return None if done is None else min(max(float(done), 0.0), 1.0)


def _bar(share: float) -> str:
    full = int(share * _WIDTH)
    return "[" + "#" * full + "-" * (_WIDTH - full) + "]"


def _columns(stream: TextIO) -> int:
    import os

    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20)
    except (OSError, ValueError):
        return 80


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _shell() -> Any:
    """The shell of a kernel of Jupyter; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    # a shell of IPython in a terminal has no kernel
    return shell if hasattr(shell, "kernel") else None


def _notebook_handle() -> Any:
    """A place below the cell that can be updated; None outside of a notebook."""
    if _shell() is None:
        return None
    handle = importlib.import_module("IPython.display").DisplayHandle()
    handle.display(_Bar("", [], None))
    return handle
