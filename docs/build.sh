#!/usr/bin/env bash
# Builds the book into target/book and checks it: links, anchors, pictures, and every page in headless Chromium if there is one.
#
#   bash docs/build.sh              # then open target/book/index.html
#
# Needs Python 3.10 or later and, unless mdbook is installed already, cargo: mdbook comes from crates.io into target/book-tools. The book needs
# no network to be read. CHROMIUM names another browser, CHROMIUM=none leaves the browser out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=0.5.4
tools=$PWD/target/book-tools
if [ "$(mdbook --version 2>/dev/null)" = "mdbook v$version" ]; then
    mdbook=mdbook
else
    mdbook=$tools/bin/mdbook
    if [ "$("$mdbook" --version 2>/dev/null)" != "mdbook v$version" ]; then
        # without optimisation: it compiles in a third of the time and builds this book in seconds all the same
        CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo install --locked --debug --quiet "mdbook@$version" \
            --no-default-features --features search --root "$tools"
    fi
fi

python3 docs/book.py stage
"$mdbook" build target/book-source --dest-dir "$PWD/target/book"
python3 docs/book.py check
python3 docs/book.py browse
[ ! -x target/release/dem ] || bash docs/site/build.sh target/release/dem target/site    # the front page, with a picture of a run
