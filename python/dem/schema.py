"""The JSON Schema of scenes, as the engine prints it, and what can be read from it.

Nothing about walls, laws or keys is written down in Python: all names come from here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Node = Mapping[str, Any]
"""A part of a JSON Schema."""

_TAG = "type"


@dataclass(frozen=True)
class Union:
    """A choice between tables that their key ``type`` tells apart, such as the shapes of walls."""

    name: str
    variants: Mapping[str, Node]


class Schema:
    """A JSON Schema with its references resolved on the way."""

    def __init__(self, document: Mapping[str, Any], text: str = "") -> None:
        self.document = document
        self.text = text
        self.made: dict[str, Any] = {}
        """What others made of the schema and want to keep."""
        self._definitions: Mapping[str, Node] = document.get("$defs", {})
        self._unions: dict[str, Union] | None = None

    @classmethod
    def from_text(cls, text: str) -> Schema:
        """The schema of a text in JSON."""
        return cls(json.loads(text), text)

    def resolve(self, node: Node) -> Node:
        """The node that a reference means. Its description says what it is, that of the reference what it is for."""
        while "$ref" in node:
            node = self._definitions[reference(node)]
        return node

    def quantity(self, node: Node) -> str | None:
        """What a number with a unit is: ``a length such as "2.5 mm" or a number in m``. ``None`` if it is none."""
        resolved = self.resolve(node)
        kinds = resolved.get("type")
        if not isinstance(kinds, list) or "number" not in kinds or "string" not in kinds:
            return None
        words = str(resolved.get("description", "")) if "$ref" in node else ""
        return words or "a number in SI units or a text with a unit"

    def alternatives(self, node: Node) -> list[Node]:
        """The alternatives of a node without ``null``, unresolved; the node itself if it is no choice."""
        resolved = self.resolve(node)
        choices: Sequence[Node] | None = resolved.get("anyOf") or resolved.get("oneOf")
        if choices is None or self.union(node) is not None or self.words(node) is not None:
            return [node]
        found = []
        for choice in choices:
            if self.resolve(choice).get("type") != "null":
                found.extend(self.alternatives(choice))
        return found

    def union(self, node: Node) -> Union | None:
        """The union of tagged tables that a node is (not merely one of its alternatives)."""
        resolved = self.resolve(node)
        choices = resolved.get("oneOf") or resolved.get("anyOf")
        if not choices:
            return None
        variants: dict[str, Node] = {}
        for choice in choices:
            variant = self.resolve(choice)
            tag = variant.get("properties", {}).get(_TAG, {})
            constant = self.resolve(tag).get("const") if tag else None
            if not isinstance(constant, str):
                return None
            variants[constant] = variant
        name = type_name(reference(node)) if "$ref" in node else ""
        return Union(name, variants)

    def only_union(self, node: Node) -> Union | None:
        """The union that a node is, perhaps beside ``null``."""
        alternatives = self.alternatives(node)
        return self.union(alternatives[0]) if len(alternatives) == 1 else None

    @property
    def unions(self) -> Mapping[str, Union]:
        """All unions of tagged tables by name. One that is no definition of its own is named by the key that has it."""
        if self._unions is None:
            self._unions = {}
            for _, node in self._nodes():
                union = self.union(node)
                if union is not None and union.name:
                    self._unions.setdefault(union.name, union)
            for key, node in self._nodes():
                union = self.union(node)
                if union is not None and union.variants not in [known.variants for known in self._unions.values()]:
                    name = type_name(key)
                    self._unions.setdefault(name, Union(name, union.variants))
        return self._unions

    def words(self, node: Node) -> list[str] | None:
        """The words of an enumeration, or ``None`` if the node is none."""
        resolved = self.resolve(node)
        if "enum" in resolved:
            values: Sequence[Any] = resolved["enum"]
            return [value for value in values if isinstance(value, str)] or None
        if isinstance(resolved.get("const"), str):
            return [resolved["const"]]
        choices = resolved.get("oneOf") or resolved.get("anyOf")
        if not choices:
            return None
        words: list[str] = []
        for choice in choices:
            if self.resolve(choice).get("type") == "null":
                continue
            more = self.words(choice)
            if more is None:
                return None
            words.extend(word for word in more if word not in words)
        return words or None

    def table(self, node: Node) -> Node | None:
        """The table of keys that a node is, perhaps beside ``null``."""
        alternatives = self.alternatives(node)
        if len(alternatives) != 1:
            return None
        resolved = self.resolve(alternatives[0])
        return resolved if "properties" in resolved else None

    def items(self, node: Node) -> Node | None:
        """What the elements of a list are, if the node is a list, perhaps beside ``null``."""
        alternatives = self.alternatives(node)
        if len(alternatives) != 1:
            return None
        found: Node | None = self.resolve(alternatives[0]).get("items")
        return found

    def _nodes(self) -> Iterator[tuple[str, Node]]:
        """All nodes with the key or definition that they stand under."""
        yield from _walk("Scene", self.document)
        for name, node in self._definitions.items():
            yield from _walk(name, node)


def _walk(key: str, node: Any) -> Iterator[tuple[str, Node]]:
    if not isinstance(node, Mapping):
        return
    yield key, node
    for name, child in node.get("properties", {}).items():
        yield from _walk(name, child)
    for name in ("items", "additionalProperties"):
        yield from _walk(key, node.get(name))
    for name in ("oneOf", "anyOf", "prefixItems"):
        for child in node.get(name, ()):
            yield from _walk(key, child)


def reference(node: Node) -> str:
    """The name of the definition that a node refers to."""
    return str(node["$ref"]).rsplit("/", 1)[-1]


def type_name(name: str) -> str:
    """The name of a definition or key as hints show it: ``ShapeScene`` is ``Shape``, ``wall_probe`` ``WallProbe``."""
    name = name.removesuffix("Scene") or name
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


_current: Schema | None = None


def current() -> Schema:
    """The schema of the engine, read at the first call."""
    global _current
    if _current is None:
        _current = Schema.from_text(_text())
    return _current


def refresh() -> bool:
    """Reads the schema of the engine again, and tells whether it has changed, as by a law that was registered since."""
    global _current
    text = _text()
    if _current is not None and _current.text == text:
        return False
    _current = Schema.from_text(text)
    return True


def _text() -> str:
    from dem import _engine

    return str(_engine.schema())
