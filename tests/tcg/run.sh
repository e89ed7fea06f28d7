#!/bin/sh
# `sennit generate` on the models beside this file: exact numbers of tests and contexts.
# Usage: run.sh SENNIT
. "$(dirname "$0")/lib.sh"

contexts() { "$sennit" generate "$models/database.abs" --contexts "$@"; }
tests() { "$sennit" generate "$@" | sed -n 's/ from .*; \(.*\) confirmed.*/ \1/p'; }

expect "one method, another perhaps" "context 1: DB_1 [register]
context 2: DB_1 [register, getData]
context 3: DB_1 [register], DB_2 [getData]" "$(contexts --method DB.register:1..1 --method DB.getData:0..1)"
expect "two classes" "context 1: DB_1 [register, getData], Worker_1 [work]
context 2: DB_1 [register], DB_2 [getData], Worker_1 [work]" \
    "$(contexts --method DB.register --method DB.getData --method Worker.work)"

out=$("$sennit" generate "$models/database.abs" --method DB.getData --loop 1)
expect "getData: tests" 3 "$(echo "$out" | grep -c '^test ')"
expect "getData: conditions" "    (DB_1.clients == 0)
    not (DB_1.clients == 0)
    not (DB_1.clients.head == DB_1.getData.w)
    not (DB_1.clients == 0)
    (DB_1.clients.head == DB_1.getData.w)" "$(echo "$out" | grep '^    .*(DB_1.*==' | sed 's/(DB_1.getData.w == DB_1.clients.head)/(DB_1.clients.head == DB_1.getData.w)/')"

out=$("$sennit" generate "$models/factorial.abs" --method Fact.ft --loop 1 --switches 5 --objects 2 --format=concrete)
# An object that knows nobody to report to, with maximum 1: 3 * 2 * 1, or 3 * 1 * 1 if the middle object reports too early.
results=$(echo "$out" | awk '/^  start/ { on = 0; end = 0 } /^  end/ { end = 1 }
    !end && /Fact_1: b = null, mx = 1,/ { on = 1; r = $NF } /ft\(n = 3\)/ && on { on = 2 }
    end && /Fact_1: b = null/ && on == 2 { print $NF / r }' | sort -n | uniq | tr '\n' ' ')
expect "factorial of 3" "3 6 " "$results"

expect "unknown class" 2 "$("$sennit" generate "$models/factorial.abs" --method Nope.ft 2>/dev/null; echo $?)"
expect "unknown method" "sennit generate: --method Fact.nope: class Fact has no method nope" \
    "$("$sennit" generate "$models/factorial.abs" --method Fact.nope 2>&1)"
expect "wrong numbers" 2 "$("$sennit" generate "$models/factorial.abs" --method Fact.ft:2..1 2>/dev/null; echo $?)"
expect "wrong range" 2 "$("$sennit" generate "$models/factorial.abs" --method Fact.ft --range 5 2>/dev/null; echo $?)"
expect "no method" 2 "$("$sennit" generate "$models/factorial.abs" 2>/dev/null; echo $?)"
exit $failed
