"""Writes docs/src/python_reference.md, the reference of the package, from its docstrings and signatures.

    python tools/api_reference.py             # writes the page
    python tools/api_reference.py --check     # ends with 1 if it is not up to date
    python tools/api_reference.py --print     # prints it
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import dem
from dem import builders, calls, commands, schema
from dem.contacts import Contacts, History
from dem.figures import Plot
from dem.parameters import Parameters
from dem.particles import Bodies, Particles, RawParticles
from dem.reports import Table, Tables
from dem.scene_check import Check
from dem.walls import Wall, Walls

PAGE = Path(__file__).resolve().parents[2] / "docs" / "src" / "python_reference.md"
HEADING = """# Python reference

<!-- written by python/tools/api_reference.py from the docstrings: change it there -->

All public names of the package `dem`; [Python](python.md) explains how they work together. Numbers are in SI units, and a text with a unit does wherever a
number with a dimension is expected. n is the number of particles, m of contacts.
"""
#: Classes with what one says for an object of theirs.
CLASSES: tuple[tuple[type[Any], str], ...] = (
    (dem.Scene, "scene"),
    (Check, "check"),
    (dem.Simulation, "sim"),
    (Particles, "sim.particles"),
    (RawParticles, "raw"),
    (Bodies, "sim.bodies"),
    (Contacts, "sim.contacts"),
    (History, "sim.contacts.history"),
    (Walls, "sim.walls"),
    (Wall, "sim.walls[name]"),
    (Parameters, "sim.parameters"),
    (dem.Callback, "callback"),
    (dem.Run, "run"),
    (dem.Frames, "run.frames"),
    (dem.Frame, "frame"),
    (dem.Report, "report"),
    (Tables, "report.tables"),
    (Table, "report.tables[0]"),
    (Plot, "dem.plot"),
)
#: Special methods that have something to say.
_SPECIAL = ("__getitem__", "__len__", "__call__")
_SECTIONS = ("Args:", "Raises:", "Returns:")


# texts


def markdown(text: str) -> str:
    """A docstring without its sections, as Markdown in lines of paragraphs."""
    text = re.sub(r":(?:class|meth|func|attr|mod|exc):`~?([^`]+)`", r"`\1`", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of a docstring, each in one line; code is fenced, sections are lists."""
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(text))
    section, is_code = "", False
    for block in blocks:
        first, _, rest = block.partition("\n")
        if first in _SECTIONS:
            section, block = first, rest
        if block.startswith("    ") or first in _SECTIONS:
            body = inspect.cleandoc("\n" + block)
            if section:
                yield _entries(section, body)
            elif is_code:
                yield f"```python\n{body}\n```"
            else:
                yield markdown(" ".join(body.split()))
            continue
        section = ""
        is_code = block.endswith("::")
        lines = block[:-1] if is_code else block
        if any(line.startswith("- ") for line in lines.splitlines()):
            yield markdown(lines)
        else:
            yield markdown(" ".join(lines.split()))


def _entries(section: str, body: str) -> str:
    """The entries of a section as a list."""
    if section == "Returns:":
        return f"Returns {markdown(' '.join(body.split()))}"
    entries = re.split(r"\n(?=\S)", body)
    lines = [] if section == "Args:" else ["Raises:", ""]
    for entry in entries:
        name, _, text = " ".join(entry.split()).partition(": ")
        lines.append(f"- `{name}`: {markdown(text)}")
    return "\n".join(lines)


def first_sentence(text: str) -> str:
    """The first sentence of a docstring."""
    words = " ".join(inspect.cleandoc(text).partition("\n\n")[0].split())
    found = re.match(r".*?[.!?](?=\s|$)", words)
    return markdown(found.group() if found else words)


# signatures


