"""The calls that the schema of scenes gives: constructors of tagged tables, and methods of a scene that add to it.

Rules:

- Each constant of the key ``type`` in a union of tables (shapes, regions, sizes, fills, actions ...) is a constructor
  of that name. Keys that must be there may be given in their order without names.
- A table at the top of a scene (``contact``, ``time``) is a method that changes its keys.
- A map of named tables (``materials``) is a method in the singular (``material``) that takes the name first.
- A list of tables (``walls``) is a method in the singular that appends one: name first, then what must be there, but
  for texts, which refer to others by their names and are keywords. A list of tagged tables in it (``actions``) may
  follow without a name.
- A list of tables inside a table (``output.regions``) is a method with the names of both (``output_region``).
"""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

from dem.checking import KINDS
from dem.schema import Node, Schema

_SINGULARS = {"particles": "particles"}
_WIDTH = 100


@dataclass(frozen=True)
class Call:
    """A callable of the schema: which keys it takes, and in which order without names."""

    name: str
    kind: str
    """``constructor``, ``table``, ``map``, ``list`` or ``scene``."""
    path: tuple[str, ...]
    """Where its table is in a scene; of a constructor the unions that it belongs to."""
    keys: Mapping[str, list[Node]]
    """Keys with what their values are; a constructor of several unions has several."""
    positional: tuple[str, ...]
    required: frozenset[str]
    starred: str | None
    description: str
    node: Node
    """The table itself; of a constructor that of its first union."""

    @property
    def keywords(self) -> list[str]:
        """Keys that must be named, those that must be there first."""
        left = [key for key in self.keys if key not in self.positional and key != self.starred]
        return sorted(left, key=lambda key: key not in self.required)

    def bind(self, values: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """The keys of a call with the values that they are given.

        Values without a name are those of :attr:`positional`, then of :attr:`starred`.
        """
        given: dict[str, Any] = dict(zip(self.positional, values, strict=False))
        more = values[len(self.positional) :]
        if more and self.starred is None:
            names = ", ".join(self.positional)
            taken = f"{len(self.positional)} without a name ({names})" if names else "none without a name"
            raise TypeError(f"{self.name}() takes {taken}, but {len(values)} were given")
        if more and self.starred is not None:
            given[self.starred] = list(more)
        for word, value in named.items():
            key = key_of(word)
            if key in given:
                raise TypeError(f"{self.name}() got several values for `{word}`")
            given[key] = value
        return given

    def signature(self, *, is_method: bool) -> Signature:
        """The signature that help and editors show."""
        positional = Parameter.POSITIONAL_OR_KEYWORD
        parameters = [Parameter("self", positional)] if is_method else []
        for key in self.positional:
            default = Parameter.empty if key in self.required else None
            parameters.append(Parameter(word_of(key), positional, default=default))
        if self.starred:
            parameters.append(Parameter(self.starred, Parameter.VAR_POSITIONAL))
        for key in self.keywords:
            default = Parameter.empty if key in self.required else None
            parameters.append(Parameter(word_of(key), Parameter.KEYWORD_ONLY, default=default))
        return Signature(parameters)

    def documentation(self, schema: Schema) -> str:
        """The docstring: what it is, and what each key means."""
        lines = [*textwrap.wrap(_sentence(self.description), _WIDTH), ""] if self.description else []
        if self.kind == "constructor":
            lines += [f"For {' and '.join(_plural(name) for name in self.path)}.", ""]
        ordered = [*self.positional, *([self.starred] if self.starred else []), *self.keywords]
        if ordered:
            lines.append("Args:")
        for key in ordered:
            text = " / ".join(dict.fromkeys(_meaning(schema, node) for node in self.keys[key]))
            entry = f"{word_of(key)}: {text}"
            lines += textwrap.wrap(entry, _WIDTH, initial_indent="    ", subsequent_indent="        ")
        return "\n".join(lines).rstrip()


def constructors(schema: Schema) -> dict[str, Call]:
    """The constructors of tagged tables by their names in Python."""
    found: dict[str, list[tuple[str, str, Node]]] = {}
    for union in schema.unions.values():
        for constant, node in union.variants.items():
            found.setdefault(word_of(constant), []).append((union.name, constant, node))
    return {name: _constructor(name, variants) for name, variants in sorted(found.items())}


def _constructor(name: str, variants: list[tuple[str, str, Node]]) -> Call:
    keys: dict[str, list[Node]] = {}
    orders = []
    required: set[str] | None = None
    for _, _, node in variants:
        needed = [key for key in node.get("required", ()) if key != "type"]
        orders.append(needed)
        required = set(needed) if required is None else required & set(needed)
        for key in [*needed, *node.get("properties", {})]:
            if key != "type" and node["properties"][key] not in keys.setdefault(key, []):
                keys[key].append(node["properties"][key])
    keys.pop("type", None)
    longest = max(orders, key=len)
    if not all(longest[: len(order)] == order for order in orders):
        shared = zip(*orders, strict=False)
        longest = [group[0] for group in shared if len(set(group)) == 1]
    description = " ".join(
        dict.fromkeys(_sentence(str(node.get("description", ""))) for _, _, node in variants)
    ).strip()
    unions = tuple(union for union, _, _ in variants)
    node = {**variants[0][2], "type_constant": variants[0][1]}
    return Call(name, "constructor", unions, keys, tuple(longest), frozenset(required or ()), None, description, node)


def methods(schema: Schema) -> dict[str, Call]:
    """The methods of a scene that add to it, by name."""
    found: dict[str, Call] = {}
    for key, node in schema.document["properties"].items():
        call = _method(schema, key, node, ())
        if call is None:
            continue
        found[call.name] = call
        if call.kind == "table":
            for inner, inside in call.node.get("properties", {}).items():
                below = _method(schema, inner, inside, (key,))
                if below is not None and below.kind == "list":
                    found[below.name] = below
    return found


def _method(schema: Schema, key: str, node: Node, parents: tuple[str, ...]) -> Call | None:
    description = str(node.get("description", ""))
    path = (*parents, key)
    table = schema.table(node)
    if table is not None:
        required = [name for name in table.get("required", ())]
        return Call(word_of(key), "table", path, _keys(table), tuple(required), frozenset(), None, description, table)
    alternatives = schema.alternatives(node)
    resolved = schema.resolve(alternatives[0]) if len(alternatives) == 1 else {}
    entry = resolved.get("additionalProperties")
    if isinstance(entry, Mapping) and "properties" not in resolved:
        table = schema.table(entry)
        if table is None:
            return None
        keys = {"name": [_NAME], **_keys(table)}
        required = ["name", *table.get("required", ())]
        text = (
            f"{_sentence(str(table.get('description', description)))} An entry that has the name already is replaced."
        )
        return Call(singular(key), "map", path, keys, ("name",), frozenset(required), None, text, table)
    item = schema.items(node)
    table = schema.table(item) if item is not None else None
    if table is None:
        return None
    required = list(table.get("required", ()))
    properties = table["properties"]
    if required[:1] == ["name"] or "name" in required:
        others = [
            name for name in required if name != "name" and schema.resolve(properties[name]).get("type") != "string"
        ]
        positional = ["name", *others]
    else:
        positional = required
    starred = _starred(schema, table)
    if starred is not None:
        positional = [name for name in positional if name == "name"]
    name = "_".join([*parents, singular(key)])
    text = str(table.get("description", description))
    return Call(name, "list", path, _keys(table), tuple(positional), frozenset(required), starred, text, table)


def of_scene(schema: Schema) -> Call:
    """The plain values at the top of a scene, which its constructor takes."""
    tables = {call.path[0] for call in methods(schema).values()}
    keys = {key: [node] for key, node in schema.document["properties"].items() if key not in tables}
    description = str(schema.document.get("description", ""))
    return Call("Scene", "scene", (), keys, (), frozenset(), None, description, schema.document)


_NAME: Node = {"type": "string", "description": "Name, by which others refer to it."}


def _keys(table: Node) -> dict[str, list[Node]]:
    return {key: [node] for key, node in table.get("properties", {}).items()}


def _starred(schema: Schema, table: Node) -> str | None:
    """The only key that is a list of tagged tables."""
    found = []
    for key, node in table.get("properties", {}).items():
        item = schema.items(node)
        if item is not None and schema.union(item) is not None:
            found.append(key)
    return found[0] if len(found) == 1 and found[0] not in table.get("required", ()) else None


def singular(key: str) -> str:
    """The singular of a key: ``walls`` is ``wall``, ``bodies`` is ``body``."""
    if key in _SINGULARS:
        return _SINGULARS[key]
    if key.endswith("ies"):
        return f"{key[:-3]}y"
    return key[:-1] if key.endswith("s") and not key.endswith("ss") else f"{key}_entry"


def _plural(name: str) -> str:
    name = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def word_of(key: str) -> str:
    """A key as a word of Python: ``from`` is ``from_``, ``rotation-vector`` is ``rotation_vector``."""
    word = key.replace("-", "_")
    return f"{word}_" if keyword.iskeyword(word) else word


def key_of(word: str) -> str:
    """The key that a word of Python means."""
    return word[:-1] if word.endswith("_") and keyword.iskeyword(word[:-1]) else word


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def _meaning(schema: Schema, node: Node) -> str:
    """What a key means and takes."""
    text = _sentence(str(node.get("description", "")))
    kinds = [kind(schema, alternative) for alternative in schema.alternatives(node)]
    taken = " or ".join(dict.fromkeys(known for known in kinds if known))
    return f"{text} Takes {taken}." if taken and taken != text.rstrip(".") else text


def kind(schema: Schema, node: Node) -> str:
    """What a value is, in words."""
    union = schema.union(node)
    if union is not None:
        return f"one of {', '.join(map(word_of, union.variants))}"
    words = schema.words(node)
    if words is not None:
        return ", ".join(f'"{word}"' for word in words)
    resolved = schema.resolve(node)
    quantity = schema.quantity(node)
    if quantity is not None:
        return quantity
    item = resolved.get("items")
    if item is not None:
        size = resolved.get("minItems")
        count = f" of {size}" if size is not None and size == resolved.get("maxItems") else ""
        inner = " or ".join(kind(schema, alternative) for alternative in schema.alternatives(item))
        return f"a list{count}, each {inner}" if inner else f"a list{count}"
    if "properties" in resolved:
        return f"a table of {', '.join(resolved['properties'])}" if len(resolved["properties"]) <= 14 else "a table"
    kinds = resolved.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds or []
    return " or ".join(KINDS[word] for word in kinds if word in KINDS)
