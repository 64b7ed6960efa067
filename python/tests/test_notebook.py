"""Progress on a terminal, in a file and in a notebook."""

from __future__ import annotations

import io
import sys
import time
import types
from typing import Any

import pytest

from dem import notebook

STATUS = {
    "step": 12345,
    "time": 0.25,
    "stage": "settle",
    "particles": 1000,
    "contacts": 2500,
    "rate": 7.5e6,
    "done": 0.5,
    "remaining": 75.4,
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_bar_on_a_terminal(clock: Clock) -> None:
    stream = Terminal()
    progress = notebook.Progress("silo", stream=stream)
    progress.show(STATUS)
    written = stream.getvalue()
    assert written.startswith("\rsilo  [############------------]  50 %  [settle], t = 0.25 s, step 12,345")
    clock.now += 0.05
    progress.show(STATUS)
    assert stream.getvalue() == written, "not more than ten times a second"
    clock.now += 0.06
    progress.show({"done": 1.2})
    last = stream.getvalue()[len(written) :]
    # the rest of the longer line is wiped out
    assert last.startswith("\rsilo  [########################] 100 %  ") and len(last) == len(written)
    clock.now += 100
    progress.finish()
    assert stream.getvalue().rstrip(" \n").endswith("took 1:40") and stream.getvalue().endswith("\n")
    end = stream.getvalue()
    progress.finish()
    assert stream.getvalue() == end


def test_lines_in_a_file(clock: Clock) -> None:
    stream = io.StringIO()
    with notebook.Progress(stream=stream) as progress:
        for _ in range(25):
            progress.show(STATUS)
            clock.now += 1
        counts = "step 12,345, 1,000 particles, 2,500 contacts"
        expected = f"50 %, [settle], t = 0.25 s, {counts}, 7.5 M particle-steps/s, 1:15 left\n"
        assert stream.getvalue() == expected * 2
    assert stream.getvalue().splitlines()[-1].endswith("took 0:25") and stream.getvalue().count("\n") == 3


def test_what_is_not_known_is_not_shown() -> None:
    assert notebook.describe({"step": 3, "done": None, "remaining": None, "stage": ""}, 0.0) == ["step 3"]
    assert notebook.describe({"rate": 0.0, "time": 1e-6}, 0.0) == ["t = 1e-06 s"]
    assert [notebook.clock(s) for s in (0.4, 59.6, 3600, 3725.2, float("inf"), float("nan"), -1)] == [
        "0:00",
        "1:00",
        "1:00:00",
        "1:02:05",
        "?",
        "?",
        "?",
    ]


def test_nothing_to_show_and_a_closed_stream() -> None:
    stream = io.StringIO()
    notebook.Progress(stream=stream).finish()
    assert stream.getvalue() == ""
    stream = Terminal()
    progress = notebook.Progress(stream=stream)
    stream.close()
    progress.show(STATUS)
    progress.finish()


def test_a_bar_in_a_notebook(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    shown: list[Any] = []
    handle = types.SimpleNamespace(display=shown.append, update=shown.append)
    display = types.ModuleType("IPython.display")
    display.DisplayHandle = lambda: handle  # type: ignore[attr-defined]
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert notebook.is_watched()
    progress = notebook.Progress("a <b>")
    progress.show(STATUS)
    html = shown[-1]._repr_html_()
    assert "a &lt;b&gt;" in html and "<progress max='1' value='0.5000'" in html and "1:15 left" in html
    assert repr(shown[-1]).startswith("a <b>: 50 %, [settle]")
    progress.show({**STATUS, "done": None})
    assert len(shown) == 2
    clock.now += 1
    progress.show({**STATUS, "done": None})
    assert "value=" not in shown[-1]._repr_html_()
    progress.finish()
    assert "took 0:01" in shown[-1]._repr_html_()


def test_a_shell_in_a_terminal_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not notebook.is_watched()
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert notebook.is_watched()


def test_bar_of_a_run_that_has_come_to_its_end_is_full(clock: Clock) -> None:
    for completed, shown in ((True, "100 %"), (False, " 59 %")):
        stream = Terminal()
        progress = notebook.Progress("pour", stream=stream)
        progress.show({**STATUS, "done": 0.59})
        progress.finish(completed)
        assert shown in stream.getvalue().rsplit("\r", 1)[-1], stream.getvalue()