def parameters(function: Callable[..., Any], *, skip: int = 0) -> str:
    """The parameters of a function, without their types."""
    shown: list[str] = []
    keywords = False
    for parameter in list(inspect.signature(function).parameters.values())[skip:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            keywords = True
            if not any(part.startswith("*") for part in shown):
                shown.append("*")
        text = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            text = f"*{text}"
        elif parameter.kind is parameter.VAR_KEYWORD:
            text = f"**{text}"
        elif parameter.default is not parameter.empty:
            text = f"{text}={parameter.default!r}"
        shown.append(text)
    return ", ".join(shown)


def returned(function: Callable[..., Any]) -> str:
    """What a function returns, if it says so and it is something."""
    annotation = inspect.signature(function).return_annotation
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return "" if text in ("", "None", "_empty", "Any") else readable(text.removeprefix("_"))


def readable(annotation: str) -> str:
    """A type in few words."""
    text = annotation.replace("np.", "").replace("os.PathLike[str]", "path").replace("pd.DataFrame", "DataFrame")
    text = re.sub(r"NDArray\[(\w+)\]", lambda found: f"array of {found.group(1)}" if found.group(1) != "Any" else "array", text)
    text = re.sub(r"Iterator\[(\w+)\]", r"context manager of \1", text)
    return text.replace("Reals", "array of float64").replace("bool_", "bool").replace("str | path", "path")


# members


def member(owner: type[Any], name: str, of: str) -> Iterator[str]:
    """The paragraphs of a member of a class."""
    found = inspect.getattr_static(owner, name)
    if isinstance(found, property):
        text = inspect.getdoc(found) or ""
        kind = readable(str(inspect.signature(found.fget).return_annotation)) if found.fget else ""
        notes = [kind] if kind and kind != "Any" else []
        if found.fset is not None:
            notes.append("can be assigned")
        head = f"**`{name}`**" + (f" ({', '.join(notes)})" if notes else "")
    else:
        bound = getattr(owner, name)
        text = inspect.getdoc(found.__func__ if isinstance(found, (classmethod, staticmethod)) else found) or ""
        skip = 0 if isinstance(found, (classmethod, staticmethod)) else 1
        shown = parameters(bound, skip=skip)
        called = f"{owner.__name__}.{name}" if isinstance(found, classmethod) else name
        line = {"__call__": f"{of}({shown})", "__getitem__": f"{of}[{shown}]", "__len__": f"len({of})"}.get(name, f"{called}({shown})")
        result = returned(bound)
        head = f"**`{line}`**" + (f" → {result}" if result and name not in _SPECIAL else "")
    first, *rest = [*paragraphs(text)] or [""]
    # a list cannot stand in the paragraph of its head
    yield from [head, first, *rest] if first.startswith(("- ", "Raises:")) else [f"{head}: {first}", *rest]


def attributes(owner: type[Any]) -> Iterator[tuple[str, str]]:
    """Attributes that the constructor of a class sets under a comment that begins with ``#:``."""
    source = inspect.getsource(owner)
    for found in re.finditer(r"((?: *#: .*\n)+) *(?:self\.)?(\w+)(?:: [^=\n]+)? = ", source):
        if not found.group(2).startswith("_"):
            yield found.group(2), " ".join(line.strip().removeprefix("#: ") for line in found.group(1).splitlines())


def own_members(owner: type[Any]) -> list[str]:
    """Public members that a class itself defines, and special methods with a docstring, in the order of its source."""
    found = []
    for name, value in vars(owner).items():
        is_member = isinstance(value, (property, classmethod, staticmethod)) or inspect.isfunction(value)
        if is_member and (not name.startswith("_") or (name in _SPECIAL and value.__doc__)):
            found.append(name)
    return found


def kind_of(owner: type[Any]) -> str:
    """What a class is beside its members."""
    if issubclass(owner, MutableMapping):
        return "A mapping: `[name]` reads and assigns, `len`, iteration, `items()`."
    if issubclass(owner, Mapping):
        return "A mapping: `[name]`, `len`, iteration, `items()`."
    if issubclass(owner, Sequence):
        return "A sequence: `[number]`, slices, `len`, iteration."
    return ""


def of_class(owner: type[Any], of: str) -> Iterator[str]:
    """The section of a class."""
    public = getattr(dem, owner.__name__, None) is owner
    yield f"## {'dem.' if public else ''}{owner.__name__}"
    is_called = of == of.lower() and (of.startswith(("sim.", "run.", "report.", "dem.")) or of == "raw")
    if is_called:
        yield f"`{of}`{' in a block of `with sim.particles.raw() as raw`' if of == 'raw' else ''}."
    yield from paragraphs(owner.__doc__ or "")
    kind = kind_of(owner)
    if kind:
        yield kind
    for name, text in attributes(owner):
        yield f"**`{name}`**: {markdown(text)}"
    for name in own_members(owner):
        yield from member(owner, name, of)
    if owner is RawParticles:
        columns = [*(name for name in RawParticles._COLUMNS if name != "external"), "external_force", "external_torque"]
        yield f"Columns: {', '.join(f'`{name}`' for name in columns)}; shapes and units as those of `Particles`."
    if owner is dem.Scene:
        yield from scene_methods()


def required(call: calls.Call) -> str:
    """How a call is written: what has no name, what must be given, and whether there is more."""
    shown = [calls.word_of(key) if key in call.required else f"{calls.word_of(key)}=…" for key in call.positional]
    shown += [f"*{call.starred}"] if call.starred else []
    shown += [f"{calls.word_of(key)}=…" for key in call.keywords if key in call.required]
    optional = [key for key in call.keywords if key not in call.required]
    return f"{call.name}({', '.join([*shown, *(['…'] if optional else [])])})"


def optional(call: calls.Call) -> str:
    """What a call may be given besides, unless it is too much to name."""
    names = [f"`{calls.word_of(key)}`" for key in call.keywords if key not in call.required]
    if not names:
        return ""
    return f" Keywords: {', '.join(names)}." if len(names) <= 16 else f" {len(names)} keywords."


def sentence(call: calls.Call) -> str:
    """What a call is for, in a sentence that stands in a list."""
    text = first_sentence(call.description)
    return text or "Values of the scene."


def scene_methods() -> Iterator[str]:
    """The methods of a scene that the schema gives."""
    yield "### Methods that add to a scene"
    yield (
        "They come from the schema of the engine; `help(dem.Scene.wall)` says what each keyword takes, and so does the "
        "[scene reference](scene_reference.md). What must be given stands without a default."
    )
    lines = [f"- **`{required(call)}`**: {sentence(call)}{optional(call)}" for _, call in sorted(calls.methods(schema.current()).items())]
    yield "\n".join(lines)


def constructor_lines() -> Iterator[str]:
    """The constructors of tagged tables."""
    yield "## Constructors"
    yield (
        "Each makes a table of a scene that has a key `type`: shapes of walls, regions, sizes, fills, motions of guides, actions of stages. "
        "`help(dem.plane)` says what each keyword takes. A name that the package uses for something else is in `dem.builders`."
    )
    lines = []
    for name, call in sorted(calls.constructors(schema.current()).items()):
        where = "dem" if getattr(dem, name, None) is builders.constructor(name) else "dem.builders"
        use = re.search(r"^For .*\.$", call.documentation(schema.current()), re.MULTILINE)
        text = f"{sentence(call)} {use.group() if use else ''}".strip()
        lines.append(f"- **`{where}.{required(call)}`**: {text}{optional(call)}")
    yield "\n".join(lines)


def function_lines(names: Sequence[str], of: str, find: Callable[[str], Callable[..., Any]]) -> str:
    """Functions of commands, one line each."""
    lines = []
    for name in names:
        function = find(name)
        keywords = []
        values = []
        for parameter in inspect.signature(function).parameters.values():
            is_keyword = parameter.kind is parameter.KEYWORD_ONLY
            must_be = parameter.default is parameter.empty
            if not is_keyword or must_be:
                values.append(f"{parameter.name}=…" if is_keyword or not must_be else parameter.name)
            else:
                keywords.append(f"`{parameter.name}`")
        shown = ", ".join([*values, "…"])
        lines.append(f"- **`{of}.{name}({shown})`**: {first_sentence(function.__doc__ or '')} Keywords: {', '.join(keywords)}.")
    return "\n".join(lines)


def functions() -> Iterator[str]:
    """The functions of the package."""
    yield "## Functions"
    for name in dem.__all__:
        found = getattr(dem, name)
        if inspect.isfunction(found) and not name.startswith("_") and name not in commands.NAMES:
            result = returned(found)
            head = f"**`dem.{name}({parameters(found)})`**" + (f" → {result}" if result else "")
            first, *rest = paragraphs(found.__doc__ or "")
            yield f"{head}: {first}"
            yield from rest
    yield "## Commands as functions"
    yield (
        "Each runs the command of its name in a process of its own and returns a `Report`. Keywords are the options of the command, "
        "`help(dem.study.sliding)` says what each takes. Numbers with a dimension are texts with their unit, as in `\"100 kPa\"`; lists stand for several "
        "values, dictionaries for tables of a scene. They raise `TypeError` for a keyword that there is not and `dem.CommandError` for a command that fails, and warn "
        "with `dem.ShortfallWarning` where the result is not what was asked for."
    )
    yield function_lines(dir(dem.study), "dem.study", lambda name: getattr(dem.study, name))
    yield function_lines(commands.NAMES, "dem", lambda name: getattr(dem, name))


def exceptions() -> Iterator[str]:
    """All exceptions."""
    yield "## Exceptions"
    yield "All but the warning are `dem.Error`, and besides what the second column says."
    lines = ["| exception | also | when |", "|---|---|---|"]
    seen = set()
    for module in (dem.errors, importlib.import_module("dem.ensemble"), commands):
        for name, found in vars(module).items():
            is_own = inspect.isclass(found) and issubclass(found, (dem.Error, Warning)) and found.__module__ == module.__name__
            if not is_own or name in seen:
                continue
            seen.add(name)
            bases = ", ".join(f"`{base.__name__}`" for base in found.__bases__ if base is not dem.Error and base is not Exception)
            text = " ".join(paragraphs(found.__doc__ or "")).replace("|", "\\|")
            lines.append(f"| `dem.{name}` | {bases} | {text} |")
    yield "\n".join(lines)


def page() -> str:
    """The whole page."""
    blocks = [HEADING.rstrip(), *functions()]
    for owner, of in CLASSES:
        blocks += of_class(owner, of)
    blocks += [*constructor_lines(), *exceptions()]
    return "\n\n".join(block.rstrip() for block in blocks) + "\n"


def main(words: Sequence[str] | None = None) -> int:
    """Writes, compares or prints the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--print", action="store_true", help="print only")
    options = parser.parse_args(words)
    text = page()
    if options.print:
        print(text, end="")
        return 0
    if options.check:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print(f"{PAGE} is not up to date: run tools/api_reference.py", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
