#!/usr/bin/env bash
# Builds the front page: runs a hopper, makes the interactive picture of the run, puts the page beside it and checks both.
#
#   bash docs/site/build.sh target/release/dem target/site      # then open target/site/index.html
#
# It links to the book in the folder `book` beside its own, as docs/build.sh leaves them. Needs Python 3.10 or later and, to open the page as
# well, Chromium; CHROMIUM names another browser, CHROMIUM=none leaves it out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 2 ] && [ -x "$1" ] || { echo "usage: build.sh path/to/dem FOLDER, with an executable dem" >&2; exit 2; }
dem=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# the commands of the page; the grains still run out when the run stops
cd "$scratch"
{ "$dem" new demo --template hopper &&
    "$dem" run demo.toml --until 0.5s --no-pictures &&
    rm -f "$out/view.html" &&
    "$dem" view runs/demo --out "$out/view.html"; } >log 2>&1 || { cat log >&2; exit 1; }
cp "$here/index.html" "$here/style.css" "$out"
python3 "$here/check.py" "$out"
