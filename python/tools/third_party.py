"""Writes THIRD-PARTY.md: the notices of all crates, fonts and scripts that the package and the command contain.

    python tools/third_party.py [--check]

Asks cargo for the crates that the lock file names for Linux, and takes the licence files out of their sources; the scripts are those of SCRIPTS. With --check nothing is written; the exit code is 1
if the file is out of date.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
OUT = HERE / "THIRD-PARTY.md"
TARGET = "x86_64-unknown-linux-gnu"
SCRIPTS = [HERE.parent / "crates" / "dem-page" / "src" / "three"]
FILE = re.compile(r"(licen[cs]e|copying|notice|unlicense|ofl|ufl)", re.IGNORECASE)


def packages() -> list[dict[str, Any]]:
    """The crates that are linked, by name and version; ours, and what only builds and tests need, left out."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET]
    data = json.loads(subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True).stdout)
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    wanted, waiting = set(), [data["resolve"]["root"]]
    while waiting:
        node = nodes[waiting.pop()]
        if node["id"] in wanted:
            continue
        wanted.add(node["id"])
        for dependency in node["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    found = [package for package in data["packages"] if package["id"] in wanted and package["source"] is not None]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def is_notice(path: Path) -> bool:
    """Whether a file of a crate says what its licence is."""
    if not path.is_file() or path.suffix not in ("", ".txt", ".md", ".MIT"):
        return False
    return bool(FILE.search(path.stem)) or (path.parent.name == "fonts" and path.suffix == ".txt")


def texts(package: dict[str, Any]) -> list[str]:
    """The licence files of a crate."""
    folder = Path(str(package["manifest_path"])).parent
    files = [path for path in sorted(folder.rglob("*")) if is_notice(path)]
    shallow = [path for path in files if len(path.relative_to(folder).parts) <= 2]
    # of two licences that one may choose from, the shorter one; fonts have their own beside
    of_choice = [path for path in shallow if "mit" in path.name.lower()]
    if of_choice and "MIT" in str(package["license"]):
        shallow = [path for path in shallow if "apache" not in path.name.lower() and "unlicense" not in path.name.lower()]
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in shallow]


def scripts() -> list[tuple[str, str, str, str]]:
    """Name, version, licence and its text of each script that is bundled: a folder with the lock file of npm that it was made from."""
    found = []
    for folder in SCRIPTS:
        lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
        # what is bundled has the name of the folder; the others make the bundle
        package = lock["packages"][f"node_modules/{folder.name}"]
        text = (folder / "LICENSE").read_text(encoding="utf-8").strip()
        found.append((folder.name, package["version"], package["license"], text))
    return found


def document() -> str:
    """The whole file."""
    found = packages()
    by_text: dict[str, list[str]] = defaultdict(list)
    lines = [
        "# Third-party notices",
        "",
        "What the wheel and the command `dem` contain besides their own code. Written by `python/tools/third_party.py` from the lock file.",
        "",
        "| crate | version | licence | source |",
        "|---|---|---|---|",
    ]
    without = []
    for package in found:
        name = f"{package['name']} {package['version']}"
        source = package["repository"] or f"https://crates.io/crates/{package['name']}"
        lines.append(f"| {package['name']} | {package['version']} | {package['license']} | {source} |")
        notices = texts(package)
        for text in notices:
            by_text[text].append(name)
        if not notices:
            without.append((name, str(package["license"]), ", ".join(package["authors"]) or "its authors"))
    lines += ["", "| script | version | licence | source |", "|---|---|---|---|"]
    for name, version, licence, text in scripts():
        lines.append(f"| {name} | {version} | {licence} | https://www.npmjs.com/package/{name} |")
        by_text[text].append(f"{name} {version}")
    lines += ["", "The fonts of plots and pictures are those of `epaint_default_fonts`; their notices are below.", ""]
    if without:
        lines += ["Without a licence file in their sources:", ""]
        lines += [f"- {name}: {licence}, by {authors}" for name, licence, authors in without]
        lines.append("")
    for text, names in sorted(by_text.items(), key=lambda entry: entry[1]):
        lines += [f"## {', '.join(sorted(set(names)))}", "", "```text", text.replace("```", "'''"), "```", ""]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def main() -> int:
    """Writes or checks the file."""
    text = document()
    if "--check" in sys.argv[1:]:
        if OUT.read_text(encoding="utf-8") == text:
            return 0
        print(f"{OUT.name} is out of date: run python tools/third_party.py", file=sys.stderr)
        return 1
    OUT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
