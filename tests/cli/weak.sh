#!/usr/bin/env bash
# Bugs under weak memory explain themselves: what is stale, why, and what would forbid it.
. "$(dirname "$0")/lib.sh"
cp "$sources/weak.c" .

json() { # expression: evaluated on run.json of the last run
    jq -e "$1" sennit-last/run.json >/dev/null || complain "run.json: not $1"
}

explains() { # pattern...: the paragraphs of the report, on one line
    local told
    told=$(jq -r '.bugs[0].explanation[]' sennit-last/run.json | tr '\n' ' ')
    for pattern in "$@"; do
        grep -qE -- "$pattern" <<<"$told" || complain "no \"$pattern\" in: $told"
    done
}

line() { # text: the number of the first line that has it
    grep -nF -- "$1" weak.c | head -1 | cut -d: -f1
}
publish=$(line '&ready, 1, orders[PUBLISH]')
look=$(grep -nF '&ready, orders[LOOK]))' weak.c | tail -1 | cut -d: -f1)

run "$sennit" test weak.c --memory=rc11
expect_code 1 'message passing'
expect_text out 'load data: 0 \(stale, not 42\)' 'the table'
expect_text out '^  Step [0-9]+ is stale: reader \(0.2\) reads data = 0, its initial value, and not 42' 'the report'
expect_text out '^  The bug does not occur under sequential consistency\.$' 'the report'
json '.bugs[0].sequential == false and (.bugs[0].explanation | length) == 1'
explains "which writer \\(0.1\\) stored in step 1" \
    "neither the relaxed store of ready \\(weak.c:$publish\\) nor the relaxed load of ready \\(weak.c:$look\\) orders" \
    "use memory_order_release for the store of ready \\(weak.c:$publish\\) and memory_order_acquire for the load of ready \\(weak.c:$look\\)\\."
