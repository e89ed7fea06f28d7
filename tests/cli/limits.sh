#!/usr/bin/env bash
# Limits of Sennit: they cut an execution, or end the run with what to do; they are no bugs of the program.
. "$(dirname "$0")/lib.sh"

bounded() { # pattern what arguments...: complete within the bound, no bug
    local pattern=$1 what=$2
    shift 2
    run "$sennit" test "$@"
    expect_code 0 "$what"
    expect_text out "exhaustive within bounds: .*$pattern \(hit [0-9]+ times?\), no bug" "$what"
}

in_time() { # what arguments...: ends by itself soon after the time limit of one second, without a bug
    local what=$1
    shift
    forget_results "$sennit" test "$@"
    timeout 60 "$sennit" test "$@" --max-time=1s >out 2>err </dev/null
    code=$?
    expect_code 3 "$what"
    expect_text out 'stopped by --max-time: .*, no bug' "$what"
}

cat >inputs.c <<'EOF'
extern int __VERIFIER_nondet_int(void);
int main(void) { for (;;) switch (__VERIFIER_nondet_int()) { case 1: return 0; } }
EOF
cat >inputs_thread.c <<'EOF'
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int device;
static void *work(void *unused)
{
    for (;;)
        switch (__VERIFIER_nondet_int()) {
        case 1: pthread_mutex_lock(&lock); device = 6; pthread_mutex_unlock(&lock); break;
        case 2: return unused;
        }
}
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }
EOF
cat >unused.c <<'EOF'
extern int __VERIFIER_nondet_int(void);
int main(void) { for (;;) __VERIFIER_nondet_int(); }
EOF
bounded 'at most 200 symbolic inputs per thread' 'endless inputs' inputs.c --max-inputs=200
jq -e '.executions == 201 and .verdict == "bounded"' sennit-last/run.json >/dev/null || complain 'endless inputs: run.json'
bounded 'at most 10000 symbolic inputs per thread' 'inputs without decisions' unused.c
in_time 'endless inputs, in time' inputs.c
in_time 'endless inputs of a thread, in time' inputs_thread.c
run "$sennit" test unused.c --max-inputs=none
expect_code 5 'a full table'
expect_text out 'out of memory: use .*--max-inputs' 'a full table'

# Threads without end: those that never start need little memory, and their creator is stopped at last.
cat >create.c <<'EOF'
#include <pthread.h>
static void *work(void *argument) { return argument; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, work, 0); pthread_create(&t, 0, work, 0); } }
EOF
bounded 'at most 2 threads created by each thread at one place' 'threads without end' create.c --max-children=2
jq -e '.executions == 1 and .cut == 1 and .threads == 5 and .peak_kb < 30000' sennit-last/run.json >/dev/null || complain 'threads without end: run.json'
bounded 'at most 3 iterations of a loop \(hit 1 time\), at most 2 threads created by each thread at one place' 'loops that create threads' \
    create.c --max-children=2 --unroll=3
jq -e '.executions == 1 and .threads == 5' sennit-last/run.json >/dev/null || complain 'loops that create threads: run.json'

# A bound of two is met by the third iteration, before it does anything, and not by a loop that has two.
cat >three.c <<'EOF'
#include <assert.h>
int main(void) { int i = 0; while (i < 3) { i++; assert(i != 3); } return 0; }
EOF
cat >two.c <<'EOF'
static int x;
static int more(void) { return x++ < 2; }
int main(void)
{
    int n = 0;
    while (more())
        n++;
    do
        n--;
    while (n);
    for (int i = 0; i < 2 && x; i++)
        n++;
    for (;;) {
        if (n < 1)
            break;
        n--;
    }
    return n;
}
EOF
for level in -O0 -O2; do
    bounded 'at most 2 iterations of a loop' "three iterations $level" three.c --unroll=2 $level
    run "$sennit" test two.c --unroll=2 $level
    expect_text out 'exhaustive: every schedule' "two iterations $level"
done

