#!/usr/bin/env bash
# A machine without Node.js builds the tool without its page: the build says so, the server and --html too, and the
# interface answers. Usage: without_node.sh SENNIT BUILD SOURCES
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../need.sh"
need ninja cc python3
sennit=$(realpath "$1") build=$(realpath "$2") sources=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL: $*"; exit 1; }

# The page is built where there is neither node nor npm.
mkdir "$work/bin" "$work/other"
for program in bash cat mkdir dirname rm cp cmp; do ln -s "$(command -v $program)" "$work/bin/$program"; done
PATH=$work/bin "$sources/tools/build-page" "$sources/web" "$work/page" "$work/other/page.html" 2>"$work/said"
[ "$(cat "$work/said")" = "the page of \`sennit ui\` is left out: the machine had no Node.js" ] || fail "the build says $(cat "$work/said")"

# The server is linked as the build does it, with that page.
cc -c -I"$work/other" -o "$work/page_bytes.o" "$sources/src/web/page_bytes.S"
link=$(ninja -C "$build" -t commands sennit-web | tail -1)
link=${link//CMakeFiles\/sennit-web.dir\/src\/web\/page_bytes.S.o/$work/page_bytes.o}
(cd "$build" && eval "${link//-o sennit-web/-o $work/sennit-web}")

cp "$sources/examples/bank.c" "$work"
cd "$work"
"$sennit" test bank.c -q >said || [ $? = 1 ] || fail "sennit test"
status=0
./sennit-web report "$sennit" "$(realpath sennit-last)" report.html 2>said || status=$?
[ $status = 5 ] && grep -q 'built without its page' said && [ ! -e report.html ] || fail "--html: exit code $status, $(cat said)"

./sennit-web serve "$sennit" "$work" '' '' 0 >address 2>said &
server=$!
until [ -s address ] && grep -q 'built without its page' said; do
    kill -0 $server || fail "the server has ended: $(cat said)"
    sleep 0.05
done
address=$(cat address)
ask() { python3 -c 'import sys, urllib.request as r; print(r.urlopen(r.Request(sys.argv[1], headers={"X-Sennit-Token": sys.argv[2]})).read().decode())' "$1" "${address##*=}"; }
ask "$address" >said
grep -q 'built without its page: the machine had no Node.js' said || fail "the page does not say it"
ask "${address%%\?*}api/runs" >said
grep -q '"001"' said || fail "no answer below /api/"
kill -INT $server
wait $server || fail "the server ends with $?"
echo ok
