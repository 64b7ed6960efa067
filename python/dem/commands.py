"""Commands of ``dem`` as functions: studies, ``pack``, ``triaxial``, ``probe``, ``compare``, ``validate``, ``profile``,
``merge`` and ``report``.

Functions and their keywords come from the command line itself: ``help(dem.study.sliding)`` shows what there is. Each
runs the command in a process of its own and returns a :class:`dem.Report`. What the command says on the way goes to the
logger ``dem.commands``.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _command_line
from .errors import CommandError
from .nearest import suggestion
from .reports import Report

#: Commands beside the studies that have results.
NAMES = ("pack", "triaxial", "probe", "compare", "validate", "profile", "merge", "report")

_SHORTFALL = "request not met: "
_ERROR = "error: "
#: Where a command says which files it wrote.
_NOTE = "written_by.json"
#: Exit codes of results that are written, but not what was asked for: of all commands, and of ``validate``.
_NOT_MET, _CHECK_FAILED = 3, 1
#: Lines of the messages of a command that failed without an error message of its own.
_LAST_LINES = 20
_log = logging.getLogger(__name__)


class ShortfallWarning(UserWarning):
    """Results of a command that are not what was asked for; ``report.shortfalls`` says why."""


def _command() -> list[str]:
    """The start of every command line."""
    return [sys.executable, "-m", "dem"]


def _environment() -> dict[str, str]:
    """The environment of a command, in which Python finds this very package."""
    path = [str(Path(__file__).resolve().parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


@functools.cache
def _description() -> dict[str, Any]:
    """The command line: names, help texts and arguments of all commands."""
    from . import _engine

    described: dict[str, Any] = json.loads(_engine.commands())
    return described


def _find(path: Sequence[str]) -> Mapping[str, Any]:
    """The description of a command. Raises ``AttributeError`` if there is none of that name."""
    found: Mapping[str, Any] = _description()
    for name in path:
        inner = {_command_line.python_name(command["name"]): command for command in found["commands"]}
        if name not in inner:
            raise AttributeError(f"there is no {' '.join(path)}: {suggestion(name, inner, 'names')}")
        found = inner[name]
    return found


@functools.cache
def _function(*path: str) -> Callable[..., Report]:
    """The function of a command."""
    command = _find(path)
    words = [str(_find(path[: k + 1])["name"]) for k in range(len(path))]
    name = ".".join(path)

    def function(*values: Any, **options: Any) -> Report:
        _command_line.check_names(command, name, options)
        try:
            bound = function.__signature__.bind(*values, **options)  # type: ignore[attr-defined]
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        return _call(words, command, bound.arguments)

    function.__name__ = path[-1]
    function.__qualname__ = name
    function.__doc__ = _command_line.documentation(command, " ".join(["dem", *words]))
    function.__signature__ = _command_line.signature(command, Report)  # type: ignore[attr-defined]
    return function


class Studies:
    """The studies, a function for each: ``study.sliding(...)``. ``dir(study)`` lists them."""

    def __getattr__(self, name: str) -> Callable[..., Report]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _function("study", name)

    def __dir__(self) -> list[str]:
        return [_command_line.python_name(command["name"]) for command in _find(("study",))["commands"]]

    def __repr__(self) -> str:
        return f"<dem.study: {', '.join(dir(self))}>"


#: The studies.
study = Studies()


def __getattr__(name: str) -> Any:
    if name in NAMES:
        return _function(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*NAMES, "Report", "ShortfallWarning", "study"]


# running


def _call(words: list[str], command: Mapping[str, Any], given: Mapping[str, Any]) -> Report:
    """Runs a command and collects its results; a temporary folder for them goes if it fails."""
    values = dict(given)
    arguments = _command_line.arguments_of(command)
    place = _command_line.place_of(arguments)
    is_file = place is not None and arguments[place]["value_name"] == "FILE"
    temporary: Path | None = None
    scenes = Path(tempfile.mkdtemp(prefix="dem_scene_"))
    try:
        if place is not None and values.get(place) is None:
            temporary = Path(tempfile.mkdtemp(prefix="dem_"))
            values[place] = temporary / ("report.html" if is_file else words[-1])
        out = Path(values[place]) if place is not None else Path()
        values = {name: _with_scenes(value, scenes) for name, value in values.items()}
        line = [*words, *_command_line.command_line(command, values)]
        as_json = words == ["validate"]
        code, printed, said = _run([*_command(), *line, *(["--json"] if as_json else [])])
        shortfalls = [text[len(_SHORTFALL) :] for text in said if text.startswith(_SHORTFALL)]
        checks = _checks(printed) if as_json and code in (0, _CHECK_FAILED) else None
        if checks is not None:
            shortfalls += [f"{check['case']}: {check['quantity']}" for check in checks if check["verdict"] != "pass"]
        if (
            code == _NOT_MET
            and not shortfalls
            and not any(text.startswith(_ERROR) for text in said)
            and (out / _NOTE).is_file()
        ):
            shortfalls.append(_message(said, code))
        met = code == 0 or (code == _CHECK_FAILED and checks is not None) or (code == _NOT_MET and bool(shortfalls))
        if not met:
            raise CommandError(_message(said, code), code=code, command=["dem", *line])
        directory, files = (out.parent, [out]) if is_file else (out, _files(out, printed))
        if checks is not None:
            temporary = temporary or Path(tempfile.mkdtemp(prefix="dem_"))
            files.insert(0, _write_checks(checks, temporary))
        text = _summary(checks) if checks is not None else printed
        report = Report(directory, files, text=text, shortfalls=shortfalls, command=["dem", *line], temporary=temporary)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(scenes, ignore_errors=True)
    if shortfalls:
        # the caller of the function that this is part of
        warnings.warn(
            f"dem {' '.join(words)}: request not met: {'; '.join(shortfalls)}", ShortfallWarning, stacklevel=3
        )
    return report


def _run(line: list[str]) -> tuple[int, str, list[str]]:
    """Runs a command: its exit code, what it printed, and what it said on the way.

    Ctrl-C is passed on to the command once each time, and raised when it has ended.
    """
    # in a group of its own, so that a Ctrl-C of the terminal does not reach it twice: the second one would not let it
    # save its state
    process = subprocess.Popen(
        line,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        env=_environment(),
    )
    said: list[str] = []
    printed: list[str] = []
    readers = [
        threading.Thread(target=_listen, args=(process.stderr, said), daemon=True),
        threading.Thread(target=lambda: printed.append(process.stdout.read() if process.stdout else ""), daemon=True),
    ]
    interrupted = False
    try:
        for reader in readers:
            reader.start()
        while True:
            try:
                code = process.wait()
                break
            except KeyboardInterrupt:
                interrupted = True
                process.send_signal(signal.SIGINT)
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        for reader in readers:
            if reader.ident is not None:
                reader.join()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    if interrupted:
        raise KeyboardInterrupt
    return code, "".join(printed), said


def _listen(stream: Any, said: list[str]) -> None:
    for line in stream:
        text = line.rstrip("\n")
        said.append(text)
        level = logging.WARNING if text.lstrip().startswith(("WARN", _SHORTFALL)) else logging.INFO
        _log.log(level, "%s", text)


def _message(said: list[str], code: int) -> str:
    """What a command that failed said last: all from its first error on."""
    for k, text in enumerate(said):
        if text.startswith(_ERROR):
            return "\n".join(said[k:])[len(_ERROR) :].strip()
    if said:
        return "\n".join(said[-_LAST_LINES:]).strip()
    return f"the command ended by signal {-code}" if code < 0 else f"the command ended with exit code {code}"


def _files(directory: Path, printed: str) -> list[Path]:
    """The files that a command wrote, in the order in which it names them, then those that only its note has."""
    found: dict[Path, None] = {}
    for line in printed.splitlines():
        # a text that is far too long for a path is not one
        if len(line) < 4096 and line.startswith(str(directory)) and Path(line).is_file():
            found[Path(line)] = None
    note = directory / _NOTE
    if note.is_file():
        for name in json.loads(note.read_text(encoding="utf-8"))["files"]:
            found.setdefault(directory / name, None)
    # copies of what the scene of a run names are no results
    return [path for path in found if path.parent.name not in ("tables", "meshes")]


def _with_scenes(value: Any, folder: Path) -> Any:
    """A scene becomes a file in a temporary folder, a list its elements."""
    if isinstance(value, (list, tuple)):
        return [_with_scenes(element, folder) for element in value]
    if not (hasattr(value, "to_toml") and hasattr(value, "to_dict")):
        return value
    from . import toml_text

    table = value.to_dict()
    text = toml_text.write(table) if _anchor(table, Path(os.path.abspath(value.folder))) else value.to_toml()
    path = Path(tempfile.mkdtemp(dir=folder)) / "scene.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _anchor(table: Any, folder: Path) -> bool:
    """Makes the paths of files that a scene names absolute; says whether there were any that were not."""
    changed = False
    if isinstance(table, list):
        for inner in table:
            changed = _anchor(inner, folder) or changed
    elif isinstance(table, dict):
        for key, inner in table.items():
            if key in ("file", "path", "table") and isinstance(inner, str):
                if not os.path.isabs(inner) and (folder / inner).is_file():
                    table[key] = str(folder / inner)
                    changed = True
            else:
                changed = _anchor(inner, folder) or changed
    return changed


# validate


def _checks(printed: str) -> list[dict[str, Any]] | None:
    try:
        checks: list[dict[str, Any]] = json.loads(printed)
    except ValueError:
        return None
    return checks


def _write_checks(checks: list[dict[str, Any]], directory: Path) -> Path:
    """The checks as a table in a temporary folder."""
    import csv

    path = directory / "checks.csv"
    names = ["case", "quantity", "reference", "result", "tolerance", "verdict", "tier", "source", "weakness"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(checks)
    return path


def _summary(checks: list[dict[str, Any]]) -> str:
    passed = sum(check["verdict"] == "pass" for check in checks)
    return f"- {passed} of {len(checks)} checks pass.\n"