expect_text sennit-last/bugs/*.trace '^options .*--memory=rc11' 'the trace'
expect_text sennit-last/bugs/*.trace '^sequential no$' 'the trace'
cp out first
run "$sennit" replay sennit-last/bugs/*.trace
expect_code 1 'its replay'
grep -A5 'is stale' first >told
grep -A5 'is stale' out | cmp -s told - || complain 'the replay explains the bug in another way'

run "$sennit" test weak.c --memory=rc11 '-DORDERS=memory_order_release,memory_order_relaxed'
explains "since the relaxed load of ready \\(weak.c:$look\\) does not order accesses behind it: use memory_order_acquire for the"
run "$sennit" test weak.c --memory=rc11 '-DORDERS=memory_order_relaxed,memory_order_acquire'
explains "since the relaxed store of ready \\(weak.c:$publish\\) does not order accesses before it: use memory_order_release for the"
run "$sennit" test weak.c --memory=rc11 '-DORDERS=memory_order_release,memory_order_acquire'
expect_code 0 'release and acquire'

run "$sennit" test weak.c --memory=rc11 -DRELAY '-DORDERS=memory_order_release,memory_order_acquire'
explains 'neither the relaxed store of relayed \(weak.c:[0-9]*\) nor the relaxed load of relayed \(weak.c:[0-9]*\) orders'
run "$sennit" test weak.c --memory=rc11 -DCOUNTER
explains 'since the relaxed load of ready \(weak.c:[0-9]*\) does not order accesses behind it: use memory_order_acquire'

for model in rc11 tso; do
    run "$sennit" test weak.c --memory=$model -DBUFFER
    explains 'nothing orders the relaxed store of data \(weak.c:[0-9]*\) before the relaxed load of ready' \
        'nor the relaxed store of ready \(weak.c:[0-9]*\) before the relaxed load of data' \
        'put atomic_thread_fence\(memory_order_seq_cst\) between the two of each pair'
    json '.bugs[0].sequential == false'
done

run "$sennit" test weak.c --memory=rc11 -DLATE
explains 'Step [0-9]+ comes too late: data stays 42, which writer \(0.1\) stored in step 1' \
    'use memory_order_release for the store of ready \(weak.c:[0-9]*\) and memory_order_acquire for the load'

# A race is one under sequential consistency too; its report has no stale step, but says what would order it.
run "$sennit" test weak.c --memory=rc11 -DPLAIN
json '.bugs[0].kind == "data-race" and .bugs[0].sequential == true'
expect_text out '^  The bug occurs under sequential consistency too\.$' 'a race'
expect_no_text out 'stale' 'a race'
explains '^Nothing orders the two accesses: neither the relaxed store' 'use memory_order_release .* and memory_order_acquire'

# Repairs are found by trying, the smallest first.
suggests() { # pattern option...
    local pattern=$1
    shift
    run "$sennit" test weak.c --suggest "$@"
    explains "Suggestion: $pattern"
}
suggests 'memory_order_release for the store of ready .* and memory_order_acquire for the load of ready .* remove the bug: none of the [0-9]* executions has it\.'
suggests 'memory_order_acquire for the load of ready \(weak.c:[0-9]*\) removes the bug: none of the' '-DORDERS=memory_order_release,memory_order_relaxed'
suggests 'atomic_thread_fence\(memory_order_seq_cst\) before the load of ready .* and atomic_thread_fence\(memory_order_seq_cst\) before the load of data .* remove the bug' -DBUFFER
suggests 'memory_order_release for the store of ready .* and memory_order_acquire for the load of ready' -DPLAIN
suggests 'memory_order_acquire for the load of ready .* removes the bug' -DCOUNTER
cp "$sources/weak_locks.c" weak.c
suggests 'memory_order_acquire for the load of sequence \(weak.c:[0-9]*\) removes the bug' -DSEQLOCK
suggests 'memory_order_release for the store of tail \(weak.c:[0-9]*\) removes the bug' -DRING
suggests 'atomic_thread_fence\(memory_order_seq_cst\) before the store of turn .* and atomic_thread_fence\(memory_order_seq_cst\) before the load of flag' -DPETERSON
suggests 'none; [0-9]* changes' -DWRONG
suggests 'atomic_thread_fence\(memory_order_acquire\) before the load of sequence \(weak.c:[0-9]*\) removes the bug' -DSEQLOCK -DUNFENCED
suggests 'memory_order_acq_rel for the update of main#1 \(weak.c:[0-9]*\) removes the bug' -DCOUNTED
explains 'the relaxed update of main#1 \(weak.c:[0-9]*\) does not order other accesses: use memory_order_acq_rel for the'
run "$sennit" test weak.c -DPETERSON -DHALF
expect_text out 'load flag\[0\]: 0 \(stale, an older 0\)' 'a stale load of a value that was stored again'
explains 'reads flag\[0\] = 0, its initial value, and not the 0 that left \(0.1\) stored in step'

# By default the model follows the program and the other options.
model() { # model why option...: what run.json says
    local model=$1 why=$2
    shift 2
    run "$sennit" test "$@"
    json ".memory == \"$model\" and ((.memory_why // \"\") | contains(\"$why\"))"
}
cp "$sources/weak.c" .
model rc11 '' weak.c
model sc '' weak.c --memory=sc
expect_text out 'taken as seq_cst; --memory=rc11 takes them as written' 'sc on request'
model sc '--reduction needs --memory=sc' weak.c --reduction=source
expect_text out '^weak.c: exhaustive under SC: ' 'an option that needs sc'
refused 2 'reduction needs --memory=sc' "$sennit" test weak.c --reduction=source --memory=rc11
cat >volatile.c <<'C'
#include <pthread.h>
static volatile int x, y;
static int seen[2];
static void *left(void *argument) { return x = 1, seen[0] = y, argument; }
static void *right(void *argument) { return y = 1, seen[1] = x, argument; }
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, left, 0);
    pthread_create(&threads[1], 0, right, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return !seen[0] && !seen[1];
}
C
model sc '--plain=visible needs --memory=sc' weak.c --plain=visible
expect_text out '^weak.c: exhaustive under SC: ' 'visible plain accesses'
refused 2 'plain=visible needs --memory=sc' "$sennit" test volatile.c --plain=visible --memory=rc11
"$sennit" test volatile.c --plain=volatile-atomic -k >out
expect_text out '^volatile.c: exhaustive under RC11: every schedule covered by 4 executions, 1 bug' 'volatile objects'
expect_text out 'Step [0-9]+ is stale: .* reads [xy] = 0, its initial value' 'a stale volatile load'
"$sennit" replay sennit-last/bugs/*.trace >out
expect_text out 'load [xy]: 0 \(stale, not 1\)' 'a trace with a stale volatile load'
cat >freed.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *object;
static void *use(void *argument) { return atomic_store_explicit(object, 1, memory_order_relaxed), argument; }
static void *discard(void *argument) { return free((void *)object), argument; }
int main(void)
{
    pthread_t threads[2];
    object = malloc(sizeof *object);
    pthread_create(&threads[0], 0, use, 0);
    pthread_create(&threads[1], 0, discard, 0);
    pthread_join(threads[0], 0);
    return pthread_join(threads[1], 0);
}
C
"$sennit" test freed.c >out
expect_text out '^freed.c: stopped at the first bug .* under RC11; others remain, 1 bug\.$' 'a bug before the choice of its step'
cp "$sources/clean.c" .
model sc '' clean.c
expect_text out '^clean.c: exhaustive: every' 'no weak orders'
cat >mixed.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static union {
    _Atomic unsigned whole;
    _Atomic unsigned char part[4];
} object;
static void *start(void *argument)
{
    atomic_store_explicit(&object.part[0], 1, memory_order_relaxed);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, start, 0);
    unsigned value = atomic_load_explicit(&object.whole, memory_order_relaxed);
    pthread_join(thread, 0);
    return value > 1;
}
C
model sc 'different sizes to the same memory need --memory=sc (mixed.c:9)' mixed.c -k
expect_code 0 'a fallback'
expect_text out '^mixed.c: exhaustive under SC: every schedule covered by 2 executions, no bug' 'a fallback'
json '.command | endswith("mixed.c -k")'
ls -d sennit-out/* | tail -1 | grep -q "$(readlink sennit-last)" || complain 'a fallback has a run directory of its own'
run "$sennit" test mixed.c --memory=rc11
expect_code 2 'no fallback on request'
expect_text out 'different sizes to the same memory need --memory=sc' 'no fallback on request'

# Orders that C forbids.
cat >order.c <<'C'
#include <stdatomic.h>
int main(void)
{
    static atomic_int object;
    return atomic_load_explicit(&object, memory_order_release);
}
C
refused 2 'order.c:5:42: error: memory order argument' "$sennit" test order.c
refused 2 'order.c:5:42: error: memory order argument' "$sennit" test -w order.c
cat >fence.c <<'C'
#include <stdatomic.h>
int main(int argc, char **argv)
{
    (void)argv;
    atomic_thread_fence(memory_order_acquire);
    __atomic_thread_fence(argc);
#ifdef FENCE
    FENCE(77);
#endif
    return 0;
}
C
run "$sennit" test fence.c
expect_code 0 'fences'
for fence in atomic_thread_fence __atomic_thread_fence; do
    refused 2 'fence.c:8:5: error: memory order argument' "$sennit" test -w fence.c -DFENCE=$fence
done

# Values of 16 bytes are two numbers, or pointers; under weak memory, if they are not too large.
cp "$sources"/wide.c .
steps() { jq -r '.bugs[0].steps[].text' sennit-last/run.json | sed -n 's/.* pair.target: //p' | paste -sd';'; }
run "$sennit" test wide.c --memory=rc11
expect_code 1 'values of 16 bytes'
[[ $(steps) =~ ^'{0, 0} -> {&object, 2};{&object, 2} -> {0, -5};{0, -5} -> 16 bytes #'[0-9a-f]{6}';16 bytes #' ]] ||
    complain "values of 16 bytes: $(steps)"
run "$sennit" test wide.c --memory=sc
[[ $(steps) == '{0, 0} -> {&object, 2};{&object, 2} -> {0, -5};{0, -5} -> {0, 1152921504606846976};'* ]] ||
    complain "values of 16 bytes under SC: $(steps)"

# What an update would write is known without running it again.
run "$sennit" test "$sources/../../litmus/weak_operations.c" --memory=rc11 -DADD
json '.executions == 10 and .probes == 0'

# A change of code that accesses several objects changes it for all of them, which is said.
cat >helper.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, ready;
static int data;
static __attribute__((noinline)) int get(atomic_int *object) { return atomic_load_explicit(object, memory_order_relaxed); }
static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (get(&turn) == 0 && get(&ready))
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
C
run "$sennit" test helper.c --suggest
tr '\n' ' ' <out | grep -qE 'memory_order_acquire for the load of turn \(helper.c:6\), wherever this code is used, +removes the bug: none of the 2 executions' ||
    complain 'a suggestion for code that is used twice'
finish
