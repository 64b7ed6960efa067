#!/usr/bin/env python3
"""Whether one build of `dem` is as fast as another.

    python3 benches/pair.py OLD NEW [CASE ..] [--pairs 15] [--threads 1]

OLD and NEW are binaries. They take turns, the one that begins alternates, and the ratio of each pair is taken, so that a machine that
slows down meanwhile slows both. A case is a workload of `dem bench`, with `:SIZE` for another number of spheres; without any these are
settled, stir, periodic, polydisperse, settled:100000 and stir:100000. For each the median of the ratios is printed with the interval
that holds it with 95 % (bootstrap). A case passes if the median is at least 0.99 or its interval holds 1. Exit code 1 if one does not.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys

CASES = ["settled", "stir", "periodic", "polydisperse", "settled:100000", "stir:100000"]
LEAST = 0.99
RESAMPLES = 10_000


def rate(binary, case, threads):
    """Particle-steps per second of one run."""
    name, _, size = case.partition(":")
    command = [binary, "bench", name, "--threads", str(threads), "--json"] + (["--size", size] if size else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["particle_steps_per_second"]


def interval(ratios):
    """Interval of the median, from resampled pairs."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--pairs", type=int, default=15, help="pairs of runs of each case, at least 15 to pass")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.pairs < 2:
        parser.error("--pairs: at least 2")
    all_pass = True
    for case in arguments.cases or CASES:
        # the first runs warm the machine up
        rate(arguments.old, case, arguments.threads)
        ratios = []
        for pair in range(arguments.pairs):
            order = [arguments.old, arguments.new] if pair % 2 == 0 else [arguments.new, arguments.old]
            rates = {binary: rate(binary, case, arguments.threads) for binary in order}
            ratios.append(rates[arguments.new] / rates[arguments.old])
        median, (low, high) = statistics.median(ratios), interval(ratios)
        passes = median >= LEAST or low <= 1.0 <= high
        all_pass &= passes and arguments.pairs >= 15
        verdict = "passes" if passes else "FAILS"
        print(f"{case:16} {median:.3f} ({low:.3f} to {high:.3f}), {arguments.pairs} pairs: {verdict}", flush=True)
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
