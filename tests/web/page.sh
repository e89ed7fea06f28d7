#!/usr/bin/env bash
# The page's own tests, its types, its style, and its size. Usage: page.sh WEB BUILD
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../need.sh"
need node npm gzip
web=$(realpath "$1") build=$(realpath "$2")
cd "$build/page" # tools/build-page has installed its packages here
rm -rf test && cp -r "$web/test" "$web/tsconfig.json" "$web/.oxlintrc.json" .
npx --no-install tsc --noEmit
(cd "$web" && "$build/page/node_modules/.bin/oxlint" src test build.mjs) >lint.log 2>&1 || { cat lint.log; exit 1; }
linted=$(sed -n 's/.* on \([0-9]*\) files .*/\1/p' lint.log) # none of those that git ignores, as all below build/
[ "${linted:-0}" = "$(find "$web/src" "$web/test" "$web/build.mjs" -name '*.ts' -o -name '*.tsx' -o -name '*.mjs' | wc -l)" ] || { echo "FAIL: $linted files were linted"; exit 1; }
node --test test/ >test.log 2>&1 || { cat test.log; exit 1; }
size=$(gzip -c "$build/generated/page.html" | wc -c)
[ "$size" -le 400000 ] || { echo "FAIL: the page has $size bytes compressed"; exit 1; }
! grep -q 'built without its page' "$build/generated/page.html" || { echo "FAIL: the page was not built"; exit 1; }
echo "ok, $size bytes compressed"
