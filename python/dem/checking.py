"""Checks values against the schema while a scene is put together.

The engine has the last word and knows more (units, ranges, which keys belong together). These checks find slips where
they are made, and refuse nothing that the engine takes.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dem.errors import SceneError
from dem.nearest import nearest, suggestion
from dem.schema import Node, Schema, Union
from dem.toml_text import quoted, value_text

_DEEPEST = 64
_LARGEST = 2**63 - 1
_LONGEST_QUANTITY = 80
_LONGEST_SHOWN = 60


@dataclass
class Problem:
    """Something that does not fit: where, what, and what is allowed.

    ``path`` has numbers for elements of lists, ``told`` their names.
    """

    path: list[str]
    told: list[str]
    message: str
    help: str | None = None
    allowed: list[str] = field(default_factory=list)
    kind: str = "value"
    """``value``, ``unknown`` key or ``missing`` key."""

    def entry(self) -> dict[str, Any]:
        """As the engine lists errors."""
        place = {"file": None, "line": None, "column": None, "key": dotted(self.path)}
        return {**place, "allowed": ", ".join(self.allowed) or None, "message": self.text}

    @property
    def text(self) -> str:
        """The whole message."""
        return self.message if self.help is None else f"{self.message}; {self.help}"

    def error(self) -> SceneError:
        """The exception that says so."""
        return scene_error([self])


def scene_error(problems: list[Problem]) -> SceneError:
    """The exception of several problems, which tells the first."""
    first = problems[0]
    text = first.text
    if len(problems) > 1:
        text = f"{text} (and {len(problems) - 1} more, see `errors`)"
    allowed = ", ".join(first.allowed) or None
    return SceneError(text, key=dotted(first.path), allowed=allowed, errors=[problem.entry() for problem in problems])


def dotted(path: list[str]) -> str:
    """A path of keys as ``--set`` takes it."""
    return ".".join(map(quoted, path))


def plain(value: Any, place: str) -> Any:
    """A value as plain data.

    Numpy numbers and arrays, tuples, ranges, paths and tagged tables become numbers, lists, texts and tables. Keys of
    tables with the value ``None`` are left out. ``place`` is the key that an error names.
    """
    if value is None or isinstance(value, (bool, datetime.date, datetime.time)):
        return value
    if isinstance(value, str):
        return text_of(value, place)
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise _unfit(place, "is a whole number of more than 64 bits")
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind not in "biufUO":
            raise _unfit(place, f"has the data type {value.dtype}, expected numbers, texts, true or false")
        listed = value.tolist()
        return plain(listed, place) if value.dtype.kind in "uUO" else listed
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if place.count(".") > _DEEPEST:
        raise _unfit(place.split(".")[0], "is nested too deeply")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise _unfit(place, f"has the key {key!r}, expected a text")
        return {
            text_of(key, place): plain(inner, f"{place}.{key}") for key, inner in value.items() if inner is not None
        }
    if isinstance(value, (list, tuple, range)):
        return [_element(inner, f"{place}.{index}") for index, inner in enumerate(value)]
    if hasattr(value, "__array__"):
        # a column of a table, for example
        array = np.asarray(value)
        if array.ndim > 0:
            return plain(array, place)
    raise _unfit(
        place, f"is of the type {type(value).__name__}, expected a number, a text, true or false, a list or a table"
    )


def text_of(value: str, place: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _unfit(place, f"is {value!r}, which is no valid text") from None
    return str(value)


def _element(value: Any, place: str) -> Any:
    if value is None:
        raise _unfit(place, "is None, which a list cannot hold")
    return plain(value, place)


def _unfit(place: str, message: str) -> SceneError:
    path = place.split(".")
    return Problem(path, path, f"{place} {message}").error()


class Checker:
    """Compares plain data with a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def problems(
        self,
        node: Node,
        value: Any,
        path: list[str],
        told: list[str],
        *,
        partial: bool = False,
        context: Mapping[str, Any] | None = None,
    ) -> Iterator[Problem]:
        """All that does not fit.

        With ``partial`` keys of the outermost table may be missing; ``context`` are further keys that it has.
        """
        union = self.schema.union(node)
        if union is not None:
            yield from self._of_union(union, value, path, told)
            return
        alternatives = self.schema.alternatives(node)
        if len(alternatives) == 1:
            yield from self._of_node(alternatives[0], value, path, told, partial, context or {})
            return
        found = [list(self.problems(alternative, value, path, told)) for alternative in alternatives]
        if all(found):
            yield self._of_choice(alternatives, found, value, path, told)

    def _of_node(
        self, node: Node, value: Any, path: list[str], told: list[str], partial: bool, context: Mapping[str, Any]
    ) -> Iterator[Problem]:
        union = self.schema.union(node)
        if union is not None:
            yield from self._of_union(union, value, path, told)
            return
        resolved = self.schema.resolve(node)
        words = self.schema.words(node)
        if words is not None:
            if not isinstance(value, str):
                message = f"{shown(told, value)}, expected a word"
                yield Problem(path, told, message, f"known values: {', '.join(words)}", words)
            elif value not in words:
                yield Problem(
                    path, told, f"{shown(told, value)} is not known here", suggestion(value, words, "values"), words
                )
            return
        kinds = resolved.get("type")
        if kinds is None and "properties" in resolved:
            kinds = "object"
        if kinds is None:
            return
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        quantity = self.schema.quantity(node)
        if not any(_is_kind(kind, value) for kind in kinds):
            expected = quantity or " or ".join(KINDS.get(kind, kind) for kind in kinds if kind != "null")
            yield Problem(path, told, f"{shown(told, value)}, expected {expected}", allowed=[expected])
        elif isinstance(value, str):
            pattern = resolved.get("pattern")
            if pattern and len(value) <= _LONGEST_QUANTITY and not re.search(pattern, value):
                expected = quantity or f"a text of the form {pattern}"
                yield Problem(path, told, f"{shown(told, value)}, expected {expected}", allowed=[expected])
        elif isinstance(value, list) and "array" in kinds:
            yield from self._of_list(resolved, value, path, told)
        elif isinstance(value, Mapping) and "object" in kinds:
            yield from self._of_table(resolved, value, path, told, partial, context)
        elif isinstance(value, int) and not isinstance(value, bool) and value < resolved.get("minimum", value):
            expected = f"at least {resolved['minimum']}"
            yield Problem(path, told, f"{shown(told, value)}, expected {expected}", allowed=[expected])

    def _of_list(self, node: Node, value: list[Any], path: list[str], told: list[str]) -> Iterator[Problem]:
        least, most = node.get("minItems", 0), node.get("maxItems")
        if len(value) < least or (most is not None and len(value) > most):
            expected = str(least) if least == most else f"at least {least}" if most is None else f"{least} to {most}"
            message = f"{shown(told, value)} has {len(value)} elements, expected {expected}"
            yield Problem(path, told, message, allowed=[f"{expected} elements"])
            return
        prefixed = node.get("prefixItems", ())
        for index, element in enumerate(value):
            item = prefixed[index] if index < len(prefixed) else node.get("items")
            if item is not None:
                yield from self.problems(item, element, [*path, str(index)], [*told, _name_of(element, index)])

    def _of_table(
        self,
        node: Node,
        value: Mapping[str, Any],
        path: list[str],
        told: list[str],
        partial: bool,
        context: Mapping[str, Any],
    ) -> Iterator[Problem]:
        known: list[str] = list(node.get("properties", {}))
        others = node.get("additionalProperties", True)
        admitted = self._admitted(node, {**context, **value})
        for key, inner in value.items():
            below, shown_below = [*path, key], [*told, key]
            if admitted is not None and key not in admitted:
                yield _unknown_key(below, told, key, admitted)
            elif key in node.get("properties", {}):
                yield from self.problems(node["properties"][key], inner, below, shown_below)
            elif others is False or (others is not True and known):
                yield _unknown_key(below, told, key, known)
            elif others is not True:
                yield from self.problems(others, inner, below, shown_below)
        if not partial:
            for key in node.get("required", ()):
                if key not in value:
                    yield Problem(path, told, _about(told, f"missing key `{key}`"), allowed=[key], kind="missing")

    def _admitted(self, node: Node, value: Mapping[str, Any]) -> list[str] | None:
        """The keys that conditions of the table admit, as those of a law; ``None`` if no condition holds."""
        for condition in node.get("allOf", ()):
            wanted = condition.get("if", {}).get("properties", {})
            holds = wanted and all(
                value.get(key) == self.schema.resolve(test).get("const") for key, test in wanted.items()
            )
            names = condition.get("then", {}).get("propertyNames", {}).get("enum")
            if holds and names:
                return list(names)
        return None

    def _of_union(self, union: Union, value: Any, path: list[str], told: list[str]) -> Iterator[Problem]:
        tags = list(union.variants)
        if isinstance(value, list):
            return
        if not isinstance(value, Mapping):
            message = f"{shown(told, value)}, expected a table with `type`"
            yield Problem(path, told, message, f"known values of `type`: {', '.join(tags)}", tags)
        elif "type" not in value:
            yield Problem(path, told, _about(told, "missing key `type`"), f"known values: {', '.join(tags)}", tags)
        elif not isinstance(value["type"], str) or value["type"] not in union.variants:
            help = suggestion(str(value["type"]), tags, "values")
            yield Problem(
                [*path, "type"], told, f"{shown([*told, 'type'], value['type'])} is not known here", help, tags
            )
        else:
            yield from self.of_variant(union.variants[value["type"]], value, path, told)

    def of_variant(
        self, variant: Node, value: Mapping[str, Any], path: list[str], told: list[str]
    ) -> Iterator[Problem]:
        """All that does not fit one table of a union; its key ``type`` is taken for granted."""
        properties = {key: node for key, node in variant.get("properties", {}).items() if key != "type"}
        required = [key for key in variant.get("required", ()) if key != "type"]
        node = {**variant, "properties": properties, "required": required}
        yield from self._of_table(
            node, {key: inner for key, inner in value.items() if key != "type"}, path, told, False, {}
        )

    def _of_choice(
        self, alternatives: list[Node], found: list[list[Problem]], value: Any, path: list[str], told: list[str]
    ) -> Problem:
        """One problem for a value that none of several alternatives takes."""
        # an alternative whose form fits and whose contents do not is the one that was meant
        inside = [
            problems
            for problems in found
            if all(len(problem.path) > len(path) or problem.kind == "missing" for problem in problems)
        ]
        if len(inside) == 1:
            return inside[0][0]
        words = [word for alternative in alternatives for word in self.schema.words(alternative) or ()]
        expected = list(
            dict.fromkeys(allowed for problems in found for problem in problems for allowed in problem.allowed)
        )
        meant = nearest(value, words) if isinstance(value, str) else None
        help = f"did you mean `{meant}`? " if meant else ""
        return Problem(
            path, told, f"{shown(told, value)} does not fit", f"{help}expected one of: {', '.join(expected)}", expected
        )


def _unknown_key(path: list[str], told: list[str], key: str, known: list[str]) -> Problem:
    return Problem(path, told, _about(told, f"unknown key `{key}`"), suggestion(key, known, "keys"), known, "unknown")


def _about(told: list[str], message: str) -> str:
    return f"{dotted(told)}: {message}" if told else message


def shown(told: list[str], value: Any) -> str:
    """``key = value``, cut where it is long."""
    try:
        text = value_text(value)
    except TypeError:
        text = repr(value)
    if len(text) > _LONGEST_SHOWN:
        text = f"{text[:_LONGEST_SHOWN]}…"
    return f"{dotted(told)} = {text}" if told else text


def _name_of(element: Any, index: int) -> str:
    name = element.get("name") if isinstance(element, Mapping) else None
    return name if isinstance(name, str) and name else str(index)


KINDS: Mapping[str, str] = {
    "number": "a number",
    "integer": "a whole number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a table",
}


def _is_kind(kind: str, value: Any) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "string":
        return isinstance(value, (str, datetime.date, datetime.time))
    if kind == "array":
        return isinstance(value, list)
    # the engine takes a list of the values of a table, too
    return isinstance(value, (Mapping, list)) if kind == "object" else False
