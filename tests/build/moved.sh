#!/usr/bin/env bash
# An installation that was moved and is read-only works: threads, inputs, models, the test binary by itself.
# Usage: tests/build/moved.sh PREFIX WORK
. "$(dirname "$0")/lib.sh"
touch began

expect_code() { # code command...
    local wanted=$1 code
    shift
    "$@" >log 2>&1 </dev/null
    code=$?
    [ $code = "$wanted" ] || { cat log; fail "$*: exit code $code instead of $wanted"; }
}

cat >input.c <<'END'
#include <sennit/sennit.h>
int main(void)
{
    unsigned x = sennit_uint("x");
    sennit_assert(x * x != 1522756 || x < 1000); /* 1234 squared: for the solver */
    return 0;
}
END
expect_code 0 "$prefix/bin/sennit" --version
expect_code 1 "$prefix/bin/sennit" test "$root/examples/bank.c" -o threads
expect_code 1 "$prefix/bin/sennit" test input.c -o inputs
expect_code 1 "$prefix/bin/sennit" explore "$root/examples/abs/account.abs" -o model
expect_code 0 "$prefix/bin/sennit-cc" -g input.c -o input
SENNIT_OPTIONS= PATH=$prefix/bin:$PATH expect_code 1 ./input
expect_code 2 sh "$prefix/lib/sennit/sennit-expect"
expect_code 2 "$prefix/lib/sennit/sennit-expect" nonsense run ./input
expect_code 1 "$prefix/lib/sennit/sennit-expect" exhaustive run ./input
expect_code 1 "$prefix/lib/sennit/sennit-expect" bug:deadlock run ./input
expect_code 0 "$prefix/lib/sennit/sennit-expect" bug:assertion run ./input
# A run without a result is not judged by the one before it.
[ -f run/run.json ] || fail "no run directory is left"
expect_code 1 "$prefix/lib/sennit/sennit-expect" bug:assertion run ./missing
grep -q 'left no result' log || fail "the result of an earlier run was used"
# Only what a run wrote is removed, whatever the directory is.
keeps() { # sentence directory-or-file program
    local before
    before=$(find "$2" -type f -exec cksum {} +)
    expect_code 2 "$prefix/lib/sennit/sennit-expect" exhaustive "$2" "$3"
    grep -q "$1" log || { cat log; fail "no \"$1\""; }
    [ "$before" = "$(find "$2" -type f -exec cksum {} +)" ] || fail "sennit-expect changed $2"
}
mkdir -p mine/bugs other empty
echo notes >mine/notes.txt
echo report >mine/bugs/mine.txt
echo '{"program": "of another tool"}' >other/run.json
echo a,b >other/stats.jsonl
ln -s nowhere dangling
keeps 'neither empty nor a run directory' mine ./input
keeps 'neither empty nor a run directory' other ./input
keeps 'is not a directory' ./input run
keeps 'is not a directory' dangling ./input
expect_code 2 "$prefix/lib/sennit/sennit-expect" exhaustive "" ./input
expect_code 0 "$prefix/lib/sennit/sennit-expect" bug:assertion empty ./input
echo notes >empty/notes.txt
expect_code 0 "$prefix/lib/sennit/sennit-expect" bug:assertion empty ./input
[ -f empty/notes.txt ] || fail "a file that no run wrote was removed"
# One that was killed left no result.
rm empty/run.json
expect_code 1 "$prefix/lib/sennit/sennit-expect" bug:assertion empty ./missing
[ -z "$(ls empty/bugs)" ] || fail "bugs of an earlier run are left"
expect_code 0 "$prefix/lib/sennit/sennit-expect" bug:assertion empty ./input
written=$(find "$prefix" -newer began)
[ -z "$written" ] || fail "files below the prefix were written: $written"
