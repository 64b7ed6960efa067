"""Reads and writes TOML as people write scenes."""

from __future__ import annotations

import datetime
import math
import re
import sys
from collections.abc import Mapping
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib as _reader
else:
    import tomli as _reader  # type: ignore[import-not-found, unused-ignore]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LINE = 120
_DATES = (datetime.date, datetime.time)

TomlError = _reader.TOMLDecodeError
"""A text that is not TOML."""


def read(text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises :data:`TomlError`."""
    table: dict[str, Any] = _reader.loads(text)
    return table


def write(table: Mapping[str, Any]) -> str:
    """The text of a table of plain data: plain values first, then ``[table]``, ``[map.name]`` and ``[[list]]``.

    Tables inside these are written in one line.
    """
    plain, blocks = [], []
    for key, value in table.items():
        if isinstance(value, Mapping):
            blocks.extend(_table(key, value))
        elif isinstance(value, list) and value and all(isinstance(element, Mapping) for element in value):
            blocks.extend(_block(f"[[{quoted(key)}]]", element) for element in value)
        else:
            plain.append(_line(key, value))
    if plain:
        blocks.insert(0, "\n".join(plain))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def value_text(value: Any) -> str:
    """A value in one line, as it stands behind ``=``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{quoted(key)} = {value_text(inner)}" for key, inner in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, _DATES):
        return value.isoformat()
    raise TypeError(f"a {type(value).__name__} cannot be written as TOML")


def quoted(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else _text(key)


def _table(key: str, table: Mapping[str, Any]) -> list[str]:
    if table and all(isinstance(value, Mapping) for value in table.values()):
        return [_block(f"[{quoted(key)}.{quoted(name)}]", value) for name, value in table.items()]
    return [_block(f"[{quoted(key)}]", table)]


def _block(header: str, table: Mapping[str, Any]) -> str:
    return "\n".join([header, *(_line(key, value) for key, value in table.items())])


def _line(key: str, value: Any) -> str:
    line = f"{quoted(key)} = {value_text(value)}"
    if len(line) <= _LINE or not isinstance(value, (list, tuple)):
        return line
    if not any(isinstance(element, (Mapping, list, tuple)) for element in value):
        return line
    inside = "".join(f"  {value_text(element)},\n" for element in value)
    return f"{quoted(key)} = [\n{inside}]"


def _text(text: str) -> str:
    def escaped(letter: str) -> str:
        if letter in _ESCAPES:
            return _ESCAPES[letter]
        return f"\\u{ord(letter):04X}" if ord(letter) < 32 or ord(letter) == 127 else letter

    return f'"{"".join(map(escaped, text))}"'
