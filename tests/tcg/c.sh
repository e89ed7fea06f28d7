#!/bin/sh
# `sennit generate FILE.c --function NAME`: exact numbers of tests, the driver, errors.
# Usage: c.sh SENNIT
. "$(dirname "$0")/lib.sh"
parser=$examples/generate/parser.c
shapes=$here/programs/shapes.c

# tests FILE FUNCTION OPTIONS...: their number and the exit code
tests() {
    file=$1 name=$2
    shift 2
    "$sennit" generate "$file" --function "$name" "$@" >out 2>err
    echo "$? $(sed -n 's/^\([0-9]*\) tests* in .*, made by.*/\1/p' out)"
}
# error FILE FUNCTION OPTIONS...
error() {
    file=$1 name=$2
    shift 2
    "$sennit" generate "$file" --function "$name" "$@" 2>&1 >/dev/null | sed "s,$here/,,"
}

# A digit or one of two wrong characters at each place: 2 + 5 without a sign, 5 behind one.
expect "strings" "0 12" "$(tests "$parser" parse --string 3)"
expect "inputs are shown" 'test 4: ok  text "000"  number[0] 0  => 1' "$(grep '^test 4:' out)"
# Lists of up to 3 tokens: P(0) = 1, P(n) = 1 + 3 P(n - 1): end, or longer, not longer, number.
expect "lists" "0 58" "$(tests "$parser" longest --null)"
expect "lists of one length" "0 40" "$(tests "$parser" longest)"
# What the driver leaves out is a bound.
expect "lists are bounded" "exhaustive within bounds: 40 schedules explored; bounds: arguments with 1 element behind a pointer, at most 3 pointers in a row, no cycle, no NULL, no two pointers to the same memory, only the enumerators of enumerations (hit 40 times), no bug." \
    "$(sed -n 's/^longest_driver.c: //p' out)"
expect "in run.json too" '"bounded"' "$(jq -c .verdict sennit-last/run.json)"
expect "lengths are bounded" "arguments with at most 3 elements behind a pointer with a length, no NULL" \
    "$(tests "$parser" total >/dev/null; sed -n 's/^total_driver.c: .*bounds: \(.*\) (hit.*/\1/p' out)"
expect "structures without pointers are not" "exhaustive: every schedule and every path of the inputs covered by 3 executions, no bug." \
    "$(tests "$parser" clamp >/dev/null; sed -n 's/^clamp_driver.c: //p' out)"
expect "structures" "0 3" "$(tests "$parser" clamp)"
expect "a length" "0 4" "$(tests "$parser" total)"
expect "which is said" "values points to count elements, at most 3 (--no-pairs: treat them as independent)" "$(grep 'no-pairs' out)"
expect "a length of at most 1" "0 2" "$(tests "$parser" total --elements 1)"
expect "arrays: all counts up to 2, and one too many" "1 4" "$(tests "$parser" total --elements 2 --no-pairs)"
expect "the bug" "test 4: heap-bounds  values[0] 0  values[1] 0  count 3" "$(grep '^test 4:' out)"
expect "the bug is replayed" 1 "$("$sennit" replay total-tests/test000004.trace >/dev/null 2>&1; echo $?)"
(cmake -S parse-tests -B b && cmake --build b) >/dev/null 2>&1
expect "tests without Sennit" "100% tests passed, 0 tests failed out of 12" "$(ctest --test-dir b 2>/dev/null | grep 'tests passed')"

expect "strings are bounded" "arguments with 1 element behind a pointer, at most 1 character in a string, no NULL, no two pointers to the same memory" \
    "$(tests "$parser" parse --string 1 >/dev/null; sed -n 's/^parse_driver.c: .*bounds: \(.*\) (hit.*/\1/p' out)"
expect "no parameters" "0 1" "$(tests "$shapes" none)"
expect "numbers" "0 1" "$(tests "$shapes" scalars)"
# 7 or not, then 8 or not, then 9 or not; for either value of `side`.
expect "arrays of arrays" "0 4" "$(tests "$shapes" board)"
expect "union" "0 2" "$(tests "$shapes" both)"
expect "an array at the end" "0 2" "$(tests "$shapes" text --elements 2)"
expect "and one that is too short" "1 1" "$(tests "$shapes" text)"
expect "lengths" "0 9" "$(tests "$shapes" lengths --elements 2)"
expect "no length" "0 2" "$(tests "$shapes" nth)"
expect "two pointers" "0 2" "$(tests "$examples/generate/functions.c" exchange --alias)"
expect "shapes" "0 1" "$(tests "$shapes" shapes --elements 2)"
expect "blocks can be freed" "0 1" "$(tests "$shapes" takes)"
expect "enumerators" "0 2" "$(tests "$shapes" sizes)"
expect "NULL at each pointer" "0 4" "$(tests "$shapes" depth --null)"
expect "a directory" "0 1" "$(tests "$shapes" none --out elsewhere)"
expect "driver and suite are there" "none_driver.c none_tests.c " "$(ls elsewhere | grep 'none.*c$' | tr '\n' ' ')"
expect "the run is there, its tests once" "run.json test000001.trace" "$(cd elsewhere && find . -name run.json -o -name '*.trace' | sed 's/..//' | sort | paste -sd ' ')"
expect "nothing to run" "none of them can be run without Sennit; text-tests/text_tests.c says why" "$(tests "$shapes" text >/dev/null; tail -1 out)"

expect "pointer to a function" "sennit generate: programs/shapes.c:$(grep -n '^int callback' "$shapes" | cut -d: -f1): f is a pointer to a function: not supported" "$(error "$shapes" callback)"
expect "in a structure" "sennit generate: programs/shapes.c:$(grep -n 'Handler handler' "$shapes" | cut -d: -f1): t[0].handler is a pointer to a function: not supported" "$(error "$shapes" table)"
expect "union with a pointer" "u[0] is a union with pointers in it: not supported" "$(error "$shapes" either | sed 's/.*: u/u/')"
expect "void *" "p is a void * without a length parameter after it: not supported" "$(error "$shapes" unknown | sed 's/.*: p/p/')"
expect "large arrays" "values[0] is an array of more than 64 elements: not supported" "$(error "$shapes" large | sed 's/.*: values/values/')"
expect "variable arguments" "many is a function with variable arguments: not supported" "$(error "$shapes" many | sed 's/.*: many/many/')"
expect "incomplete" "h is a pointer to an incomplete type: not supported" "$(error "$shapes" hidden | sed 's/.*[0-9]: h/h/')"
expect "128 bits" 2 "$("$sennit" generate "$shapes" --function wide 2>/dev/null; echo $?)"
expect "long double" 2 "$("$sennit" generate "$shapes" --function longer 2>/dev/null; echo $?)"
expect "no such function" "sennit generate: programs/shapes.c defines no function nope" "$(error "$shapes" nope)"
expect "no function" 2 "$("$sennit" generate "$shapes" 2>/dev/null; echo $?)"
expect "main" 2 "$("$sennit" generate "$parser" --function main 2>/dev/null; echo $?)"
expect "wrong number" "sennit generate: --elements 0: expected a number from 1 to 64" "$(error "$shapes" none --elements 0)"
expect "no such file" 2 "$("$sennit" generate nowhere.c --function f 2>/dev/null; echo $?)"
echo 'int f(int x) { return x }' >wrong.c
expect "does not compile" "sennit generate: wrong.c does not compile" "$(error wrong.c f | tail -1)"
expect "unwritable" 2 "$("$sennit" generate "$shapes" --function none --out /no/such/place 2>/dev/null; echo $?)"
exit $failed
