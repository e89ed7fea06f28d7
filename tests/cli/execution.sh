#!/usr/bin/env bash
# sennit replay --execution describes a whole execution; --instead leaves the trace at a step.
. "$(dirname "$0")/lib.sh"
cp "$sources"/deadlock.c .
examples=$sources/../../../examples

field() { # expression value: of the JSON in out
    local actual
    actual=$(jq -c "$1" out 2>&1)
    [ "$actual" = "$2" ] || complain "$1 is $actual instead of $2"
}

run "$sennit" test deadlock.c -q
expect_code 1 'the deadlock'
trace=$(echo sennit-last/bugs/*.trace)

run "$sennit" replay --execution "$trace"
expect_code 1 'the execution of the trace'
field '[.format, .end, (.steps | length), (.findings | length)]' '[1,"complete",2,1]'
field '[.findings[0].kind, .findings[0].position]' '["deadlock",2]'
field '[.steps[] | [.agent, .text]]' '[[0,"lock a"],[1,"lock b"]]'
field '[.steps[] | .enabled]' '[[0,1],[0,1]]'
field '[.agents[] | [.path, .creator, .steps]]' '[["0",-1,1],["0.1",0,1]]'
field '[.blocked[] | [.agent, .text]]' '[[0,"lock b"],[1,"lock a"]]'
field '[.steps[] | .accesses[] | .mode]' '["write","write"]'
field '.sources | length' 1
field '.sources[] | startswith("/*")' true
jq -rj .trace out >again.trace
run "$sennit" replay again.trace
expect_code 1 'its own trace replays'

# The first thread takes both locks before the other one begins: no deadlock, and the order of the locks shows.
run "$sennit" replay --execution --instead=2:0 "$trace"
expect_code 0 'what if main went on'
field '[.end, (.findings | length), .blocked]' '["complete",0,[]]'
field '[.steps[:4][] | [.agent, .text]]' '[[0,"lock a"],[0,"lock b"],[0,"unlock b"],[0,"unlock a"]]'
field '[.steps[] | select(.agent == 1) | .after // []][0]' '[2]'
jq -rj .trace out >other.trace
run "$sennit" replay other.trace
expect_code 0 'an execution without a bug replays'
refused 2 'thread 0.1 is not enabled before step 3' "$sennit" replay --instead=3:0.1 other.trace
refused 2 'thread 0.7 is not enabled before step 3' "$sennit" replay --instead=3:0.7 other.trace
run "$sennit" replay --instead=2:0 "$trace"
expect_code 0 'the same for readers'
expect_text out 'ends with status 0' 'how it ends'
expect_text out 'unlock a' 'its steps'

refused 2 'expected STEP:AGENT' "$sennit" replay --instead=two "$trace"
refused 2 'the trace has 2 steps' "$sennit" replay --instead=9:0 "$trace"
refused 2 'contradicts' "$sennit" replay --gdb --instead=1:0 "$trace"

# The other outcome of a branch: inputs are found that take it, or there are none.
cat >branches.c <<'END'
#include <assert.h>
#include <sennit/sennit.h>
int main(void)
{
    int x = sennit_int("x"), y = sennit_int("y");
    if (x > 10) {
        if (x < 5)
            y = 3;
        if (x + y < 20)
            assert(y != 3);
    }
    return 0;
}
END
run "$sennit" test branches.c -q
expect_code 1 'branches on inputs'
trace=$(echo sennit-last/bugs/*.trace)
run "$sennit" replay --execution "$trace"
field '[.steps[] | .choices[] | .condition]' '["(10 <s x)","not (x <s 5)","((x + y) <s 20)","not (~(y == 3))"]'
run "$sennit" replay --execution --instead=4:0/0 "$trace"
expect_code 0 'the assertion holds with other inputs'
field '[(.inputs.x | tonumber > 10), (.inputs.y != "3"), ((.inputs.x | tonumber) + (.inputs.y | tonumber) < 20)]' '[true,true,true]'
jq -rj .trace out >other.trace
run "$sennit" replay other.trace
expect_code 0 'it replays'
run "$sennit" replay --execution --instead=1:0/1=1 "$trace"
field '[.steps[] | .choices[] | .condition]' '["not (10 <s x)"]'
refused 2 'no inputs are known' "$sennit" replay --instead=2:0/1=0 "$trace"
refused 2 'step 2 has no choice 2' "$sennit" replay --instead=2:0/2=1 "$trace"
refused 2 'has no such option' "$sennit" replay --instead=2:0/2 "$trace"

# The writes that a load could have read: after the second one is seen, the first cannot be.
cat >coherence.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *write_both(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return p;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, write_both, 0);
    int a = atomic_load_explicit(&x, memory_order_relaxed), b = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(a != 1 || b != 2);
}
END
run "$sennit" test coherence.c -q
expect_code 1 'both writes are read'
trace=$(echo sennit-last/bugs/*.trace)
run "$sennit" replay --execution "$trace"
possible='[.steps[] | select(.text | startswith("load")) | [.choices[0].possible[] | .value]]'
field "$possible" '[["1","0"],["2","1"]]'
run "$sennit" replay --execution --instead=4:0/1 "$trace"
expect_code 0 'both loads read the first'
field '[.steps[] | .text]' '["store x: 0 -> 1","load x: 1","store x: 1 -> 2","load x: 1 (stale, not 2)","exit","join write_both (0.1)"]'
jq -rj .trace out >other.trace
run "$sennit" replay other.trace
expect_code 0 'it replays too'
refused 2 'step 4 has no choice 1 that could be 2' "$sennit" replay --instead=4:0/2 "$trace"

# Tasks of a model have objects and fates.
run "$sennit" explore "$examples/abs/database.abs" -q --show=none
expect_code 1 'the database'
run "$sennit" replay --execution sennit-last/bugs/*.trace
field '[.agents[] | .owner]' '["main","DB_1","Worker_1","Worker_1","DB_1"]'
field '[.sequence[] | [.object, .then]]' '[["main","returned"],["DB_1","blocked"],["Worker_1","blocked"]]'
run "$sennit" replay --execution --instead=3:0.1.1 sennit-last/bugs/*.trace
expect_code 0 'what if the ping came first'
field '.findings' '[]'

# --html writes the same page with its data; an old result is not taken for a new one.
run "$sennit" test deadlock.c -q --html=report.html
expect_code 1 '--html'
expect_text report.html '"summary": "' 'the report has the result'
expect_text report.html 'pthread_mutex_lock' 'the report has the source'
[ "$(grep -c 'id="report">{"run"' report.html)" = 1 ] || complain 'the data are not in their place'
expect_no_text report.html 'src="http|href="http' 'nothing is loaded from elsewhere'
run "$sennit" test deadlock.c -q --html=other.html -o elsewhere
expect_text other.html '"summary": "' 'the report of a run elsewhere'
run "$sennit" test missing.c --html=none.html
expect_code 2 'a program that does not exist'
[ ! -e none.html ] || complain 'there is a report without a run'
refused 5 'No such file or directory' "$sennit" test deadlock.c -q --html=missing/report.html
SENNIT_OPTIONS=--html=x.html run sennit-last/deadlock
expect_code 2 'a test binary by itself'
finish
