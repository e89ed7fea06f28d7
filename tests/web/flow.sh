#!/usr/bin/env bash
# The page in a real browser, and `sennit dap` with a real client. Usage: flow.sh SENNIT BUILD SCRIPT
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../need.sh"
need node npm chromium
sennit=$(realpath "$1") build=$(realpath "$2")/browser
mkdir -p "$build"
cp "$here"/browser/package.json "$here"/browser/package-lock.json "$here"/browser/.npmrc "$here"/*.mjs "$build"
cd "$build"
cmp -s package-lock.json node_modules/.sennit-lock || { npm ci >npm.log 2>&1 || { cat npm.log; exit 1; }; cp package-lock.json node_modules/.sennit-lock; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node "$3" "$sennit" "$here/../../examples" "$work"
