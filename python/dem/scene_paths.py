"""Paths of keys such as ``contact.friction`` or ``walls.floor.shape.radius``, as ``--set`` takes them."""

from __future__ import annotations

from typing import Any

from dem.errors import SceneError
from dem.nearest import suggestion
from dem.toml_text import quoted

_LONGEST = 64


def parse(path: str) -> list[str]:
    """The keys of a path. A key with a dot, a space or ``=`` stands in quotes."""
    if not isinstance(path, str):
        raise SceneError(f"a path of keys is a text such as 'contact.friction', not of the type {type(path).__name__}")
    keys: list[str] = []
    rest = path
    while True:
        rest = rest.lstrip()
        if rest[:1] in ("'", '"'):
            key, closed, rest = rest[1:].partition(rest[0])
            if not closed:
                raise _bad(path, "a quote is never closed")
            rest = rest.lstrip()
        else:
            end = rest.find(".")
            key, rest = (rest, "") if end < 0 else (rest[:end], rest[end:])
            key = key.rstrip()
            if not key:
                raise _bad(path, "a key is empty")
            if any(letter.isspace() or letter == "=" for letter in key):
                raise _bad(path, "a key with spaces must stand in quotes")
        keys.append(key)
        if len(keys) > _LONGEST:
            raise _bad(path, f"it has more than {_LONGEST} keys")
        if not rest:
            return keys
        if not rest.startswith("."):
            raise _bad(path, "a dot is missing after a key in quotes")
        rest = rest[1:]


def find(table: Any, keys: list[str]) -> Any:
    """The value at a path. Raises :class:`KeyError` with the key that is missing."""
    for depth, key in enumerate(keys):
        place = _child(table, key)
        if place is None:
            raise KeyError(_missing(table, keys, depth)[0])
        table = table[place]
    return table


def put(table: dict[str, Any], keys: list[str], value: Any) -> list[str]:
    """Sets the value at a path, or takes it away if it is ``None``.

    Returns the path with numbers for elements of lists. Tables that are missing on the way are made; elements of lists
    must be there.
    """
    numbered: list[str] = []
    parent: Any = table
    for depth, key in enumerate(keys[:-1]):
        place = _child(parent, key)
        if place is None:
            if value is None or not isinstance(parent, dict):
                raise _no_child(parent, keys, depth)
            place = key
            parent[key] = {}
        numbered.append(str(place))
        parent = parent[place]
    place = _child(parent, keys[-1])
    if place is None and (value is None or not isinstance(parent, dict)):
        raise _no_child(parent, keys, len(keys) - 1)
    place = keys[-1] if place is None else place
    numbered.append(str(place))
    if value is None:
        del parent[place]
    else:
        parent[place] = value
    return numbered


def _child(parent: Any, key: str) -> str | int | None:
    """The key or number of what a key of a path means."""
    if isinstance(parent, dict):
        return key if key in parent else None
    if isinstance(parent, list):
        if key.isascii() and key.isdigit():
            return int(key) if int(key) < len(parent) else None
        for index, element in enumerate(parent):
            if isinstance(element, dict) and element.get("name") == key:
                return index
    return None


def _missing(parent: Any, keys: list[str], depth: int) -> tuple[str, list[str]]:
    above = ".".join(map(quoted, keys[:depth])) or "the scene"
    key = keys[depth]
    if isinstance(parent, dict):
        known = list(parent)
        return f"{above} has no key `{key}`; {suggestion(key, known, 'keys')}", known
    if isinstance(parent, list):
        if key.isascii() and key.isdigit():
            return f"{above} has {len(parent)} elements, there is no element {key} (counted from 0)", []
        known = [str(element["name"]) for element in parent if isinstance(element, dict) and "name" in element]
        if not known:
            return f"{above} has no element with the name `{key}`; name an element by its number, counted from 0", []
        return f"{above} has no element with the name `{key}`; {suggestion(key, known, 'names')}", known
    return f"{above} is no table, it has no key `{key}`", []


def _no_child(parent: Any, keys: list[str], depth: int) -> SceneError:
    message, known = _missing(parent, keys, depth)
    return SceneError(message, key=".".join(map(quoted, keys)), allowed=", ".join(known) or None)


def _bad(path: str, reason: str) -> SceneError:
    return SceneError(f"{path!r} is no path of keys: {reason}", key=path)
