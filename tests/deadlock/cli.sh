#!/usr/bin/env bash
# sennit deadlock on the examples: cycles, constraints, states, results, run.json, exit codes.
# Usage: tests/deadlock/cli.sh SENNIT
set -uo pipefail
sennit=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
examples=$(cd "$here/../../examples/deadlock" && pwd)
models=$here/../abs/models
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# run NAME EXPECTED_STATUS ARGUMENTS...: output in out, errors in err
run() {
    local name=$1 expected=$2 status=0
    shift 2
    timeout 60 "$sennit" deadlock --color=never "$@" >out 2>err || status=$?
    [ "$status" = "$expected" ] || { fail "$name: exit code $status, expected $expected"; cat out err; }
}

has() {
    grep -qF -- "$2" out || { fail "$1: no \"$2\""; cat out; }
}

# member NAME PYTHON_EXPRESSION EXPECTED: about sennit-last/run.json as `run`
member() {
    local value
    value=$(python3 -c "import json; run = json.load(open('sennit-last/run.json')); print($2)")
    [ "$value" = "$3" ] || fail "$1: $2 is $value, expected $3"
}

cp "$examples"/*.abs .

# The analysis: one cycle, its constraints, the methods that matter.
run analysis 3 database.abs -v
has analysis 'DB:22 -42:register-> Worker:24.ping -70:ping-> Worker:24 -66:work-> DB:22.getData -52:getData-> DB:22'
has analysis 'exists t(L1, T1, _) -> <_, 42:F1.get>'
has analysis 'exists fut(F1, L2, T2, 70, unresolved)'
has analysis 'exists t(L2, T3, _) -> <_, 66:F2.get>'
has analysis 'exists fut(F2, L3, T4, 52, unresolved)'
has analysis 'relevant initial tasks: DB.register, Worker.work'
has analysis 'may deadlock: 1 cycle, 1 not checked (use --search=per-cycle)'
member analysis "run['cycles'][0]['result']" unchecked

# The search: a trace that replays.
run search 1 database.abs --search=per-cycle
has search 'confirmed: an execution reaches this deadlock; 5 states in 1 execution'
has search 'DB_1.register (line 42) waits for Worker_1.ping; Worker_1.work (line 66) waits for DB_1.getData'
has search 'How it happens: 4 steps, 0 preemptions'
member search "run['cycles'][0]['result'], run['exit_code'], len(run['bugs'])" 'confirmed 1 1'
member search "[place['line'] for place in run['cycles'][0]['places']]" '[42, 66]'
has search '3* DB_1          register     39  blocked at line 42'
has search '+--------->*ping'
has search '* takes part in the deadlock'

# An unknown number of workers.
run unknown 1 workers.abs --search=all --loop=2
has unknown 'With inputs n = 1'
member unknown "run['cycles'][0]['result'], run['cycles'][0]['deadlocks'], run['bugs'][0]['inputs']" "confirmed 25 {'n': 1}"
member unknown "run['verdict'], [(bound['name'], bound['limit']) for bound in run['bounds']]" "bounded [('loop', 2)]"

# What guidance alone is worth.
run compare 1 database.abs --search=per-cycle --compare
has compare 'without reduction: 9 states with 2 deadlocks along this cycle, 25 states with 2 deadlocks without guidance'
member compare "run['cycles'][0]['states_guided'], run['cycles'][0]['states_unguided']" '9 25'

trace=sennit-last/$(python3 -c "import json; print(json.load(open('sennit-last/run.json'))['cycles'][0]['trace'])")
timeout 60 "$sennit" replay --color=never "$trace" >out 2>err
[ $? = 1 ] || fail "replay of the trace"
has replay 'the bug was reproduced'

run all 1 database.abs --search=all -j 2
member all "run['cycles'][0]['states'], run['cycles'][0]['pruned'], run['cycles'][0]['deadlocks']" '8 2 1'

cp "$examples"/table/*.abs .
run first 1 f.abs --search=first
run free 0 ff.abs --search=per-cycle
has free 'free of deadlock: 1 cycle, 1 discarded'
member free "run['verdict'], run['cycles'][0]['result']" 'exhaustive discarded'

# Fields that change while a task waits.
run interfering 3 connections.abs
has interfering 'relevant initial tasks: DB.register, Worker.work, DB.makeConnections'

# Without a cycle nothing needs to be searched.
cat >none.abs <<'END'
module None;
interface I { Int m(); }
class C implements I { Int m() { return 1; } }
{ I c = new C(); Fut<Int> f = c!m(); Int x = f.get; }
END
run none 0 none.abs
has none 'free of deadlock: the static analysis finds no cycle'

# A cycle through a condition is a cycle; what is undecided is named; the search decides.
cp "$models"/*.abs .
run conditions 3 philo.abs
has conditions 'ForkImpl:32:15.take waits for a condition, which could be made true by PhilImpl:36.eat if that continued'
has conditions 'waits for a condition; undecided whether it becomes true by ForkImpl:32:15.take, ForkImpl:32:15.drop'
has conditions 'may deadlock: 11 cycles and waits for conditions, 12 not checked (use --search=per-cycle)'
run conditions 1 philo.abs --search=per-cycle
has conditions 'deadlock: 11 cycles and waits for conditions, 5 confirmed, 7 discarded'
has conditions 'the same execution as above: bugs/stuck-'
member conditions "run['bugs'][0]['kind'], sum(len(c['places']) == 6 and c['result'] == 'confirmed' for c in run['cycles'])" 'stuck 1'
cp "$here/../../examples/abs/buffer.abs" .
run conditions 0 buffer.abs --search=per-cycle
has conditions 'Buffer:44.put -14:put-> Consumer:45.run2 -35:run2-> Buffer:44.take -19:take-> Buffer:44.put'
has conditions 'free of deadlock: 4 cycles and waits for conditions, 5 discarded'
cat >nobody.abs <<'END'
module Nobody;
interface I { Unit m(); Unit off(); }
class C implements I { Bool b = False; Unit m() { await b; } Unit off() { b = False; } }
{ I c = new C(); c!m(); c!off(); }
END
run nobody 3 nobody.abs
has nobody 'C:4.m waits for a condition; no other task can make it true if it is false'
run nobody 1 nobody.abs --search=per-cycle
has nobody 'deadlock: no cycle, but waits for conditions, 1 confirmed'
has nobody "the condition of 'await' in line 3 stays false (b = False)"
has nobody 'waits for its condition (b = False; assigned in off (1 task ended))'
run conditions 1 condaw.abs --search=first
run conditions 0 loopcut.abs --search=all
has conditions 'free of deadlock: no cycle, but waits for conditions, 1 discarded'
run bounded 0 loopcut.abs --search=all --loop=2
has bounded 'free of deadlock within the bounds'

# Options of searches: with an effect, or refused.
run options 1 database.abs --search=all --reduction=none
member options "run['cycles'][0]['deadlocks'], run['cycles'][0]['states']" '2 9'
run options 1 database.abs --search=all --dependence=actor --diagram --max-time=1m
run options 0 buffer.abs --search=all --switches=1
has options 'free of deadlock within the bounds'
for option in reduction=source dependence=exact tasks=fifo tree=text show=none objects=2 time=free max-clock=3; do
    run "refused $option" 2 database.abs --$option
    grep -qF -- "--${option%%=*}" err || fail "--$option: no message"
done

# A synchronous call inside a cog does not wait.
run inside 0 local.abs
run inside 0 selfcall.abs
cat >several.abs <<'END'
module Several;
interface A { Int one(); }
class A implements A { Int one() { return 1; } }
interface H { Int start(); }
class H implements H { A x = null; { x = new local A(); } Int start() { Int r = x.one(); return r; } }
{ Int i = 0; while (i < 2) { H h = new H(); h!start(); i = i + 1; } }
END
run inside 0 several.abs

# Each cycle has an id and a deadlock of its own, also on one line and for objects of one class.
for model in sym2 sym3; do
    run apart 1 $model.abs --search=per-cycle
    member apart "len({c['id'] for c in run['cycles']}), len({c['trace'] for c in run['cycles'] if c['trace']})" '4 3'
done
run apart 1 mutual.abs --search=per-cycle
member apart "len({c['id'] for c in run['cycles']}), len({c['cycle'] for c in run['cycles']})" '4 4'

# No time: undecided, which is no clean result.
run hurry 3 hb.abs --search=per-cycle --timeout-per-cycle=0.000001 && has hurry 'undecided'

run wrong 2 missing.abs
run wrong 2
run wrong 2 database.abs --search=never
run wrong 2 database.txt
exit $((failures > 0))
