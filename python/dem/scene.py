"""Scenes: what a simulation is made of, as plain data."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import dem.builders  # noqa: F401 (so that it is there whenever scenes are)
from dem import _html, scene_paths, toml_text
from dem import schema as _schema
from dem.checking import Checker, plain, scene_error, text_of
from dem.errors import SceneError
from dem.scene_check import Check
from dem.scene_methods import SceneMethods

if TYPE_CHECKING:
    from dem import _engine
    from dem.results import Run
    from dem.simulation import Simulation

_Scene = TypeVar("_Scene", bound="Scene")
_OF_TEXT = "<text>"
_OF_CALLS = "<scene>"
_ENCODING = "utf-8"


class Scene(SceneMethods):
    """A scene: materials, contact law, walls, particles, stages, output.

    It is a table of plain data, that of the scene file: :meth:`to_toml` shows what ``dem run`` would read. Numbers are
    in SI units; a text with a unit such as ``"2.5 mm"`` does as well, and so do numpy numbers and arrays. A key with
    the value ``None`` is not given.

    ``Scene(title="column", seed=1)`` begins an empty one; :meth:`load`, :meth:`from_toml` and :meth:`from_dict` read
    one. Paths of files that it names are relative to ``folder``. Methods for materials, walls, particles and all else
    come from the schema of the engine. They compare names and words at once and raise :class:`dem.SceneError`; the
    engine checks everything when the scene is checked or built.

    Scenes are equal if their tables are; they can be copied and pickled.
    """

    _text: str | None = None
    """The text that the scene was read from."""
    _name: str = _OF_CALLS
    """The file or what stands for it in messages."""
    _overrides: list[str] = []
    """Values set since, as ``--set`` takes them."""
    _as_read: str = ""
    """The table as that text and these values give it."""

    @classmethod
    def load(cls: type[_Scene], path: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> _Scene:
        """Reads a scene file.

        Args:
            path: The file. Files that it names are relative to its folder.
            set: Values to change, by paths of keys: ``{"contact.friction": 0.3}``, see :meth:`set`.

        Raises:
            dem.SceneError: The file is no scene: ``file``, ``line``, ``key``, ``allowed`` and all ``errors``.
            OSError: The file cannot be read.
        """
        name = os.fspath(path)
        content = Path(name).read_bytes()
        try:
            text = content.decode(_ENCODING)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            message = f"{name}: not UTF-8 text, the first bad byte is number {error.start}, in line {line}"
            raise SceneError(message, file=name, line=line) from error
        return cls._read(text, name, os.path.dirname(name), set)

    @classmethod
    def from_toml(
        cls: type[_Scene], text: str, folder: str | os.PathLike[str] = ".", set: Mapping[str, Any] | None = None
    ) -> _Scene:
        """Reads the text of a scene file; files that it names are relative to ``folder``. Otherwise as :meth:`load`."""
        if not isinstance(text, str):
            raise TypeError(f"expected the text of a scene, not a {type(text).__name__}")
        return cls._read(text_of(text, _OF_TEXT), _OF_TEXT, os.fspath(folder), set)

    @classmethod
    def from_dict(cls: type[_Scene], table: Mapping[str, Any], folder: str | os.PathLike[str] = ".") -> _Scene:
        """A scene of a table such as :meth:`to_dict` gives. It is copied, and may lack what is added later.

        Raises:
            dem.SceneError: A key or value that no scene has.
        """
        if not isinstance(table, Mapping):
            raise TypeError(f"expected a table, not a {type(table).__name__}")
        scene = cls(folder=folder)
        scene._table = plain(table, "scene")
        scene._check_at([])
        return scene

    @classmethod
    def _read(cls: type[_Scene], text: str, name: str, folder: str, values: Mapping[str, Any] | None) -> _Scene:
        scene = cls(folder=folder)
        scene._text, scene._name, scene._overrides = text, name, []
        scene._table = _table(text, name, folder)
        scene._as_read = repr(scene._table)
        for path, value in (values or {}).items():
            scene._put(path, value)
        scene._engine_scene()
        return scene

    def set(self, path: str, value: Any) -> None:
        """Changes one value, as ``--set`` of the command does.

        Args:
            path: Keys with dots; an element of a list by its name or its number from 0:
                ``"particles.rain.fill.count"``, ``"walls.1.shape.radius"``. A key with a dot or a space stands in
                quotes. Tables that are missing on the way are made.
            value: The new value; ``None`` takes the key away.

        Raises:
            dem.SceneError: No such element, or a value that cannot stand there. The scene is as before.
        """
        before = copy.deepcopy(self._table), self._overrides, self._as_read
        try:
            numbered = self._put(path, value)
            if value is not None:
                self._check_at(numbered)
        except BaseException:
            self._table, self._overrides, self._as_read = before
            raise

    def _put(self, path: str, value: Any) -> list[str]:
        keys = scene_paths.parse(path)
        was_as_read = self._is_as_read()
        new = plain(value, path)
        numbered = scene_paths.put(self._table, keys, new)
        if was_as_read and new is not None:
            written = ".".join(map(toml_text.quoted, numbered))
            self._overrides = [*self._overrides, f"{written}={toml_text.value_text(new)}"]
            self._as_read = repr(self._table)
        return numbered

    def _check_at(self, path: list[str]) -> None:
        """Raises the first problem at or below a path."""
        for once_more in (True, False):
            schema = _schema.current()
            problems = Checker(schema).problems(schema.document, self._table, [], [], partial=True)
            found = [problem for problem in problems if problem.path[: len(path)] == path]
            if path:
                found = [problem for problem in found if problem.kind != "missing"]
            if not found:
                return
            if not (once_more and _schema.refresh()):
                raise scene_error(found)

    def get(self, path: str, default: Any = None) -> Any:
        """The value at a path of keys as :meth:`set` takes it, or ``default``."""
        try:
            return scene_paths.find(self._table, scene_paths.parse(path))
        except KeyError:
            return default

    def __getitem__(self, key: str) -> Any:
        """A table, list or value at the top: ``scene["contact"]["friction"]``. It is that of the scene, not a copy."""
        return scene_paths.find(self._table, [key])

    def __contains__(self, key: object) -> bool:
        return key in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def to_dict(self) -> dict[str, Any]:
        """A copy of the table: dictionaries, lists, texts, numbers, true and false."""
        table: dict[str, Any] = plain(self._table, "scene")
        return table

    def to_toml(self) -> str:
        """The text of the scene file, which ``dem run`` reads; the text itself if the scene is as it was read."""
        if self._text is not None and not self._overrides and self._is_as_read():
            return self._text
        return toml_text.write(self.to_dict())

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Writes the scene file. Files that the scene names are relative to its folder: save it there.

        Args:
            path: The file.
            force: Whether a file that is there is replaced.

        Raises:
            FileExistsError: The file is there, and not ``force``.
        """
        with open(path, "w" if force else "x", encoding=_ENCODING, newline="\n") as file:
            file.write(self.to_toml())

    @property
    def folder(self) -> str:
        """The folder that paths of files in the scene are relative to."""
        return self._folder

    def check(self) -> Check:
        """What ``dem check`` says, as data: time step, durations, overlaps, warnings. Takes some seconds.

        Raises:
            dem.SceneError: The scene has errors.
        """
        return Check(json.loads(self._engine_scene().check()))

    def build(
        self,
        start: str | os.PathLike[str] | None = None,
        out: str | os.PathLike[str] | None = None,
        force: bool = False,
    ) -> Simulation:
        """Makes the simulation.

        Args:
            start: A checkpoint or snapshots of another run to start from.
            out: A directory for results. Without it nothing is written.
            force: Whether a directory with results is replaced.

        Raises:
            dem.SceneError: The scene has errors.
            FileExistsError: ``out`` holds results, and ``force`` is not given.
            dem.SavedStateError: ``start`` cannot be used.
            dem.StateError: The process is one of several of an MPI launcher.
        """
        from dem.simulation import Simulation, refuse_launchers

        refuse_launchers()
        return Simulation(self._engine_scene().build(_path(start), _path(out), force), self.copy())

    def run(
        self,
        directory: str | os.PathLike[str],
        *,
        until: str | float | None = None,
        steps: int | None = None,
        start: str | os.PathLike[str] | None = None,
        force: bool = False,
        progress: bool = False,
        threads: int | None = None,
    ) -> Run:
        """Runs the scene and writes its results into a directory, as ``dem run`` does.

        Args:
            directory: The directory, which must be new unless ``force``.
            until: Time at which it ends. Default: where the scene ends.
            steps: Steps after which it ends.
            start: A checkpoint or snapshots of another run to start from.
            force: Whether a directory with results is replaced.
            progress: Whether a bar is shown.
            threads: Number of threads. Default: that of the process.

        Raises:
            dem.SceneError: The scene has errors.
            dem.StepError: The run failed; its last state is in the directory.
            FileExistsError: The directory holds results, and ``force`` is not given.
            KeyboardInterrupt: Ctrl-C; the directory has a checkpoint from which ``dem run --restart latest`` goes on.
        """
        from dem import _engine, results

        if threads is not None:
            _engine.set_threads(threads)
        # its end writes what an interrupted run continues from; a failed step has written its last state
        with self.build(start=start, out=directory, force=force) as simulation:
            simulation.run(until=until, steps=steps, progress=progress)
        return results.open(directory)

    def copy(self: _Scene) -> _Scene:
        """A copy that changes by itself."""
        return copy.deepcopy(self)

    def __eq__(self, other: object) -> bool:
        return self._table == other._table if isinstance(other, Scene) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = [f"{name}: {count}" for name, count in self._counts()]
        title = self._table.get("title")
        return f"<Scene {title!r}: {', '.join(counts)}>" if title else f"<Scene: {', '.join(counts) or 'empty'}>"

    def _repr_html_(self) -> str:
        rows = [(name, str(count)) for name, count in self._counts()]
        law = self.get("contact.law")
        if law is not None:
            rows.append(("contact law", str(law)))
        text = escape(self.to_toml())
        title = str(self._table.get("title") or "Scene")
        return f"{_html.table(title, rows)}<details><summary>TOML</summary><pre>{text}</pre></details>"

    def _counts(self) -> list[tuple[str, int]]:
        """Maps and lists of the scene with their sizes."""
        found = []
        for key, value in self._table.items():
            of_tables = isinstance(value, dict) and value and all(isinstance(inner, dict) for inner in value.values())
            if isinstance(value, list) or of_tables:
                # an entry of `particles` is a source of them
                name = "sources" if key == "particles" else key.replace("_", " ")
                found.append((name, len(value)))
        return found

    def _is_as_read(self) -> bool:
        return self._text is not None and repr(self._table) == self._as_read

    def _engine_scene(self) -> _engine.Scene:
        """The scene as the engine reads it.

        While nothing but values has been set since it was read, errors carry the lines of its file.
        """
        from dem import _engine

        if self._text is not None and self._is_as_read():
            return _engine.Scene(self._text, self._name, self._folder, self._overrides)
        return _engine.Scene(toml_text.write(self.to_dict()), _OF_CALLS, self._folder, [])


def _table(text: str, name: str, folder: str) -> dict[str, Any]:
    try:
        return toml_text.read(text)
    except toml_text.TomlError as error:
        from dem import _engine

        # says where; the engine also reads newer TOML than Python does
        resolved = _engine.Scene(text, name, folder, []).resolved()
        try:
            return toml_text.read(resolved)
        except toml_text.TomlError:
            raise SceneError(f"{name}: {error}", file=name) from error


def _path(path: str | os.PathLike[str] | None) -> str | None:
    return None if path is None else os.fspath(path)
