"""The calls of a scene that add to it, made from the schema of the engine: ``material``, ``wall``, ``stage`` ..."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

from dem import schema as _schema
from dem.calls import Call, methods, of_scene
from dem.checking import Checker, Problem, plain, scene_error, text_of
from dem.errors import SceneError
from dem.schema import Schema

_Table = dict[str, Any]
_Attempt = tuple[list[Problem], Any]


class SceneMethods:
    """The table of a scene, with a method for each kind of thing in it."""

    def __init__(self, *, folder: str | os.PathLike[str] = ".", **values: Any) -> None:
        self._table: _Table = {}
        self._folder = os.fspath(folder)
        given = {key: value for key, value in values.items() if value is not None}
        self._table.update(_checked(_of_scene, "", lambda call: _top_problems(call, given)))

    def _add(self, name: str, values: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Does what the method ``name`` does; the scene is unchanged if it fails."""
        table = self._table
        _checked(_method, name, lambda call: _add(table, call, values, named))()


def _add(table: _Table, call: Call, values: tuple[Any, ...], named: Mapping[str, Any]) -> _Attempt:
    """What does not fit, and a function that adds it."""
    given = call.bind(values, named)
    if call.kind == "table":
        return _change(table, call, given)
    entry = {key: value for key, value in given.items() if value is not None}
    if call.kind == "map":
        return _enter(table, call, entry)
    return _append(table, call, entry)


def _change(table: _Table, call: Call, given: Mapping[str, Any]) -> _Attempt:
    place = ".".join(call.path)
    changed = plain({key: value for key, value in given.items() if value is not None}, place)
    removed = [key for key, value in given.items() if value is None]
    existing = _inner(table, call.path)
    left = {key: value for key, value in existing.items() if key not in removed}
    path = list(call.path)
    problems = list(_checker().problems(call.node, changed, path, path, partial=True, context=left))

    def add() -> None:
        target = _made(table, call.path)
        for key in removed:
            target.pop(key, None)
        target.update(changed)

    return problems, add


def _enter(table: _Table, call: Call, given: _Table) -> _Attempt:
    path = list(call.path)
    name = given.pop("name", None)
    if not isinstance(name, str) or not name:
        message = f"{call.name}: expected a name, a text, as the first argument"
        return [Problem(path, path, message, allowed=["a text"])], None
    place = [*path, text_of(name, ".".join(path))]
    entry = plain(given, ".".join(place))
    problems = list(_checker().problems(call.node, entry, place, place))
    _inner(table, call.path)
    return problems, lambda: _made(table, call.path).update({name: entry})


def _append(table: _Table, call: Call, given: _Table) -> _Attempt:
    *parents, last = call.path
    existing = _inner(table, tuple(parents)).get(last, [])
    if not isinstance(existing, list):
        raise SceneError(f"{'.'.join(call.path)} is no list, nothing can be appended to it", key=".".join(call.path))
    name = given.get("name")
    told = [*call.path, name if isinstance(name, str) and name else str(len(existing))]
    entry = plain(given, ".".join(told))
    problems = list(_checker().problems(call.node, entry, [*call.path, str(len(existing))], told))

    def add() -> None:
        _made(table, tuple(parents)).setdefault(last, []).append(entry)

    return problems, add


def _checker() -> Checker:
    return Checker(_schema.current())


def _inner(table: _Table, path: tuple[str, ...]) -> _Table:
    """The table at a path; an empty one if there is none."""
    for depth, key in enumerate(path, 1):
        table = table.get(key, {})
        if not isinstance(table, dict):
            place = ".".join(path[:depth])
            raise SceneError(f"{place} is no table", key=place)
    return table


def _made(table: _Table, path: tuple[str, ...]) -> _Table:
    for key in path:
        table = table.setdefault(key, {})
    return table


def _top_problems(call: Call, given: _Table) -> _Attempt:
    node = {"properties": {key: nodes[0] for key, nodes in call.keys.items()}, "additionalProperties": False}
    values = plain(given, "scene")
    return list(_checker().problems(node, values, [], [])), values


def _checked(find: Callable[[Schema, str], Call], name: str, attempt: Callable[[Call], _Attempt]) -> Any:
    """The result of an attempt without problems.

    What the schema does not know may have been registered since it was read: then once more.
    """
    problems, result = attempt(find(_schema.current(), name))
    if problems and _schema.refresh():
        problems, result = attempt(find(_schema.current(), name))
    if problems:
        raise scene_error(problems)
    return result


def _method(schema: Schema, name: str) -> Call:
    if "methods" not in schema.made:
        schema.made["methods"] = methods(schema)
    call: Call = schema.made["methods"][name]
    return call


def _of_scene(schema: Schema, _name: str) -> Call:
    return of_scene(schema)


def _make(call: Call, schema: Schema) -> Callable[..., None]:
    name = call.name

    def method(self: SceneMethods, /, *values: Any, **keys: Any) -> None:
        self._add(name, values, keys)

    method.__name__ = name
    method.__qualname__ = f"Scene.{name}"
    method.__module__ = "dem.scene"
    method.__doc__ = call.documentation(schema)
    method.__signature__ = call.signature(is_method=True).replace(return_annotation=None)  # type: ignore[attr-defined]
    return method


def _scene_signature(call: Call) -> Signature:
    """The signature of the constructor of a scene."""
    parameters = list(call.signature(is_method=True).parameters.values())
    return Signature([*parameters, Parameter("folder", Parameter.KEYWORD_ONLY, default=".")])


def _install(schema: Schema) -> None:
    """Gives the class the methods of a schema."""
    for name, call in methods(schema).items():
        setattr(SceneMethods, name, _make(call, schema))
    SceneMethods.__init__.__signature__ = _scene_signature(of_scene(schema))  # type: ignore[attr-defined]


_install(_schema.current())
