#!/usr/bin/env bash
# The paths that are explored are those that a plain compiler's program takes (native.c).
#
# Usage: tests/paths/native.sh [--long] SENNIT
set -u
here=$(cd "$(dirname "$0")" && pwd)
size=short
[ "$1" = --long ] && { size=long; shift; }
sennit=$(realpath "$1")
. "$here/../need.sh"
need clang-19
clang=clang-19
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() { # program flags paths domain
    local program=$here/$1.c flags=$2 paths=$3
    rm -rf suite
    # shellcheck disable=SC2086
    "$sennit" test "$program" $flags -k -q --coverage=off --tests suite >log 2>&1
    # shellcheck disable=SC2086
    if "$clang" -O0 -w $flags -Dmain=sennit_program_main -DSENNIT_DRIVER -Isuite -fsanitize-coverage=trace-pc-guard,no-prune \
        -c "$program" -o program.o 2>>log && "$clang" -O1 -w -Isuite "$here/native.c" program.o -o native 2>>log &&
        ./native "$paths" "$4" >>log 2>&1; then
        echo "ok    $1 $flags: $(tail -n 1 log)"
    else
        echo "FAIL  $1 $flags: not $paths paths"
        tail -n 10 log | sed 's/^/      | /'
        failures=$((failures + 1))
    fi
}

# Bytes that the comparisons of base64.c tell apart, and those that regexp.c knows.
digits="-1,'\$,'+,'-,'/,'5,';,'=,'?,'K,'^,'k,'|"
letters="0,'*,'.,'^,'\$,'h,'e,'l,'o,'?"
password=
for c in p a s s w o r d; do
    code=$(printf '%d' "'$c")
    password+="${password:+/}0,$((code - 1)),$code,$((code + 1))"
done

if [ $size = short ]; then
    check bubble -DN=4 24 0,1,2,3
    check bubble -DN=5 120 0,1,2,3,4
    check triangle -DN=0 11 -1,0,1,2,3,4,5,6
    check compare -DN=8 25 "$password"
    check maze -DN=7 173 "'w,'a,'s,'d,'x"
    check base64 -DN=4 1442 "$digits"
    check expression -DN=5 280 "0,'(,'),'*,'/,'+,'-,'0,'1,'?,'#"
    check regexp -DN=4 399 "$letters"
else
    check bubble -DN=6 720 0,1,2,3,4,5
    check bubble -DN=7 5040 0,1,2,3,4,5,6
    check base64 -DN=5 7217 "$digits"
    check regexp -DN=5 1209 "$letters"
fi
[ $failures = 0 ]
