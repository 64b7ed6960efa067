"""From the description of a command line to functions and back to arguments."""

from __future__ import annotations

import inspect
import keyword
import os
import textwrap
from collections.abc import Mapping
from typing import Any

from .nearest import suggestion
from .toml_text import value_text

#: What functions need no keyword for: results come as tables, and nothing is printed.
_LEFT_OUT = frozenset({"json", "verbose", "quiet", "help", "version"})

Argument = Mapping[str, Any]


def arguments_of(command: Mapping[str, Any]) -> dict[str, Argument]:
    """The arguments of a command by the names that Python has for them, positional ones first."""
    named: dict[str, Argument] = {}
    for argument in sorted(command["arguments"], key=lambda argument: not argument["positional"]):
        name = argument["long"] or argument["name"]
        if name not in _LEFT_OUT:
            named[python_name(name)] = argument
    return named


def place_of(arguments: Mapping[str, Argument]) -> str | None:
    """The argument that says where results go, if the command has one."""
    return next((name for name in ("out", "report") if name in arguments and not arguments[name]["positional"]), None)


def python_name(name: str) -> str:
    """A name as Python writes it: dashes become underscores, and ``from`` becomes ``from_``."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def signature(command: Mapping[str, Any], returns: Any) -> inspect.Signature:
    """Positional arguments first, all options by keyword; None leaves an option out."""
    parameters = []
    for name, argument in arguments_of(command).items():
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if argument["positional"] else inspect.Parameter.KEYWORD_ONLY
        default = inspect.Parameter.empty if argument["required"] else False if argument["values"] == "none" else None
        parameters.append(inspect.Parameter(name, kind, default=default))
    # Python wants positional parameters with a default behind those without
    parameters.sort(
        key=lambda parameter: (
            parameter.kind,
            parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.default is None,
        )
    )
    return inspect.Signature(parameters, return_annotation=returns)


def documentation(command: Mapping[str, Any], path: str) -> str:
    """A docstring from the help texts."""
    text = [f"{str(command['about'] or path).rstrip('.')}.", "", f"Runs the command ``{path}``.", "", "Args:"]
    arguments = arguments_of(command)
    place = place_of(arguments)
    for name, argument in arguments.items():
        parts = [" ".join(str(argument["help"] or argument["value_name"] or "").split()).rstrip(".") + "."]
        if name == place:
            what = "File of the page" if argument["value_name"] == "FILE" else "Directory for the results"
            parts = [f"{what}. Default: a temporary folder that goes with the report."]
        if argument["choices"]:
            parts.append(f"One of {', '.join(argument['choices'])}.")
        if argument["default"] is not None:
            parts.append(f"Default: {argument['default']}.")
        text.append(
            textwrap.fill(f"{name}: {' '.join(parts)}", 120, initial_indent="    ", subsequent_indent="        ")
        )
    text += [
        "",
        'Numbers with a dimension are texts with their unit, as in ``"100 kPa"``. Lists stand for several values,',
        "dictionaries for tables as in a scene; None leaves an option out.",
        "",
        "Returns:",
        "    A :class:`dem.Report` with the tables, figures and findings.",
        "",
        "Raises:",
        "    TypeError: An unknown keyword, or a value of the wrong kind.",
        "    dem.CommandError: The command refused its arguments or failed.",
    ]
    return "\n".join(text)


def check_names(command: Mapping[str, Any], path: str, given: Mapping[str, Any]) -> None:
    """Raises ``TypeError`` for a keyword that the command does not have."""
    known = list(arguments_of(command))
    for name in given:
        if name not in known:
            raise TypeError(f"{path}() has no keyword {name!r}: {suggestion(name, known, 'keywords')}")


def command_line(command: Mapping[str, Any], values: Mapping[str, Any]) -> list[str]:
    """Arguments of the command for values by name. Raises ``TypeError`` for values that an argument cannot have."""
    options: list[str] = []
    positional: list[str] = []
    for name, argument in arguments_of(command).items():
        value = values.get(name)
        if value is None:
            continue
        if argument["values"] == "none":
            if not isinstance(value, bool):
                raise TypeError(f"{name} = {value!r}, expected True or False")
            options += [f"--{argument['long']}"] * value
            continue
        texts = _texts(name, argument, value)
        if argument["positional"]:
            positional += texts
        elif argument["long"]:
            options += [f"--{argument['long']}={text}" for text in texts]
        else:
            for text in texts:
                options += [f"-{argument['short']}", text]
    return [*options, "--", *positional] if positional else options


def _texts(name: str, argument: Argument, value: Any) -> list[str]:
    """The texts of a value: one, or several for an argument that takes them."""
    value = getattr(value, "tolist", lambda: value)()
    if isinstance(value, Mapping):
        # {"contact.friction": 0.3} of --set, or a table as in a scene
        if argument["values"] == "many":
            return [f"{key}={_in_scene(inner)}" for key, inner in value.items()]
        return [value_text(_plain(value))]
    if isinstance(value, (list, tuple, range, set, frozenset)):
        texts = [_text(name, argument, element) for element in value]
        return texts if argument["values"] == "many" or not texts else [",".join(texts)]
    return [_text(name, argument, value)]


def _text(name: str, argument: Argument, value: Any) -> str:
    value = getattr(value, "item", lambda: value)()
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise TypeError(f"{name} = {value!r}, expected a value")
    if isinstance(value, (int, float)):
        unit = argument.get("unit")
        return f"{value!r} {unit}" if unit else repr(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    raise TypeError(f"{name} has a {type(value).__name__}, expected a number, a text or a path")


def _in_scene(value: Any) -> str:
    """A value of a scene, as it stands behind ``KEY=``."""
    value = _plain(value)
    return value if isinstance(value, str) else value_text(value)


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy as those of Python, within tables and lists, too."""
    value = getattr(value, "tolist", lambda: value)()
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if inner is not None}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value
