"""The tour of the package does what it says, within its time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import dem

TOUR = Path(__file__).resolve().parents[1] / "examples" / "tour.py"


def test_tour(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    # the package that is tested, wherever the tour is called
    environment["PYTHONPATH"] = str(Path(dem.__file__).resolve().parents[1])
    begin = time.monotonic()
    done = subprocess.run([sys.executable, str(TOUR)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "all as promised" in done.stdout.splitlines()[-1]
    assert time.monotonic() - begin < 60.0
    # nothing is left in the folder of the caller
    assert not list(tmp_path.iterdir())
