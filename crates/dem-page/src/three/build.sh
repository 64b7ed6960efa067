#!/usr/bin/env bash
# Makes three.module.js, the part of three.js that the page of `dem view` uses, as one module. Needs node and the packages of the lock file; a build of dem does not.
#
#   bash crates/dem-page/src/three/build.sh [--check]
#
# With --check nothing is written; the exit code is 1 if the file is out of date.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp entry.js package.json package-lock.json "$scratch"
(cd "$scratch" && npm ci --no-audit --no-fund --silent && npm run --silent build -- --log-level=warning)
if [[ ${1:-} == --check ]]; then
    cmp "$scratch/three.module.js" three.module.js && cmp "$scratch/node_modules/three/LICENSE" LICENSE
else
    cp "$scratch/three.module.js" .
    cp "$scratch/node_modules/three/LICENSE" LICENSE
fi
