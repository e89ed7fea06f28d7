#!/bin/bash
# Answers that explain: what is shown of a bug and of final states, and what is left out.
# Usage: answers.sh SENNIT
sennit=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../../examples/abs" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0

complain() { echo "FAIL: $*"; failed=1; }

explore() { "$sennit" explore "$@" >out 2>err; code=$?; }

expect() { # text...: in the output of the last run
    for text; do
        grep -qF -- "$text" out err || { complain "not in the output: $text"; sed 's/^/    | /' out err; }
    done
}

reject() { # text...: not in the output of the last run
    for text; do
        ! grep -qF -- "$text" out || { complain "in the output: $text"; sed 's/^/    | /' out; }
    done
}

is() { # jq-filter wanted
    local found
    found=$(jq -c "$1" sennit-last/run.json)
    [ "$found" = "$2" ] || complain "run.json: $1 is $found instead of $2"
}

# ---- A screen: the cause in the first ten lines, at most sixty in all ------------------------------------------------

for model in autoscaler election elevator lease paxos pipeline railway shop trip; do
    explore "$examples/$model.abs"
    [ "$code" = 1 ] || complain "$model: exit code $code"
    lines=$(wc -l <out)
    [ "$lines" -le 60 ] || complain "$model: $lines lines"
    head -n 10 out >top
    grep -qE 'waits forever|fails the assertion|blocks' top || complain "$model: no cause in the first ten lines"
done
explore "$examples/shop.abs"
expect 'fails the assertion (account = 2, entries = list[Entry(2, 2, 50), Entry(2, 2, 50), Entry(1, 1, 120)]'

# ---- Tasks are named by object and method; steps that have nothing to do with the bug are left out -------------------

cat >other.abs <<'A'
module Other;
interface Cell { Unit add(Int n); Unit check(); Int get(); }
class Cell implements Cell {
    Int value = 0;
    Unit add(Int n) { value = value + n; }
    Unit check() { assert value != 3; }
    Int get() { return value; }
}
{
    Cell cell = new Cell();
    Cell idle = new Cell();
    Fut<Unit> one = cell!add(1);
    Fut<Unit> two = cell!add(2);
    await one? & two?;
    Fut<Int> f = idle!get();
    cell!check();
    Int n = f.get;
}
A
explore other.abs
expect 'Cell_1.check fails the assertion' 'Cell_1  add#1' 'Cell_1  add#2' 'value = 1' \
    'waiting at line 14 for Cell_1.add#1' '(-v shows them)'
reject 'Cell_2  get'
is '[.bugs[0].interleavings[] | select(.aside) | .task]' '["get","main"]'
explore other.abs -v
expect 'starts; calls Cell_1.add#1; calls Cell_1.add#2; waiting at line 14 for Cell_1.add#1' \
    'receives Cell_2.get; returned'
"$sennit" replay --instead=2:Cell_1.add#2 sennit-last/states/*.trace >out 2>err
expect 'add#'

# The four events of a call: the call, its start, its end, and the arrival of the result.
is '[.final_states[0].interleavings[] | select(.calls[]?.task == "get") | .task] | length' 1
is '[.final_states[0].interleavings[] | select(.task == "get") | [.starts, .then]]' '[[true,"returned"]]'
is '[.final_states[0].interleavings[] | select(.receives) | [.task, .receives[0].object, .receives[0].task]]' \
    '[["main","Cell_2","get"]]'

# ---- Steps aside ---------------------------------------------------------------------------------------------------------

cat >aside.abs <<'A'
module Aside;
interface Worker { Unit work(); }
class Worker implements Worker { Int done = 0; Unit work() { done = 1; } }
interface Waiter { Unit wait(); Unit open(); }
class Waiter implements Waiter {
    Bool ready = False;
    Unit wait() { await ready; }
    Unit open() { ready = True; ready = False; }
}
{
    Worker w = new Worker();
    Waiter x = new Waiter();
    Fut<Unit> f = w!work();
    await f?;
    Fut<Unit> g = w!work();
    x!wait();
    x!open();
}
A
explore aside.abs
expect 'Waiter_1.wait waits for its condition (ready = False; assigned in open (1 task ended))' \
    '1 other step (-v shows them)'
reject 'work#2'
is '[.bugs[0].interleavings[] | select(.aside) | .task]' '["work#2"]'

# ---- The path condition of each execution ----------------------------------------------------------------------------

cat >path.abs <<'A'
module Path;
interface Cell { Unit set(Int n); }
class Cell implements Cell {
    Int x = 0;
    Unit set(Int n) { if (n > 10) { x = n - 1; } else { assert n * 2 != 6; } }
}
{
    [Input] Int n = 1;
    [Input] Bool b = True;
    Cell c = new Cell();
    if (b) { c!set(n + 1); }
}
A
explore path.abs
expect 'On the path b, not (9 < n), n == 2' 'on the path b, 9 < n' 'on the path b, not (9 < n), not (n == 2)'
is '.bugs[0].path_condition' '["b","not (9 < n)","n == 2"]'
is '[.final_states[].path_condition | length]' '[3,2,3]'
"$sennit" replay sennit-last/bugs/*.trace >out 2>err
expect 'On the path b, not (9 < n), n == 2'

# ---- Values: lists, sets and maps as they are written; toString() without blanks --------------------------------------

cat >values.abs <<'A'
module Values;
interface I { }
class C implements I {
    Map<String, Int> ages = map[Pair("Joe", 15), Pair("", 2)];
    Set<Int> few = set[3, 1];
}
{
    assert toString(list["a", "b"]) == "list[\"a\",\"b\"]";
    assert toString(map[Pair("a", 1), Pair("", 2)]) == "map[Pair(\"\",2),Pair(\"a\",1)]";
    assert toString(set[2, 1]) == "set[1,2]";
    new C();
}
A
explore values.abs
expect 'C_1: ages = map[Pair("", 2), Pair("Joe", 15)], few = set[1, 3]' 'no bug'

# ---- Causes before what may follow from them ------------------------------------------------------------------------------

cat >causes.abs <<'A'
module Causes;
interface Gate { Unit pass(); Unit open(); }
class Gate implements Gate {
    Bool opened = False;
    Unit pass() { await opened; }
    Unit open() { opened = True; }
}
interface Opener { Unit run2(Gate gate, Int n); }
class Opener implements Opener {
    Unit run2(Gate gate, Int n) { Int x = 1 / n; gate!open(); }
}
{
    Gate gate = new Gate();
    gate!pass();
    Opener o = new Opener();
    o!run2(gate, 0);
}
A
explore causes.abs
head -n 1 out >top
grep -q '^exception-' top || complain "the exception is not first: $(cat top)"
expect 'stuck-'
"$sennit" replay sennit-last/bugs/stuck-*.trace >out 2>err
expect 'Perhaps a consequence. In the same execution: exception: DivisionByZeroException in run2'

exit $failed
