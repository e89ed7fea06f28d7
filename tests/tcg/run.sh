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

expect "another perhaps, of one class" "context 1: DB_1 [getData]
context 2: DB_1 [register, getData]
context 3: DB_1 [register], DB_2 [getData]" "$(contexts --method DB.register:0..1 --method DB.getData:1..1)"

out=$("$sennit" generate "$models/database.abs" --method DB.getData --loop 1)
expect "getData: tests" 3 "$(echo "$out" | grep -c '^test ')"

out=$("$sennit" generate "$models/factorial.abs" --method Fact.ft --loop 1 --switches 5 --objects 2 --format=concrete)
# An object without a reference to report to, with maximum 1: 3 * 2 * 1, or 3 * 1 * 1 if the middle object reports too early.
results=$(echo "$out" | awk '/^  start/ { on = 0; end = 0 } /^  end/ { end = 1 }
    !end && /Fact_1: b = null, mx = 1,/ { on = 1; r = $NF } /ft\(n = 3\)/ && on { on = 2 }
    end && /Fact_1: b = null/ && on == 2 { print $NF / r }' | sort -n | uniq | tr '\n' ' ')
expect "factorial of 3" "3 6 " "$results"

# summary OPTION...: the last lines, without those that are for people only
summary() { "$sennit" generate "$@" | sed -n '/ from .* initial context/,$p'; }
count() { summary "$@" | sed -n 's/ tests\{0,1\} from .*//p'; }

# The published numbers for these limits are 270, 432, 54, 960; each order of tasks that write different fields is one less.
expect "factorial 2 4 2" 123 "$(count "$models/factorial.abs" --method Fact.ft --loop 2 --switches 4 --objects 2)"
expect "factorial 3 4 2" 237 "$(count "$models/factorial.abs" --method Fact.ft --loop 3 --switches 4 --objects 2)"
expect "factorial 2 3 2" 51 "$(count "$models/factorial.abs" --method Fact.ft --loop 2 --switches 3 --objects 2)"
expect "factorial by objects" 231 "$(count "$models/factorial.abs" --method Fact.ft --loop 2 --switches 4 --objects 2 --no-independence)"
expect "factorial without aliases" "123 tests from 1 initial context; 123 confirmed by running them with concrete inputs
cut by bounds: loop 22, switches 0, objects 63; values concretised: 0
covered: 6 of 6 decision outcomes, 14 of 14 statements
209 executions, 489 states, 1 redundant, 1 duplicates of other tests" \
    "$(summary "$models/factorial.abs" --method Fact.ft --loop 2 --switches 4 --objects 2 --no-aliases)"
# Every way finds the same tests; how many states it takes.
for way in "123 803 --no-stability" "123 548 --reduction=optimal" "231 773 --no-independence" "231 1373 --no-independence --no-stability"; do
    set -- $way
    shift 2
    expect "factorial, states: $*" "${way%% --*}" \
        "$(summary "$models/factorial.abs" --method Fact.ft --loop 2 --switches 4 --objects 2 --no-aliases "$@" |
            sed -n 's/ tests from.*//p; s/.* executions, \([0-9]*\) states.*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
done
for options in "" --no-stability --reduction=optimal --reduction=source --reduction=none; do
    expect "told, $options" 3 "$(count "$models/told.abs" --method Main.go $options)"
done
for criterion in branches statements; do
    expect "factorial, $criterion" "1 test from 1 initial context; 123 confirmed by running them with concrete inputs
covered: 6 of 6 decision outcomes, 14 of 14 statements" \
        "$(summary "$models/factorial.abs" --method Fact.ft --loop 2 --switches 4 --objects 2 --select=$criterion | grep 'from\|covered')"
done
expect "unknown selection" 2 "$("$sennit" generate "$models/factorial.abs" --method Fact.ft --select=lines 2>/dev/null; echo $?)"

# The simulation: n <= 0, and the database with one worker in 3 classes of 6 schedules; more workers are cut.
expect "simulate 1" "4 tests from 1 initial context; 4 confirmed by running them with concrete inputs
cut by bounds: loop 1, switches 0, objects 0; values concretised: 0
5 executions, 17 states, 0 redundant, 0 duplicates of other tests" "$(summary "$models/simulate.abs" --method Main.simulate --loop 1 | grep -v covered)"
expect "simulate 1, all schedules" "4 tests from 1 initial context; 4 confirmed by running them with concrete inputs
cut by bounds: loop 1, switches 0, objects 0; values concretised: 0
8 executions, 26 states, 0 redundant, 3 duplicates of other tests" \
    "$(summary "$models/simulate.abs" --method Main.simulate --loop 1 --reduction=none | grep -v covered)"
# 1 + 6 + 1,700 schedules, and the path that is cut; brute force has 1,700 for two workers too (abs/counts.tsv, simulate.c).
expect "simulate 2, all schedules" "32 tests from 1 initial context; 32 confirmed by running them with concrete inputs
cut by bounds: loop 1, switches 0, objects 0; values concretised: 0
1708 executions, 7161 states, 0 redundant, 1675 duplicates of other tests" \
    "$(summary "$models/simulate.abs" --method Main.simulate --loop 2 --reduction=none | grep -v covered)"

# The calls that matter for the cycle of the database, and the deadlock itself.
out=$("$sennit" generate "$models/../../../examples/abs/database.abs" --for-deadlock)
expect "for a deadlock: context" "context 1: DB_1 [register], Worker_1 [work]" "$(echo "$out" | grep '^context')"
expect "for a deadlock: tests" "test 1: deadlock" "$(echo "$out" | grep '^test ')"
out=$("$sennit" generate "$models/../../../examples/abs/database.abs" --for-deadlock --method DB.register:0..1)
expect "for a deadlock, with numbers of calls" "context 1: Worker_1 [work]
context 2: DB_1 [register], Worker_1 [work]" "$(echo "$out" | grep '^context')"

# As in the published table: references are different objects, those that are called are not null.
published() { count "$models/../../../bench/tcg/$1.abs" --method "$2" --loop "$3" --recursion "$3" --switches 30 --objects "$4" --no-aliases --no-null $5; }
expect "registration 1 1" 4 "$(published registration Secretary.work 1 1)"
expect "registration 2 1" 14 "$(published registration Secretary.work 2 1)"
expect "registration 2 2" 59 "$(published registration Secretary.work 2 2)"
expect "quicksort 2 1" 236 "$(published quicksort Sort.sort 2 1 "--range 0..10")"
expect "quicksort 2 2" 1017 "$(published quicksort Sort.sort 2 2 "--range 0..10")"
expect "quicksort 2 1, all numbers" 240 "$(published quicksort Sort.sort 2 1)"
for options in "" --no-stability; do
    expect "pipe 1 2 $options" 1559 "$(published pipesort Feeder.feedTwice 1 2 $options)"
    expect "mail 2 $options" 30 "$(published mail Server.notifyAll 2 2 "--switches 4 $options")"
done
expect "producer 3" 64 "$(published buffer Producer.produceAll 3 30)"
expect "producer 3 by objects" 398 "$(published buffer Producer.produceAll 3 30 --no-independence)"
expect "producer 3, --dependence=actor" 398 "$(published buffer Producer.produceAll 3 30 --dependence=actor)"

# A limit that no option of generate sets is named like the bounds.
cat >deep.abs <<'MODEL'
module Deep;
def Int down(Int n) = if n < 0 then 0 else 1 + down(n + 1);
interface I { Int f(); }
class C implements I { Int f() { return down(1); } }
{ }
MODEL
expect "a limit without an option" "0 tests from 1 initial context; 0 confirmed by running them with concrete inputs
cut by bounds: loop 0, switches 0, objects 0; values concretised: 0
cut by limits: functions that call themselves millions of times are stopped (1)" \
    "$(summary deep.abs --method C.f --loop 1000000000 --out deep 2>/dev/null | head -3)"
expect "a limit in run.json" '"depth": 1 "verdict": "bounded"' \
    "$(grep -o '"depth": 1\|"verdict": .*' deep/run.json | xargs -d'\n')"

expect "unknown class" 2 "$("$sennit" generate "$models/factorial.abs" --method Nope.ft 2>/dev/null; echo $?)"
expect "unknown method" "sennit generate: --method Fact.nope: class Fact has no method nope; it has ft, wk, dg, rp" \
    "$("$sennit" generate "$models/factorial.abs" --method Fact.nope 2>&1 | sed 's/ (.*//')"
expect "wrong numbers" 2 "$("$sennit" generate "$models/factorial.abs" --method Fact.ft:2..1 2>/dev/null; echo $?)"
expect "wrong range" 2 "$("$sennit" generate "$models/factorial.abs" --method Fact.ft --range 5 2>/dev/null; echo $?)"
expect "no method" 2 "$("$sennit" generate "$models/factorial.abs" 2>/dev/null; echo $?)"
exit $failed