# Many steps, decisions and blocks
cat >steps.c <<'EOF'
#include <stdatomic.h>
static atomic_int x;
#ifdef SHARED
#include <pthread.h>
static void *work(void *argument) { return argument; }
#endif
int main(void)
{
#ifdef SHARED
    pthread_t t;
    pthread_create(&t, 0, work, 0);
#endif
    for (int i = 0; i < COUNT; i++)
        x++;
    return x != COUNT;
}
EOF
cat >decisions.c <<'EOF'
#include <sennit/sennit.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int main(void)
{
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 70000; i++)
        if (sennit_choose(2))
            break;
    __VERIFIER_atomic_end();
    return 0;
}
EOF
cat >blocks.c <<'EOF'
#include <stdlib.h>
int main(void) { for (int i = 0; i < 1100000; i++) if (!malloc(1)) return 1; return 0; }
EOF
cat >locals.c <<'EOF'
static void use(char *p) { *p = 1; }
static int down(int n) { char local[100000]; use(local + n); return n ? down(n - 1) + local[0] : 0; }
int main(void) { return down(2000) < 0; }
EOF
run "$sennit" test steps.c -DCOUNT=5000000 --sample-after=none # samples need memory of their own
expect_code 0 'many steps'
jq -e '.verdict == "exhaustive" and .executions == 1 and .depth == 5000001 and .peak_kb < 1000000' sennit-last/run.json >/dev/null || complain 'many steps: run.json'
bounded 'executions are cut after 4 million steps \(8 million of a single thread\) or 1 million decisions' 'too many steps' steps.c -DCOUNT=9000000
bounded 'executions are cut after 4 million steps .*' 'many steps beside a thread' steps.c -DCOUNT=5000000 -DSHARED
run "$sennit" test decisions.c --max-execs=1
expect_code 3 'many decisions in a step'
expect_text out 'no bug' 'many decisions in a step'
bounded 'memory per thread' 'many blocks' blocks.c
bounded 'memory per thread' 'many local variables' locals.c --check=scope

# A gigabyte of which little is used needs little memory: mapped, made accessible later, allocated; or more than there is
cat >reserved.c <<'EOF'
#include <stdlib.h>
#include <sys/mman.h>
int main(void)
{
    size_t size = 1ul << 30;
    char *reserved = mmap(NULL, MUCH * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED || mprotect(reserved, size, PROT_READ | PROT_WRITE))
        return 1;
    for (size_t i = 0; i < 8; i++)
        reserved[i << 24] = 1;
    madvise(reserved, size, MADV_DONTNEED);
    if (munmap(reserved, size))
        return 1;
    char *block = malloc(size / 2);
    block[12345] = 1;
    free(block);
    return 0;
}
EOF
run "$sennit" test reserved.c -DMUCH=1
expect_code 0 'a gigabyte that is reserved'
jq -e '.verdict == "exhaustive" and .peak_kb < 30000' sennit-last/run.json >/dev/null || complain 'a gigabyte that is reserved: run.json'
bounded 'memory per thread' 'three gigabytes' reserved.c -DMUCH=3
# --max-time ends `sennit generate` too: inside a query of the solver, and while the tests are run without Sennit, where
# time passes.
cat >cubes.abs <<'EOF'
module Cubes;
interface I { Int f(Int x, Int y); }
class C implements I {
    Int f(Int x, Int y) {
        Int r = 0;
        if (x * x * x + y * y * y == 1729 && x * y * (x + y) == 4104 + x) { r = 1; }
        return r;
    }
}
{ }
EOF
timed() { # what arguments...: incomplete, soon after a limit of one second
    local what=$1
    shift
    timeout 25 "$sennit" generate "$@" --max-time=1s >out 2>err </dev/null
    code=$?
    expect_code 3 "$what"
}
timed 'generate: a long query' cubes.abs --method C.f
expect_text out 'the solver could not decide.*: [1-9]' 'generate: a long query'
expect_text out '; incomplete$' 'generate: a long query'
cat >sleeps.c <<'EOF'
#include <unistd.h>
int sleeps(int x) { sleep(100); return x > 3; }
EOF
timed 'generate: tests that take long' sleeps.c --function sleeps
expect_text err 'the time \(--max-time\) was used up before sleeps-tests/sleeps_tests.c' 'generate: tests that take long'
[ "$(ls sleeps-tests/test*.trace | wc -l)" = 1 ] && [ ! -e sleeps-tests/sleeps_tests.c ] || complain 'generate: tests that take long'

# Executions of final states are not run again for the report where there is no time for it.
cat >long_executions.abs <<'EOF'
module Long;
interface A { Unit put(Int k); Unit run2(); }
class C implements A { Int x = 0; Int y = 0; Unit put(Int k) { y = y * 3 + k; } Unit run2() { while (x < 14000000) { x = x + 1; } } }
{ A a = new C(); a!put(1); a!put(2); a!put(3); a!put(4); a!put(5); a!run2(); }
EOF
run "$sennit" explore long_executions.abs --max-time=2s
expect_code 3 'long executions of a model'
jq -e '.ending == "max-time" and .final_states == []' sennit-last/run.json >/dev/null || complain 'long executions of a model: run.json'

