#!/usr/bin/env python3
"""Whether a second thread is worth as much as a second process.

    python3 benches/processes.py DEM [SIZE ..] [--turns 9]

One process of two threads takes turns with two processes of one thread, with half of the settled spheres each, which run at the same time on
the same two cores. SIZE is a multiple of 20,000; without any these are 20,000, 100,000 and 1,000,000 spheres. For each the median rates in
10^6 particle-steps per second and the median of the ratios with their range are printed.
"""

import argparse
import json
import statistics
import subprocess
import sys

STEPS = 60_000_000


def start(binary, size, threads, steps):
    """A run that goes on meanwhile."""
    command = [binary, "bench", "settled", "--size", str(size), "--threads", str(threads), "--steps", str(steps), "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rate(run):
    """Particle-steps per second of a run, once it has ended."""
    out, errors = run.communicate()
    if run.returncode != 0:
        sys.exit(f"{' '.join(run.args)}: exit code {run.returncode}\n{errors}")
    return json.loads(out)["particle_steps_per_second"] / 1e6


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", metavar="DEM")
    arguments.add_argument("sizes", metavar="SIZE", nargs="*", type=int, default=[20_000, 100_000, 1_000_000])
    arguments.add_argument("--turns", type=int, default=9)
    given = arguments.parse_args()
    for size in given.sizes:
        steps = max(STEPS // size, 40)
        threads, processes = [], []
        for _ in range(given.turns):
            threads.append(rate(start(given.binary, size, 2, steps)))
            halves = [start(given.binary, size // 2, 1, steps) for _ in range(2)]
            processes.append(sum(map(rate, halves)))
        ratios = [one / two for one, two in zip(threads, processes)]
        print(
            f"{size:>8}  two threads {statistics.median(threads):5.1f}  two processes {statistics.median(processes):5.1f}"
            f"  ratio {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
