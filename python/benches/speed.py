"""How fast a simulation is from Python, beside the command and beside steps without looks.

    python benches/speed.py [--particles N] [--steps N] [--before N] [--pairs K] [--command DEM]

Prints ratios of times, medians of alternating runs on one thread. What is measured:

1. ``run`` from Python, beside the command ``dem run`` on the same scene (wall time of the steps as the summary has it).
2. A callback that does nothing, every step and every 100th, beside ``step(1)`` in a loop and beside one ``run``.
3. A force on all particles from numpy in every step, through arrays in order of ids and through ``raw()``, beside ``step(1)``.
4. Reading all positions, by ``raw()`` and as a copy in order of ids.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dem
import numpy as np

BED = """
title = "bed"
[time]
step = "20 us"
end = "100 s"
[materials.glass]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[domain]
min = [0, 0, 0]
max = [{edge}, {edge}, {height}]
x = "periodic"
y = "periodic"
[[walls]]
name = "floor"
material = "glass"
shape = {{ type = "plane", normal = [0, 0, 1] }}
[[particles]]
name = "grains"
material = "glass"
sizes = {{ type = "uniform", min = "2 mm", max = "2.2 mm" }}
region = {{ type = "box", min = [0, 0, 0], max = [{edge}, {edge}, {height}] }}
fill = {{ type = "lattice", count = {count}, gap = 0.001 }}
[output]
pictures = false
"""


def bed(count: int) -> str:
    edge = 0.0045 * round((count / 2.0) ** (1.0 / 3.0))
    height = 1.3 * count * 0.0045**3 / edge**2 + 0.01
    return BED.format(edge=edge, height=height, count=count)


def median_ratio(first: Callable[[], float], second: Callable[[], float], pairs: int) -> tuple[float, float, float]:
    """Median and quartiles of the ratio of times of alternating runs."""
    ratios = []
    for _ in range(pairs):
        a, b = first(), second()
        ratios.append(a / b)
    quartiles = statistics.quantiles(ratios, n=4) if pairs > 1 else [ratios[0]] * 3
    return quartiles[1], quartiles[0], quartiles[2]


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--particles", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--before", type=int, default=3000, help="steps before, in which the bed falls")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--command", default=None, help="the command to compare with; by default that of the package")
    arguments = parser.parse_args()
    dem.set_threads(1)
    count, steps, pairs = arguments.particles, arguments.steps, arguments.pairs
    text = bed(count)
    sim = dem.Scene.from_toml(text).build()
    print(f"{len(sim)} spheres, {steps} steps a run, {pairs} pairs, {dem.show_versions()['contacts are computed with']}")
    sim.run(steps=arguments.before, progress=False)
    folder = tempfile.TemporaryDirectory()
    saved = Path(folder.name) / "bed.ckpt"
    # the loads are there in all runs: without any the engine takes another way
    sim.particles.external_force = [0, 0, 1e-12]
    sim.save(saved)

    def from_saved(work: Callable[[], object]) -> float:
        """Time of some steps, always the same ones."""
        sim.load(saved)
        sim.run(steps=20, progress=False)
        return timed(work)

    print(f"coordination {sim.measure('coordination'):.2f}")

    def show(what: str, ratio: tuple[float, float, float], limit: str) -> None:
        print(f"{what}: {ratio[0]:.3f} ({ratio[1]:.3f}-{ratio[2]:.3f}), {limit}", flush=True)

    def plain() -> float:
        return from_saved(lambda: sim.run(steps=steps, progress=False))

    def one_by_one() -> float:
        return from_saved(lambda: sim._engine.advance_singly(steps))

    def called(every: int, function: Callable[[dem.Simulation], object]) -> Callable[[], float]:
        def run() -> float:
            sim.load(saved)
            sim.run(steps=20, progress=False)
            callback = sim.every(steps=every, call=function)
            try:
                return timed(lambda: sim.run(steps=steps, progress=False))
            finally:
                callback.cancel()

        return run

    nothing = lambda sim: None  # noqa: E731
    show("step(1) in a loop over run", median_ratio(one_by_one, plain, pairs), "the price of looking at every step")
    show("callback every step over step(1) in a loop", median_ratio(called(1, nothing), one_by_one, pairs), "limit 1.02")
    show("callback every 100th step over run", median_ratio(called(100, nothing), plain, pairs), "limit 1.01")

    drag = -1e-6

    def by_id(sim: dem.Simulation) -> None:
        sim.particles.external_force = drag * sim.particles.velocity

    def by_memory(sim: dem.Simulation) -> None:
        with sim.particles.raw() as raw:
            np.multiply(raw.force, drag, out=raw.external_force)

    show("force in order of ids every step over step(1)", median_ratio(called(1, by_id), one_by_one, pairs), "limit 1.35")
    show("force through raw() every step over step(1)", median_ratio(called(1, by_memory), one_by_one, pairs), "limit 1.20")
    sim.particles.external_force = [0, 0, 0]

    def copy() -> float:
        sim.step()
        return timed(lambda: sim.particles.position)

    def lend() -> float:
        sim.step()
        begin = time.perf_counter()
        with sim.particles.raw(write=False) as raw:
            raw.position
            return time.perf_counter() - begin

    print(f"positions as a copy in order of ids: {1e3 * statistics.median(copy() for _ in range(9)):.2f} ms")
    print(f"positions by raw(): {1e3 * statistics.median(lend() for _ in range(9)):.3f} ms")

    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "bed.toml"
        scene.write_text(text)
        command = [arguments.command] if arguments.command else [sys.executable, "-m", "dem"]
        number = 0

        def stepping(directory: Path) -> float:
            return float(json.loads((directory / "summary.json").read_text())["wall_seconds"])

        def by_command() -> float:
            nonlocal number
            number += 1
            out = Path(folder) / f"command{number}"
            subprocess.run(
                [*command, "run", str(scene), "--threads", "1", "--steps", str(10 * steps), "--out", str(out)],
                check=True,
                capture_output=True,
            )
            return stepping(out)

        def by_package() -> float:
            nonlocal number
            number += 1
            out = Path(folder) / f"package{number}"
            dem.Scene.load(scene).run(out, steps=10 * steps, progress=False)
            return stepping(out)

        show("command over run from Python (speed)", median_ratio(by_command, by_package, pairs), "limit 0.99")


if __name__ == "__main__":
    main()
