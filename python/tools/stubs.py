"""Writes the stubs that tell editors and type checkers what the schema of scenes gives.

    python tools/stubs.py             # writes dem/builders.pyi and dem/scene_methods.pyi
    python tools/stubs.py --check     # ends with 1 if they are not up to date
    python tools/stubs.py --schema scene.schema.json

The schema is that of the engine, or that of a file.
"""

from __future__ import annotations

import argparse
import keyword
import sys
import textwrap
from collections.abc import Mapping, Sequence
from inspect import Parameter
from pathlib import Path

from dem import schema as engine_schema
from dem.calls import Call, constructors, methods, of_scene, word_of
from dem.schema import Node, Schema, reference, type_name

HEADER = "# Generated from the schema of scenes by tools/stubs.py: change it there.\n"
IMPORTS = """
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray
"""
ALIASES = """
_Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
_Integer: TypeAlias = int | np.integer[Any]
_Bool: TypeAlias = bool | np.bool_
_Quantity: TypeAlias = float | str | np.floating[Any] | np.integer[Any]
_Numbers: TypeAlias = Sequence[_Number] | NDArray[Any]
_Quantities: TypeAlias = Sequence[_Quantity] | NDArray[Any]
_FilePath: TypeAlias = str | os.PathLike[str]
"""
TAGGED = '''
class Tagged(Mapping[str, Any]):
    """A table with a key ``type``, made by a constructor such as ``dem.plane``. It does not change."""

    def __init__(self, table: Mapping[str, Any]) -> None: ...
    def __getitem__(self, key: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]
'''
FUNCTIONS = '''
def names(schema: Schema | None = None) -> list[str]:
    """The names of all constructors."""

def constructor(name: str, schema: Schema | None = None) -> Callable[..., Any]:
    """The constructor of a name, or of a constant of ``type``. Raises :class:`dem.SceneError` if there is none."""
'''
WIDTH = 120


class Types:
    """Types of the values of a schema, with the tables that they need."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.tables: dict[str, Node] = {}

    def of(self, node: Node, name: str) -> str:
        """The type of a value; a table without a name is called ``name``."""
        kinds = [self._one(alternative, name) for alternative in self.schema.alternatives(node)]
        return " | ".join(dict.fromkeys(part for kind in kinds for part in _parts(kind)))

    def any_of(self, nodes: Sequence[Node], name: str) -> str:
        """The type of a value that several nodes describe."""
        return " | ".join(dict.fromkeys(part for node in nodes for part in _parts(self.of(node, name))))

    def _one(self, node: Node, name: str) -> str:
        union = self.schema.union(node)
        if union is not None:
            known = [other.name for other in self.schema.unions.values() if other.variants == union.variants]
            return f"_{known[0]} | dict[str, Any]"
        words = self.schema.words(node)
        if words is not None:
            return f"Literal[{', '.join(map(_text, words))}]"
        if self.schema.quantity(node) is not None:
            return "_Quantity"
        resolved = self.schema.resolve(node)
        if "properties" in resolved:
            called = type_name(reference(node)) if "$ref" in node else name
            self.tables.setdefault(called, resolved)
            return f"_{called} | dict[str, Any]"
        kinds = resolved.get("type")
        kind = next((kind for kind in ([kinds] if isinstance(kinds, str) else kinds or []) if kind != "null"), None)
        if kind == "array":
            return self._list(resolved, name)
        if kind == "object":
            inner = resolved.get("additionalProperties")
            return f"Mapping[str, {self.of(inner, name)}]" if isinstance(inner, Mapping) else "dict[str, Any]"
        is_file = name.endswith(("File", "Path")) or "file" in str(node.get("description", "")).lower()
        if kind == "string" and is_file:
            return "_FilePath"
        return {"number": "_Number", "integer": "_Integer", "boolean": "_Bool", "string": "str"}.get(str(kind), "Any")

    def _list(self, node: Node, name: str) -> str:
        if "prefixItems" in node:
            inner = self.any_of(node["prefixItems"], name)
        else:
            inner = self.of(node["items"], name) if "items" in node else "Any"
        return {"_Quantity": "_Quantities", "_Number": "_Numbers"}.get(inner, f"Sequence[{inner}]")


def _parts(kind: str) -> list[str]:
    """The parts of a union of types that are not inside brackets."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(kind):
        depth += (letter == "[") - (letter == "]")
        if depth == 0 and kind.startswith(" | ", index):
            parts.append(kind[start:index])
            start = index + 3
    return [*parts, kind[start:]]


def builders(schema: Schema) -> str:
    """The stub of the module of constructors, with the types of all tables."""
    types = Types(schema)
    calls = constructors(schema)
    functions = [_function(schema, types, call, indent="") for call in calls.values()]
    for call in methods(schema).values():
        _arguments(types, call)
    unions = sorted(schema.unions)
    classes = [f"class _{name}(Tagged): ..." for name in unions]
    for several in sorted({call.path for call in calls.values() if len(call.path) > 1}):
        classes.append(f"class {result(several)}({', '.join(f'_{name}' for name in several)}): ...")
    exported = "".join(f'    "{name}",\n' for name in calls)
    parts = [
        HEADER + IMPORTS + "\nfrom dem.schema import Schema\n",
        f"__all__ = [\n{exported}]\n",
        ALIASES.strip() + "\n",
        TAGGED.strip() + "\n",
        "\n".join(classes) + "\n",
        *_tables(types),
        *functions,
        FUNCTIONS.strip() + "\n",
    ]
    return "\n".join(parts)


def result(unions: Sequence[str]) -> str:
    """The class of what a constructor returns."""
    return f"_{'Or'.join(unions)}"


