"""Notebooks: executed in their short form, and kept with the outputs of the full one.

What each of them claims, as an angle within bounds, its own cells assert. Cells run in a copy: nothing here changes a notebook.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

PYTHON = Path(__file__).resolve().parents[1]
NAMES = ("calibration", "container_filling", "triaxial")

nbformat = pytest.importorskip("nbformat", reason="notebooks are read with nbformat")


def _tool() -> ModuleType:
    """The script that makes the outputs."""
    spec = importlib.util.spec_from_file_location("notebooks", PYTHON / "tools" / "notebooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


def test_there_are_no_others() -> None:
    assert {path.stem for path in TOOL.EXAMPLES.glob("*.ipynb")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_short_form_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nbclient", reason="notebooks are executed with nbclient")
    pytest.importorskip("ipykernel", reason="notebooks are executed in a kernel of ipykernel")
    if name == "calibration":
        pytest.importorskip("scipy", reason="the calibration uses scipy")
    # the kernel finds the package that is tested
    import dem

    path = os.pathsep.join(filter(None, [str(Path(dem.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", path)
    notebook = nbformat.read(TOOL.EXAMPLES / f"{name}.ipynb", as_version=4)
    kept = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    TOOL.execute(notebook, tmp_path, short=True)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]
    # a claim is only one if something asserts it
    assert any("assert " in cell.source for cell in code)
    # pictures come in the same cells as in the form that is kept
    assert [_has_picture(cell.outputs) for cell in code] == [_has_picture(outputs) for outputs in kept]
    # results lie in temporary folders
    assert not list(tmp_path.iterdir())


def _has_picture(outputs: list[dict]) -> bool:  # type: ignore[type-arg]
    return any("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("name", NAMES)
def test_kept_outputs_are_sound(name: str) -> None:
    assert TOOL.problems(TOOL.EXAMPLES / f"{name}.ipynb") == []


@pytest.mark.parametrize("name", NAMES)
def test_kept_text_has_no_traces_of_the_machine(name: str) -> None:
    notebook = nbformat.read(TOOL.EXAMPLES / f"{name}.ipynb", as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata["language_info"] == {"name": "python"}
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags"}
        for output in cell.get("outputs", []):
            texts = [output.get("text", ""), *(str(value) for key, value in output.get("data", {}).items() if key != "image/png")]
            assert not any(trace in text for text in texts for trace in ("/tmp/", "/home/", "/root/", str(PYTHON)))
