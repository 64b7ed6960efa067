"""Runs of the command that tests look at.

Tests run ``python -m dem``, or the command that the environment variable ``DEM_COMMAND`` names.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"


def command() -> list[str]:
    """The start of a command line."""
    binary = os.environ.get("DEM_COMMAND")
    return [binary] if binary else [sys.executable, "-m", "dem"]


def run_scene(name: str, out: Path, *options: str) -> Path:
    """Runs an example into a directory. What it was asked for need not be met."""
    line = [*command(), "run", str(EXAMPLES / name), "--out", str(out), *options]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        pytest.fail(f"{' '.join(line)} ended with {done.returncode}:\n{done.stderr}")
    return out


@pytest.fixture(scope="session")
def settling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """500 spheres that fall, of which the lowest touch the floor: a dozen frames, contacts, a wall, a picture."""
    out = tmp_path_factory.mktemp("runs") / "settling"
    return run_scene("settling_box.toml", out, "--until", "0.02 s", "--set", "output.snapshots=2 ms")


@pytest.fixture(scope="session")
def clumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rigid bodies that are poured: their number differs from frame to frame."""
    out = tmp_path_factory.mktemp("runs") / "clumps"
    options = ["--until", "0.01 s", "--set", "output.snapshots=1 ms", "--no-pictures"]
    return run_scene("clump_pouring.toml", out, *options)


@pytest.fixture(scope="session")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A periodic cell that deforms."""
    out = tmp_path_factory.mktemp("runs") / "cell"
    return run_scene("stress_probe_small.toml", out, "--steps", "2000", "--no-pictures")


@pytest.fixture(scope="session")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Spheres on a floor with two wall probes, one of which is cut into sectors."""
    out = tmp_path_factory.mktemp("runs") / "probed"
    probes = '[{ wall = "floor", bins = 3, sectors = 4, to = "40 mm" }, { wall = "floor", bins = 2, to = "60 mm" }]'
    values = [f"output.wall_probes={probes}", "output.profiles=30 ms"]
    options = ["--until", "0.05 s", "--no-pictures", *(part for value in values for part in ("--set", value))]
    return run_scene("settling_box.toml", out, *options)


@pytest.fixture(scope="session")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that follows chosen contacts."""
    out = tmp_path_factory.mktemp("runs") / "followed"
    options = ["--until", "0.02 s", "--set", 'output.contacts=[[3, 17], [3, "floor"]]', "--no-pictures"]
    return run_scene("settling_box.toml", out, *options)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _no_windows() -> Iterator[None]:
    """Figures without windows, none of which outlives its test."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.fixture(autouse=True, scope="session")
def interrupts() -> None:
    """Ctrl-C interrupts, also where the tests are started in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
