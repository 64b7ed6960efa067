#!/usr/bin/env bash
# Makes everything that a release consists of, in python/dist/release; uploads nothing.
#
#   bash python/release.sh
#
# The wheel and the source distribution of the package, the stripped command with its manual, completions, licences, notices and examples in one archive, and
# checksums. Needs what building needs; a clean clone at the commit of the release, so that the version names it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ -n "$(git status --porcelain)" ]; then
    echo "error: the working tree has changes: a release is made from a commit" >&2
    exit 2
fi
python3 python/tools/third_party.py --check

bash python/build.sh
out=python/dist/release
mkdir -p "$out"
mv python/dist/*.whl "$out"
bash python/sdist.sh "$out"

CARGO_INCREMENTAL=0 cargo build --release --locked
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
name=dem-$version-$(uname -m)-linux
folder=$out/$name
mkdir -p "$folder/completions"
strip -o "$folder/dem" target/release/dem
for shell in bash zsh fish elvish powershell; do
    "$folder/dem" completions "$shell" >"$folder/completions/dem.$shell"
done
"$folder/dem" man --out "$folder/man" >/dev/null
cp LICENSE-MIT LICENSE-APACHE CITATION.cff CHANGELOG.md README.md python/THIRD-PARTY.md "$folder"
# examples as they are in the repository, without what runs of them have left there
git archive HEAD examples | tar -x -C "$folder"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name"
rm -r "$folder"
(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out"
