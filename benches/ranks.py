#!/usr/bin/env python3
"""Two ranks of one thread against one process of two threads, in alternating runs of `dem bench`.

    python3 benches/ranks.py DEM [CASE ..] [--turns 9]

A case is a workload with `:SIZE` for a number of spheres; without any these are settled:100000 and stir:100000. For each the median of the ratios is
printed with their range, the bytes that a ghost takes in a step, and how the time of a step that `--forecast` predicts compares with the measured one.
"""

import argparse
import json
import statistics
import subprocess
import sys


def measured(binary, case, *further):
    """What one run has measured."""
    name, _, size = case.partition(":")
    command = [binary, "bench", name, "--warmup", "20", "--steps", "80", "--json", *(["--size", size] if size else []), *further]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", metavar="DEM")
    arguments.add_argument("cases", metavar="CASE", nargs="*", default=["settled:100000", "stir:100000"])
    arguments.add_argument("--turns", type=int, default=9)
    given = arguments.parse_args()
    for case in given.cases:
        ratios, errors = [], []
        for _ in range(given.turns):
            alone = measured(given.binary, case, "--threads", "2")
            ranks = measured(given.binary, case, "--threads", "1", "--ranks", "2", "--forecast")
            ratios.append(ranks["particle_steps_per_second"] / alone["particle_steps_per_second"])
            two = next(forecast for forecast in ranks["forecast"] if forecast["ranks"] == 2)
            predicted = two["computing_seconds_per_step"] + two["network_seconds_per_step"]
            errors.append(predicted * ranks["steps"] / ranks["seconds"])
        ghosts, sent = (sum(rank[name] for rank in ranks["ranks"]) for name in ("ghosts", "bytes_per_step"))
        print(
            f"{case:>16}  two ranks over two threads {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
            f"  {sent / ghosts:.1f} bytes a ghost and step"
            f"  predicted over measured time of a step {statistics.median(errors):.3f} ({min(errors):.3f} to {max(errors):.3f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
