"""The chapter of the guide: every block of Python on the page runs, from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import dem
import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "src" / "python.md"


def blocks(text: str) -> list[tuple[int, str, bool]]:
    """Blocks of Python: the line at which each begins, its code, and whether it is to be run."""
    found = []
    lines = text.splitlines()
    start: int | None = None
    is_run = False
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith("```"):
            start = number
            words = line[3:].split()
            language = words[0] if words else ""
            is_run = words == ["python"]
        elif start is not None and line.startswith("```"):
            if language == "python":
                found.append((start + 1, "\n".join(lines[start : number - 1]), is_run))
            start = None
    return found


def test_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = blocks(PAGE.read_text(encoding="utf-8"))
    assert len(found) >= 15 and sum(not is_run for _, _, is_run in found) <= 2
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"__name__": "guide"}
    for line, code, is_run in found:
        # lines of the page in tracebacks
        compiled = compile("\n" * (line - 1) + code, str(PAGE), "exec")
        if is_run:
            exec(compiled, space)
    # what the page says without a line that would fail
    assert isinstance(space["loaded"], dem.Scene) and space["loaded"]["particles"][0]["fill"]["count"] == 200
    assert space["brought"] < 0.0
    assert len(space["run"].series) == 101 and space["frame"].step > 0
    assert len(space["table"]) == 4 and len(space["runs"]) == 2
    assert not space["sim"].can_go_on
    assert np.isfinite(space["sim"].particles.position).all()
    assert (tmp_path / "runs" / "scripted" / "summary.json").is_file() and (tmp_path / "energy.pdf").is_file()


def test_exceptions_of_the_page_are_those_of_the_package() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("## Errors") : text.index("## Threads")]
    named = set(re.findall(r"`(\w+Error)`", table))
    public = {name for name in dem.__all__ if name.endswith("Error") and name != "Error"}
    assert public <= named
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5 and cells[1].startswith("`"):
            exception = getattr(dem, cells[1].strip("`"))
            base = cells[2].strip("`")
            assert issubclass(exception, dem.Error)
            if base:
                assert base in {parent.__name__ for parent in exception.__mro__}
            for attribute in re.findall(r"`(\w+)`", cells[3]):
                if attribute.islower() and exception.__name__ not in ("StepError", "StateError"):
                    assert attribute in (exception.__doc__ or ""), (exception, attribute)


def test_what_users_must_not_install_is_not_named() -> None:
    for page in [*PAGE.parent.glob("python*.md"), PAGE.parents[2] / "README.md", PAGE.parents[2] / "python" / "README.md"]:
        assert not re.search(r"pip install (-\S+ )*[\"']?dem\b", page.read_text(encoding="utf-8")), page
