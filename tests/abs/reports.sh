#!/usr/bin/env bash
# What people and scripts see of models: errors, deadlock chains, tables, diagrams, trees,
# final states, traces that replay.
#
# Usage: tests/abs/reports.sh SENNIT
here=$(cd "$(dirname "$0")" && pwd)
BASH_ARGV0=$here/../cli/reports.sh # lib.sh looks for its programs beside it
. "$here/../cli/lib.sh"
golden=$here/golden
cp "$here"/../../examples/abs/*.abs "$here"/models/*.abs .

same() { # golden-file what: the output of the last run is the file
    diff "$golden/$1" out >diff.txt || complain "$2: differs from tests/abs/golden/$1: $(cat diff.txt)"
}

field() { # jq-filter wanted
    local found
    found=$(jq -c "$1" run/run.json)
    [ "$found" = "$2" ] || complain "run.json: $1 is $found instead of $2"
}

# All errors at once, with line and caret.
cat >wrong.abs <<'END'
module Wrong;
{
    Int x = True;
    y = 2;
    foo(3);
    Strng s = "a";
}
END
run "$sennit" check wrong.abs
expect_code 2 'check wrong.abs'
expect_text out '^wrong.abs:3:13: error: ' 'first error'
expect_text out '^wrong.abs:4:5: error: ' 'second error'
expect_text out '^wrong.abs:6:5: error: ' 'last error'
expect_text out '^     3 \|     Int x = True;$' 'source line'
expect_text out '^       \|             \^~~~$' 'caret'
run "$sennit" check database.abs database2.abs
expect_code 0 'check of two files'
run "$sennit" check database2.abs
expect_code 0 'check with the imported file beside it'
echo 'module D; delta X; core M { } ' >delta.abs
run "$sennit" check delta.abs
expect_code 2 'check of a delta'

# A deadlock: chain, table, final states.
run "$sennit" explore database.abs --color=never -o run
expect_code 1 explore
grep -vE ' ms| s \(|results are in' out >kept; mv kept out
same database.txt 'report'
field '[.bugs[0].kind, .bugs[0].places[].line]' '["deadlock",27,46]'
field '[.bugs[0].interleavings[] | .then]' '["returned","blocked","blocked"]'
field '.bugs[0].threads | length' 4
field '[.final_states[] | .outcome]' '["deadlock","ok","ok"]'
field '[.final_states[] | .executions]' '[1,1,1]'
field '.final_states[1].objects[1]' '{"name":"Worker_1","class":"Worker","dead":false,"fields":{"datum":"Something"}}'
field '.final_states[1].interleavings[3] | [.time, .object, .task, .line]' '[4,"DB_1","register",27]'
field '[.program, .command, .version, .verdict, .bounds, .executions, .redundant, .steps, .cpu_seconds, .peak_kb, .exit_code] | length' 11

# A row says how its step ended, not what happened to the task later.
run "$sennit" explore died.abs -v --color=never -o died
expect_code 1 died
expect_text out '2  AI_1    w         7  .*waiting at line 7 for LI_1.note; x = 1' 'a task whose object dies later'

# An object that dies is one bug, with its effects.
run "$sennit" explore lb.abs --show=none --color=never -o lb
expect_code 1 lb
found=$(jq -c '[.bugs | length, .[0].kind, .[0].places[0].line]' lb/run.json)
[ "$found" = '[1,"exception",31]' ] || complain "one cause: $found"

# A long chain of tasks replays too.
cat >ring.abs <<'END'
module Ring;
interface N { Unit setNext(N n); Unit pass(Int k); }
class Node implements N {
    N next;
    Unit setNext(N n) { next = n; }
    Unit pass(Int k) { if (k > 0) { next!pass(k - 1); } else { assert False; } }
}
{ N a = new Node(); N b = new Node(); await a!setNext(b); await b!setNext(a); a!pass(700); }
END
run "$sennit" explore ring.abs --show=none --color=never -o ring
expect_code 1 ring
run "$sennit" replay ring/bugs/assertion-*.trace
expect_code 1 'replay of a long chain of tasks'

# Every trace replays, and shows the diagram.
run "$sennit" replay --diagram --color=never -q run/bugs/deadlock-*.trace
expect_code 1 'replay of the deadlock'
same diagram.txt 'diagram'
for trace in run/states/*.trace; do
    run "$sennit" replay "$trace"
    expect_code 0 "replay of $trace"
    expect_text out 'each as recorded' "replay of $trace"
done
run "$sennit" replay --color=always run/bugs/deadlock-*.trace
expect_text out $'\033\[1;31mblocked' 'colours'
run "$sennit" replay run/bugs/deadlock-*.trace
expect_no_text out $'\033' 'colours without a terminal'
sed 's/checkOnline = True/checkOnline = False/' database.abs >other.abs
cp other.abs database.abs
run "$sennit" replay run/bugs/deadlock-*.trace
expect_code 2 'replay with another version of the model'
expect_text err 'another version' 'replay with another version of the model'
cp "$here"/../../examples/abs/database.abs .

# The tree, as text and for Graphviz; every execution.
run "$sennit" explore database.abs --tree=text --show=none -q -o run
sed -n '1,/^   => /p' out | sed -n '/^main/,$p' >kept; mv kept out
same tree.txt 'tree'
run "$sennit" explore database.abs --tree=dot --show=none -q -o run
expect_text run/tree.dot '^digraph executions' 'tree.dot'
[ "$(grep -c shape=ellipse run/tree.dot)" = 3 ] || complain 'tree.dot: not three leaves'
run "$sennit" explore database.abs --show=all --reduction=none -q -o run
[ "$(grep -c '^execution [0-9]*: ' out)" = 6 ] || complain '--show=all: not six executions'
field '.execution_list | length' 6

# Kinds of bugs, each with its own words.
run "$sennit" explore kinds.abs -q -v -o run
field '[.bugs[].kind] | sort' '["assertion","exception","stuck"]'
expect_text out 'waits for its condition' 'stuck task'
expect_text out 'throws' 'exception'
run "$sennit" explore philosophers.abs -q -o run
field '[.bugs[].kind]' '["stuck"]'

# Inputs are solved for, shown, and set by a replay; decisions that cannot go a way are listed.
run "$sennit" explore inputs.abs -q --until=decision-coverage --show=none -o run
expect_code 1 'inputs'
field '[.verdict, .bugs[0].kind, .bugs[0].inputs]' '["exhaustive","assertion",{"n":4711}]'
field '.decisions | [.total, .covered, .finished, (.missing | map([.kind, .line, .never]))]' '[3,2,true,[["if",34,"true"]]]'
expect_text out 'inputs.abs:34:5: this if is never true' 'decisions'
for trace in run/states/*.trace; do
    run "$sennit" replay "$trace"
    expect_code 0 "replay of $trace"
done
run "$sennit" replay run/bugs/assertion-*.trace
expect_code 1 'replay with inputs'
expect_text out 'With inputs n = 4711' 'replay with inputs'
run "$sennit" explore buffer.abs -q --until=decision-coverage --show=none -o run
expect_code 0 'until decision coverage'
field '[.ending, .verdict, .executions, .decisions.covered, .decisions.total]' '["until","incomplete",2,2,2]'
run "$sennit" explore coverage.abs -q --until=decision-coverage --show=none -o run
field '.decisions | [.total, .covered, .finished, (.missing | map([.kind, .line, .function, .never]))]' \
    '[13,10,true,[["case",4,"area","matched"],["case",4,"area","passed over"],["case",6,"partial","passed over"]]]'
expect_text out 'coverage.abs:4:34: this case is never matched' 'decisions of case'
field '.bugs[0].inputs' '{"k":-1,"b":true}'

# Bounds and policies in the verdict.
run "$sennit" explore switches.abs --switches 2 -q --show=none -o run
field '.bounds' '[{"name":"switches","limit":2,"hits":30}]'
expect_text out 'at most 2 task switches per object \(hit 30 times\)' 'verdict'
run "$sennit" explore switches.abs --loop 2 -q --show=none -o run
field '.bounds' '[{"name":"loop","limit":2,"hits":6}]'
run "$sennit" explore creation.abs --objects 1 -q --show=none -o run
field '.bounds' '[{"name":"objects","limit":1,"hits":3}]'
refused 2 'cannot be combined with --dependence=exact' "$sennit" explore switches.abs --dependence=exact --switches 1
refused 2 'expected nondet, round-robin or a number' "$sennit" explore switches.abs --objects=two

finish
