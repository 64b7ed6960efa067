"""Follows the tutorials of the book command by command, each from an empty folder beside the examples.

    python3 tests/book/tutorials.py target/release/dem [PAGE ..]

A file of a page (`Save this as ..`) is written, and a block marked `sh` is run, in the order of the page; a command that fails ends the script. What
the browser would open is only written. Prints the time of every block. Some two minutes on two quiet cores.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/src"
PIECE = re.compile(r"^Save this as `([^`]+)`:$|^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pieces(text: str) -> list[tuple[str | None, str]]:
    """(name, text) of a file, (None, commands) of a block."""
    found: list[tuple[str | None, str]] = []
    name = None
    for match in PIECE.finditer(text):
        if match[1]:
            name = match[1]
        elif name:
            found.append((name, match[3]))
            name = None
        elif match[2] == "sh":
            found.append((None, match[3].replace(" --open", "")))
    return found


def follow(page: Path, dem: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(ROOT / "examples", Path(scratch) / "examples")
        (Path(scratch) / "bin").mkdir()
        (Path(scratch) / "bin/dem").symlink_to(dem)
        environment = os.environ | {"PATH": f"{scratch}/bin:{os.environ['PATH']}"}
        where, total = Path(scratch), 0.0
        for name, text in pieces(page.read_text(encoding="utf-8")):
            if name:
                (where / name).write_text(text, encoding="utf-8")
                continue
            start = time.monotonic()
            script = f"set -e\n{text}\npwd >'{scratch}/where'\n"
            done = subprocess.run(["bash", "-c", script], cwd=where, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            seconds = time.monotonic() - start
            if done.returncode != 0:
                sys.exit(f"{done.stdout[-2000:]}\nerror: {page.name}: exit code {done.returncode} of\n{text}")
            where = Path((Path(scratch) / "where").read_text().strip())
            total += seconds
            print(f"{seconds:8.1f} s  {text.strip().splitlines()[-1][:110]}", flush=True)
        print(f"{total:8.1f} s  {page.stem}\n", flush=True)


def main() -> None:
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("usage: tutorials.py path/to/dem [PAGE ..], with an executable dem")
    pages = [PAGES / f"{name}.md" for name in sys.argv[2:]] or sorted(PAGES.glob("tutorial_*.md"))
    if len(pages) < 3 and not sys.argv[2:]:
        sys.exit("error: fewer than three tutorials found")
    for page in pages:
        follow(page, Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    main()
