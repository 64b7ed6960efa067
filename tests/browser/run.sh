#!/usr/bin/env bash
# Tries the interactive picture in headless Chromium, software rendering included.
#
#   bash tests/browser/run.sh PATH/TO/dem [FOLDER FOR SCREENSHOTS]
#
# Needs Chromium with its driver (Debian: chromium and chromium-driver; CHROMIUM and CHROMEDRIVER name others) and Python with venv.
set -euo pipefail
dem=$(realpath "$1")
shots=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/v"
"$scratch/v/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
"$scratch/v/bin/python" "$here/view.py" "$dem" "$scratch" ${shots:+"$shots"}