def scene_methods(schema: Schema) -> str:
    """The stub of the methods of a scene."""
    types = Types(schema)
    begin = of_scene(schema)
    arguments = _arguments(types, begin)
    arguments = ["self", "*", *arguments, 'folder: str | os.PathLike[str] = "."']
    start = _definition("__init__", arguments, "None", "    ")
    body = [f"    _table: dict[str, Any]\n    _folder: str\n\n{start} ...\n"]
    body += [_function(schema, types, call, indent="    ") for call in methods(schema).values()]
    text = "\n".join(body)
    used = sorted(word for word in _words(text) if word[0] == "_" and word[1:2].isupper())
    imports = f"from dem.builders import (\n{''.join(f'    {name},{chr(10)}' for name in used)})\n"
    collections = [name for name in ("Mapping", "Sequence") if f"{name}[" in text]
    head = f"\nimport os\nfrom collections.abc import {', '.join(collections)}\nfrom typing import Any, Literal\n"
    doc = '"""The table of a scene, with a method for each kind of thing in it."""'
    return f"{HEADER}{head}\n{imports}\nclass SceneMethods:\n    {doc}\n\n{text}"


def _tables(types: Types) -> list[str]:
    """Typed dictionaries of the tables, also of those that are found on the way."""
    written: dict[str, str] = {}
    while len(written) < len(types.tables):
        for name, node in list(types.tables.items()):
            if name not in written:
                written[name] = _table(types, name, node)
    return [written[name] for name in sorted(written)]


def _table(types: Types, name: str, node: Node) -> str:
    fields = {key: types.of(inner, f"{name}{type_name(key)}") for key, inner in node["properties"].items()}
    if all(key.isidentifier() and not keyword.iskeyword(key) for key in fields):
        lines = "".join(_broken(f"    {key}: {kind}") + "\n" for key, kind in fields.items())
        return f"class _{name}(TypedDict, total=False):\n{lines}"
    lines = "".join(_broken(f'        "{key}": {kind},') + "\n" for key, kind in fields.items())
    return f'_{name} = TypedDict(\n    "_{name}",\n    {{\n{lines}    }},\n    total=False,\n)\n'


def _arguments(types: Types, call: Call) -> list[str]:
    """The arguments of a call with their types, without ``self``."""
    arguments = []
    for parameter in call.signature(is_method=False).parameters.values():
        key = _key(call, parameter.name)
        kind = types.any_of(call.keys[key], f"{type_name(call.name)}{type_name(key)}")
        if parameter.kind is Parameter.VAR_POSITIONAL:
            arguments.append(f"*{parameter.name}: {_element(kind)}")
            continue
        begun = call.kind == "scene" or any(word.startswith("*") for word in arguments)
        if parameter.kind is Parameter.KEYWORD_ONLY and not begun:
            arguments.append("*")
        optional = "" if parameter.default is Parameter.empty else " | None = None"
        arguments.append(f"{parameter.name}: {kind}{optional}")
    return arguments


def _key(call: Call, word: str) -> str:
    return next(key for key in call.keys if word_of(key) == word)


def _element(kind: str) -> str:
    """The type of an element of ``Sequence[...]``."""
    return kind.removeprefix("Sequence[").removesuffix("]") if kind.startswith("Sequence[") else "Any"


def _function(schema: Schema, types: Types, call: Call, indent: str) -> str:
    arguments = _arguments(types, call)
    returned = result(call.path) if call.kind == "constructor" else "None"
    head = _definition(call.name, ["self", *arguments] if indent else arguments, returned, indent)
    lines = call.documentation(schema).replace("\\", "\\\\").split("\n")
    documentation = f'"""{lines[0]}"""' if len(lines) == 1 else '"""' + "\n".join([*lines, '"""'])
    return f"{head}\n{textwrap.indent(documentation, f'{indent}    ')}\n"


def _definition(name: str, arguments: Sequence[str], returned: str, indent: str) -> str:
    line = f"{indent}def {name}({', '.join(arguments)}) -> {returned}:"
    if len(line) <= WIDTH:
        return line
    inside = "".join(_broken(f"{indent}    {argument},") + "\n" for argument in arguments)
    return f"{indent}def {name}(\n{inside}{indent}) -> {returned}:"


def _broken(line: str) -> str:
    """A line that is too long, broken inside its first list of words."""
    if len(line) <= WIDTH or "Literal[" not in line:
        return line
    start = line.index("Literal[") + len("Literal[")
    end = line.index("]", start)
    indent = " " * (len(line) - len(line.lstrip()))
    inside = f"{indent}    "
    words = textwrap.fill(
        line[start:end], WIDTH - 1, initial_indent=inside, subsequent_indent=inside, break_on_hyphens=False
    )
    return f"{line[:start]}\n{words},\n{indent}{line[end:]}"


def _text(word: str) -> str:
    return f'"{word}"'


def _words(text: str) -> set[str]:
    return set("".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split())


def stubs(schema: Schema) -> dict[str, str]:
    """All stubs by their file names."""
    return {"builders.pyi": builders(schema), "scene_methods.pyi": scene_methods(schema)}


def main(words: Sequence[str] | None = None) -> int:
    """Writes or compares the stubs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--schema", type=Path, help="file with the schema; default: that of the engine")
    parser.add_argument("--check", action="store_true", help="compare only")
    options = parser.parse_args(words)
    text = options.schema.read_text(encoding="utf-8") if options.schema else None
    schema = Schema.from_text(text) if text is not None else engine_schema.current()
    folder = Path(__file__).resolve().parent.parent / "dem"
    stale = 0
    for name, content in stubs(schema).items():
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        stale += 1
        if options.check:
            print(f"{path} is not up to date: run tools/stubs.py", file=sys.stderr)
        else:
            path.write_text(content, encoding="utf-8", newline="\n")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
