"""The reference in the guide is what the docstrings say, and says something of everything."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import dem
import pytest

PYTHON = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The program that writes the page."""
    spec = importlib.util.spec_from_file_location("api_reference", PYTHON / "tools" / "api_reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_is_up_to_date(tool: ModuleType) -> None:
    committed = tool.PAGE.read_text(encoding="utf-8").splitlines()
    made = tool.page().splitlines()
    differing = next((k for k, (a, b) in enumerate(zip(committed, made)) if a != b), min(len(committed), len(made)))
    assert committed == made, f"differs from line {differing + 1} on: run python tools/api_reference.py"


def test_every_public_name_is_on_the_page(tool: ModuleType) -> None:
    text = tool.page()
    for name in dem.__all__:
        if name not in ("errors", "study", "plot"):
            assert re.search(rf"dem\.{name}\b", text), name
    assert "dem.study.sliding(" in text and "## Plot" in text
    for method in ("wall(name, shape", "material(name", "stage(name, *actions"):
        assert method in text


def test_every_member_says_what_it_is(tool: ModuleType) -> None:
    for owner, _ in tool.CLASSES:
        assert owner.__doc__, owner
        for name in tool.own_members(owner):
            assert inspect.getdoc(inspect.getattr_static(owner, name)), (owner, name)
    # nothing is left of the markup of docstrings
    text = tool.page().replace("```", "")
    assert "``" not in text and not re.search(r":(?:class|meth|func|attr):", text)


def test_docstrings_become_paragraphs(tool: ModuleType) -> None:
    text = """Does ``it``, as :meth:`other`.

    More of
    it::

        code(1)

    Args:
        first: One thing
            in two lines.
        second: Another.

    Raises:
        dem.Error: Never.
    """
    assert list(tool.paragraphs(text)) == [
        "Does `it`, as `other`.",
        "More of it:",
        "```python\ncode(1)\n```",
        "- `first`: One thing in two lines.\n- `second`: Another.",
        "Raises:\n\n- `dem.Error`: Never.",
    ]
    assert tool.first_sentence("A thing of 2.5 mm\nin a line. Another sentence.") == "A thing of 2.5 mm in a line."
    assert tool.parameters(lambda a, *b, c=1, **d: None) == "a, *b, c=1, **d"
