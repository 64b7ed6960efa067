"""Executes the notebooks of ``python/examples`` and keeps their outputs.

    python python/tools/notebooks.py                     # all, in the full form: some minutes each
    python python/tools/notebooks.py triaxial            # one of them
    python python/tools/notebooks.py --short             # the short form, nothing is kept

Needs nbclient and ipykernel beside the package.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
#: Largest size of a notebook with its outputs [bytes].
LARGEST = 1_000_000
#: Longest time for a cell [s].
_TIMEOUT = 1800


def execute(notebook: Any, folder: Path, *, short: bool) -> None:
    """Executes the cells of a notebook in a folder, in the short or the full form. Raises ``CellExecutionError``."""
    from nbclient import NotebookClient

    before = {name: os.environ.get(name) for name in ("DEM_SHORT", "IPYTHONDIR")}
    # without what the user has set up
    with tempfile.TemporaryDirectory(prefix="ipython_") as profile:
        os.environ.update({"DEM_SHORT": "1" if short else "0", "IPYTHONDIR": profile})
        try:
            NotebookClient(
                notebook,
                timeout=_TIMEOUT,
                kernel_name="python3",
                # outputs are the same whenever they are made, as far as they are no times
                record_timing=False,
                resources={"metadata": {"path": str(folder)}},
            ).execute()
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
    # the version of the kernel is no part of the notebook
    notebook.metadata["language_info"] = {"name": "python"}


def problems(path: Path) -> list[str]:
    """What is wrong with a notebook that is kept: no outputs, errors among them, too large."""
    import nbformat

    found = []
    size = path.stat().st_size
    if size >= LARGEST:
        found.append(f"{size} bytes, at most {LARGEST}")
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    numbers = [cell.execution_count for cell in cells]
    if numbers != list(range(1, len(cells) + 1)):
        found.append("the cells were not executed once each, in their order")
    outputs = [output for cell in cells for output in cell.outputs]
    if not any("image/png" in output.get("data", {}) for output in outputs):
        found.append("no pictures")
    found += [f"error: {output.evalue}" for output in outputs if output.output_type == "error"]
    found += [f"standard error: {output.text.strip()}" for output in outputs if output.get("name") == "stderr"]
    return found


def main() -> int:
    """Executes what the arguments say; 1 if a notebook that is kept has problems."""
    import nbformat

    parser = argparse.ArgumentParser(description="Executes the notebooks and keeps their outputs.")
    parser.add_argument("names", nargs="*", help="names without .ipynb (default: all)")
    parser.add_argument("--short", action="store_true", help="the short form, of which nothing is kept")
    arguments = parser.parse_args()
    paths = sorted(EXAMPLES.glob("*.ipynb"))
    unknown = set(arguments.names) - {path.stem for path in paths}
    if unknown:
        parser.error(f"no notebook {', '.join(sorted(unknown))}: {', '.join(path.stem for path in paths)}")
    failed = False
    for path in paths:
        if arguments.names and path.stem not in arguments.names:
            continue
        notebook = nbformat.read(path, as_version=4)
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="notebook_") as folder:
            execute(notebook, Path(folder), short=arguments.short)
        took = time.monotonic() - began
        if arguments.short:
            print(f"{path.name}: {took:.0f} s")
            continue
        nbformat.write(notebook, path)
        found = problems(path)
        print(f"{path.name}: {took:.0f} s, {path.stat().st_size / 1000:.0f} kB", *found, sep="\n  ")
        failed = failed or bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
