"""Constructors of the tagged tables of a scene: ``dem.plane(normal=[0, 0, 1])``, ``dem.uniform("2 mm", "3 mm")``.

They come from the schema of the engine: each constant of the key ``type`` is one, so that a wall, fill or action that
the engine has is here, too. Where one name stands for several things (``cylinder`` is a wall and a region) the value is
compared with what is expected where it is put. A name that the package uses for something else is always here, as
``dem.builders.NAME``; one that this module itself uses is ``dem.builders.constructor("NAME")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dem import schema as _schema
from dem.calls import Call, constructors, word_of
from dem.checking import Checker, Problem, plain
from dem.errors import SceneError
from dem.nearest import suggestion
from dem.schema import Schema

__all__: list[str]


class Tagged(Mapping[str, Any]):
    """A table with a key ``type``, made by a constructor such as ``dem.plane``. It does not change."""

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table: dict[str, Any] = dict(table)

    def __getitem__(self, key: str) -> Any:
        return self._table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Tagged, (self._table,)

    def __repr__(self) -> str:
        keys = ", ".join(f"{word_of(key)}={value!r}" for key, value in self._table.items() if key != "type")
        return f"{word_of(str(self._table.get('type')))}({keys})"


def names(schema: Schema | None = None) -> list[str]:
    """The names of all constructors."""
    return list(_functions(schema or _schema.current()))


def constructor(name: str, schema: Schema | None = None) -> Callable[..., Any]:
    """The constructor of a name, or of a constant of ``type``. Raises :class:`dem.SceneError` if there is none."""
    word = word_of(name)
    functions = _functions(schema or _schema.current())
    if word not in functions and schema is None and _schema.refresh():
        functions = _functions(_schema.current())
    if word not in functions:
        raise SceneError(
            f"no constructor `{name}`; {suggestion(word, functions, 'names')}", key=name, allowed=", ".join(functions)
        )
    return functions[word]


def _functions(schema: Schema) -> dict[str, Callable[..., Tagged]]:
    if "constructors" not in schema.made:
        schema.made["constructors"] = {name: _function(schema, call) for name, call in constructors(schema).items()}
    made: dict[str, Callable[..., Tagged]] = schema.made["constructors"]
    return made


def _function(schema: Schema, call: Call) -> Callable[..., Tagged]:
    constant = str(call.node["type_constant"])

    def construct(*values: Any, **keys: Any) -> Tagged:
        given = plain(call.bind(values, keys), call.name)
        table = {"type": constant, **given}
        problem = _misfit(schema, call, constant, table)
        if problem is not None:
            raise problem.error()
        return Tagged(table)

    construct.__name__ = construct.__qualname__ = call.name
    construct.__module__ = __name__
    construct.__doc__ = call.documentation(schema)
    construct.__signature__ = call.signature(is_method=False)  # type: ignore[attr-defined]
    return construct


def _misfit(schema: Schema, call: Call, constant: str, table: Mapping[str, Any]) -> Problem | None:
    """The first problem of the union that fits best; ``None`` if one of them takes the table."""
    found: list[list[Problem]] = []
    for union in call.path:
        variant = schema.unions[union].variants[constant]
        problems = list(Checker(schema).of_variant(variant, table, [call.name], [call.name]))
        if not problems:
            return None
        found.append(problems)
    # the one that knows all keys was meant
    return min(found, key=lambda problems: (sum(problem.kind == "unknown" for problem in problems), len(problems)))[0]


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return names()
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    functions = _functions(_schema.current())
    if name not in functions:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}; {suggestion(name, functions, 'names')}",
            name=name,
            obj=None,
        )
    return functions[name]


def __dir__() -> list[str]:
    return sorted({*names(), "Tagged", "constructor", "names"})