# --timeout-per-cycle ends a single long execution too.
cat >long_step.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p)
{
    volatile long s = 0;
    for (long i = 0; i < 1000000000000; i++)
        s += i;
    pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
    return p;
}
static void *b(void *p)
{
    pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0);
    pthread_join(t, 0); pthread_join(u, 0);
    return 0;
}
EOF
run "$sennit" deadlock long_step.c --timeout-per-cycle=500ms
expect_code 3 'deadlock: a long execution'
expect_text out 'undecided: the time limit for this cycle was reached' 'deadlock: a long execution'
# A step without end stops its thread only: what the others do is found.
cat >hang.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static void *work(void *argument) { assert(argument); return argument; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); for (volatile unsigned long i = 0;; i++) ; }
EOF
run "$sennit" test hang.c --max-step-time=1s
expect_code 1 'a step without end'
expect_text out 'assertion `argument. failed in work' 'a step without end'
jq -e '.cut == 1 and .crashed == 0 and any(.bounds[]; .name == "max-step-time" and .hits == 1)' sennit-last/run.json >/dev/null ||
    complain 'a step without end: run.json'

# A loop that is not recognised: where it is, and what bounds it
cat >ticket.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static int done;
static void lock(void)
{
    unsigned ticket = next++;
    while (serving != ticket)
        ;
}
static void *poll(void *argument)
{
    for (int seen = 0; !seen; serving++) {
        lock();
        seen = done;
    }
    return argument;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, poll, 0);
    lock();
    done = 1;
    serving++;
    pthread_join(t, 0);
    return 0;
}
EOF
run "$sennit" test ticket.c --max-execs=20
expect_code 3 'an endless loop'
expect_text out 'the longest execution comes back to one place: [0-9,]+ of [0-9,]+ steps at ticket.c:(7 in lock|8 in lock|13 in poll); --unroll=N bounds a loop, --max-steps=N recursion too$' \
    'an endless loop'
expect_text out '^  an execution may have no end: --reduction=states recognises states it has been in$' 'an endless loop'
jq -e '.loop | .file == "ticket.c" and .steps >= 100 and .of > .steps and .options == ["unroll", "max-steps"]' sennit-last/run.json >/dev/null ||
    complain 'an endless loop: run.json'
bounded 'at most 3 iterations of a loop' 'an endless loop, bounded' ticket.c --unroll=3
jq -e 'has("loop") | not' sennit-last/run.json >/dev/null || complain 'an endless loop, bounded: run.json'

# Memory that the system does not give
"$sennit" cc blocks.c -o blocks
(ulimit -v 40000000 && exec "$sennit" explore ./blocks) >out 2>err </dev/null
code=$?
expect_code 5 'ulimit -v'
expect_text err 'ulimit -v' 'ulimit -v'
# A thread that runs forever without a step, in its own code or in calls, is stopped; what the others do is explored.
cat >endless.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int x;
static void *yield(void *unused) { for (;;) sched_yield(); return unused; }
static void *spin(void *unused) { for (;;) { } return unused; }
static void *check(void *unused) { assert(x < BUG); return unused; }
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, yield, NULL);
    pthread_create(&b, NULL, spin, NULL);
    pthread_create(&c, NULL, check, NULL);
    x = 1;
    pthread_join(a, NULL);
}
EOF
run "$sennit" test endless.c -DBUG=0 --max-step-time=1s
expect_code 1 'a bug beside endless threads'
jq -e '.bugs[0].kind == "assertion" and .bugs[0].confirmed' sennit-last/run.json >/dev/null || complain 'endless: run.json'
bounded 'at most 1 seconds for a step' 'endless threads' endless.c -DBUG=2 --max-step-time=1s
jq -e '.executions == 2 and .cut == 2' sennit-last/run.json >/dev/null || complain 'endless threads: run.json'
# Inside a library it cannot be stopped: what the others would do is unknown.
cat >call.c <<'EOF'
void forever(void) { for (;;) __asm__ volatile(""); }
EOF
cat >stuck.c <<'EOF'
#include <assert.h>
#include <pthread.h>
void forever(void);
static void *call(void *unused) { forever(); return unused; }
static void *check(void *unused) { assert(0); return unused; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, call, 0); pthread_create(&b, 0, check, 0); pthread_join(b, 0); }
EOF
cc -shared -fPIC -o libcall.so call.c
run "$sennit" test stuck.c --max-step-time=1s -L. -lcall -Wl,-rpath,"$PWD"
expect_code 3 'a call that does not return'
expect_text out 'stopped by --max-step-time, in a call that does not return: .*; others remain, no bug' 'a call without end'
jq -e '.verdict == "incomplete" and .ending == "max-step-time"' sennit-last/run.json >/dev/null || complain 'stuck: run.json'

# No process outlives the run.
printf 'int main(void) { for (;;) { } }\n' >outlive.c
"$sennit" cc -w outlive.c -o outlive
run "$sennit" explore "$PWD/outlive" --isolate=fork --max-time=1s --max-step-time=10m
expect_code 3 'an endless isolated execution'
for ((i = 0; i < 50; i++)); do
    left=$(pgrep -f "^$PWD/outlive")
    [ -n "$left" ] || break
    sleep 0.1
done
[ -z "$left" ] || { complain 'a process outlives its run'; kill $left; }
finish
