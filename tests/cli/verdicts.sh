#!/usr/bin/env bash
# Verdicts, exit codes, run.json: what was done is what is said.
. "$(dirname "$0")/lib.sh"
cp "$sources"/*.c .

json() { # expression: evaluated on run.json of the last run
    jq -e "$1" sennit-last/run.json >/dev/null || complain "run.json: not $1"
}

run "$sennit" test clean.c -DN=4
expect_code 0 'clean.c'
expect_text out 'exhaustive: every schedule covered by 24 executions' 'clean.c'
json '.verdict == "exhaustive" and .executions == 24 and .redundant == 0 and .exit_code == 0 and .bugs == []'
json '.program and .command and .version and (.steps > 0) and (.cpu_seconds >= 0) and (.peak_kb > 0)'
json '.command | startswith("sennit test clean.c")'

run "$sennit" test clean.c -DN=4 -j 2
expect_text out 'covered by 24 executions' 'two workers'

run "$sennit" test clean.c -DN=4 --max-execs 10
expect_code 3 '--max-execs'
json '.verdict == "incomplete" and .executions == 10 and (.bounds[] | select(.name == "max-execs") | .hits == 1 and .limit == 10)'

run "$sennit" test clean.c -DN=4 --preemptions 0
expect_code 0 '--preemptions'
expect_text out 'exhaustive within bounds: .*at most 0 preemptions' '--preemptions'
json '.verdict == "bounded"'

run "$sennit" test clean.c -DN=4 --strategy=random --max-execs 50 --seed 7
expect_code 3 'random'
expect_text out 'sampled: 50 schedules \(random, seed 7\)' 'random'
json '.verdict == "sampled" and .seed == 7'

# Samples beside the search: counted apart. They begin before the search does here, so there is one turn of them.
soon=--sample-after=0.000001s
json '.samples == null'
run "$sennit" test clean.c -DN=4 $soon
expect_code 0 'samples beside the search'
expect_text out '100 executions were sampled beside the search$' 'samples beside the search'
json '.verdict == "exhaustive" and .executions == 24 and .samples == 100 and .sampled_bugs == null'
run "$sennit" test clean.c -DN=4 --max-execs 10 $soon
json '.verdict == "incomplete" and .executions == 10 and .samples == 100'
run "$sennit" test clean.c -DN=4 --preemptions 0 $soon
expect_code 2 'no samples within a bound on preemptions'
run "$sennit" test deadlock.c $soon
expect_code 1 'a sampled bug'
expect_text out 'sampled beside the search and found deadlock-' 'a sampled bug'
json '.executions == 0 and .samples >= 1 and (.bugs | length) == 1 and .bugs[0].confirmed and .bugs[0].minimised'
json '.sampled_bugs[0] == "deadlock-" + .bugs[0].id'
run "$sennit" test crashes.c -DNULL_READ -k
all=$(jq -c '[.executions, .crashed, .verdict]' sennit-last/run.json)
run "$sennit" test crashes.c -DNULL_READ -k $soon
json ".samples == 1 and [.executions, .crashed, .verdict] == $all"

# What is not seen takes the word: functions that others compiled, if they are called and there are several threads.
cat >foreign.c <<'EOF'
static int calls;
void touch(int *p) { ++*p; }
int next(void) { return calls++; }
int never(int n) { return n; }
int pass(int n) { return n; }
int unknown;
EOF
echo 'int known;' >known.c
cat >caller.c <<'EOF'
#include <pthread.h>
#include <string.h>
void touch(int *p);
int next(void), never(int n), pass(int n);
extern int known; /* known.c */
#ifdef VARIABLE
extern int unknown;
#else
#define unknown 0
#endif
int (*volatile through)(int) = pass;
static int x;
static void *body(void *argument) { touch(&x); return argument; }
int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 5 + known + unknown)
        never((int)strlen(argv[0]));
    next();
#ifdef THREADS
    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
#endif
    return 0;
}
EOF
cc -c foreign.c
run "$sennit" test caller.c known.c foreign.o -DTHREADS
expect_code 0 'opaque calls'
expect_text out 'exhaustive but for: pass, next \(caller.c:19\), touch \(caller.c:13\); every schedule covered by 1 execution, no bug' 'opaque calls'
json '.verdict == "exhaustive-but-for" and .exit_code == 0 and ([.unseen[] | [.kind, .name, .line]] | sort) == [["call", "next", 19], ["call", "pass", 0], ["call", "touch", 13]]'
run "$sennit" test caller.c known.c foreign.o -DTHREADS -DVARIABLE
expect_text out 'but for: .*memory of unknown' 'a variable of uninstrumented code'
run "$sennit" test caller.c known.c foreign.c -DTHREADS -DVARIABLE # the same functions, instrumented
json '.verdict == "exhaustive" and .unseen == []'
run "$sennit" test caller.c known.c foreign.o # a single thread: nothing can interfere
json '.verdict == "exhaustive" and .unseen == [] and .opaque != []'
run "$sennit" test caller.c known.c foreign.o -DTHREADS --isolate=fork --max-execs 1
json '.verdict == "exhaustive-but-for"'

# Random numbers of the system are fixed, and that is said.
cat >random.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>
static unsigned long a, b, c, d, e;
static void *draw(void *unused)
{
    assert(getrandom(&a, sizeof a, 0) == sizeof a);
    assert(getentropy(&c, sizeof c) == 0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, draw, NULL);
    assert(getrandom(&b, sizeof b, 0) == sizeof b);
    int device = open("/dev/urandom", O_RDONLY);
    assert(read(device, &d, sizeof d) == sizeof d);
    close(device);
    FILE *stream = fopen("/dev/urandom", "r");
    assert(fread(&e, sizeof e, 1, stream) == 1);
    fclose(stream);
    pthread_join(thread, NULL);
    assert(a && b && c && d && e && a != b && a != c && b != d);
    if (a & 1)
        pthread_create(&thread, NULL, draw, NULL);
    return 0;
}
END
run "$sennit" test random.c
expect_code 0 'random numbers'
json '.verdict == "exhaustive-but-for" and ([.unseen[] | select(.kind == "random") | .name] | unique) == ["/dev/urandom", "getentropy", "getrandom"]'

# So are those of the processor, in assembly and in intrinsics; what else may access memory unseen is named too.
if [ "$(uname -m)" = x86_64 ]; then
    cat >processor.c <<'END'
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
static char state[4096] __attribute__((aligned(64)));
__attribute__((target("rdrnd"))) static unsigned drawn(void)
{
    unsigned number;
    assert(_rdrand32_step(&number));
    return number;
}
__attribute__((target("xsave"))) static void *save(void *arg)
{
    _xsave(state, 0);
    return arg;
}
int main(void)
{
    unsigned long number;
    unsigned char there, odd;
    __asm__ volatile("1: rdrand %0; jnc 1b" : "=r"(number) : : "cc");
    __asm__ volatile("rdseed %0; setc %1" : "=r"(number), "=qm"(there) : : "cc");
    __asm__ volatile("rdrand %%eax; setp %0" : "=qm"(odd) : : "eax", "cc"); /* not translated: parity */
    if (drawn() == number || !there)
        return 1;
#ifdef SAVE
    pthread_t thread;
    pthread_create(&thread, NULL, save, NULL);
    pthread_join(thread, NULL);
#endif
    return 0;
}
END
    run "$sennit" test processor.c -w
    expect_code 0 'random numbers of the processor'
    json '.verdict == "exhaustive-but-for" and ([.unseen[] | [.kind, .name, .line]] | sort) == [["random", "rdrand %eax", 22], ["random", "the processor", 8], ["random", "the processor", 20], ["random", "the processor", 21]]'
    run "$sennit" test processor.c -w -DSAVE
    expect_code 0 'an intrinsic that is not known'
    json '[.unseen[] | select(.kind == "assembly") | [.name, .line]] == [["x86.xsave", 13]]'
fi

# Variables of the C library are not checked; before there are threads that does not matter.
cat >options.c <<'END'
#include <pthread.h>
#include <unistd.h>
static int before, after;
static void *scan(void *unused)
{
    char *words[] = {"x", "-b", "y", NULL};
    while (getopt(3, words, "b") != -1)
        continue;
    return unused;
}
int main(void)
{
    pthread_t thread;
    before = optind;
#ifdef LATE
    pthread_create(&thread, NULL, scan, NULL);
    after = optind;
    pthread_join(thread, NULL);
#endif
    return 0;
}
END
run "$sennit" test options.c
json '.verdict == "exhaustive"'
run "$sennit" test options.c -DLATE
expect_text out 'options.c: exhaustive but for: memory of optind \(options.c:17\); every schedule' 'a variable of the library'

# A weak function that does not exist is not called.
cat >weak.c <<'END'
extern int absent(int *) __attribute__((weak));
int shared;
int main(void) { return absent ? absent(&shared) : 0; }
END
run "$sennit" test weak.c
expect_text out 'weak.c: exhaustive: every schedule covered by 1 execution, no bug' 'a weak function'


# The verdict of generated tests has the same words.
generated() { # verdict options...
    rm -rf generated
    "$sennit" generate "$sources/options/model.abs" --method Cell.more -q --out generated "${@:2}" >out 2>err
    [ "$(jq -r .verdict generated/run.json)" = "$1" ] || complain "generate ${*:2}: not $1"
}
generated exhaustive
generated bounded --method Cell.put --loop=1
generated incomplete --method Cell.put --method Cell.side --loop=2 --max-execs=1

# What an optimiser removes is checked before.
run "$sennit" test unused_read.c -O1
expect_code 1 'a read that nobody needs'
json '[.bugs[].summary] == ["null pointer dereference"]'
run "$sennit" test unused_read.c -O1 -DCONSTANT
json '[.bugs[].summary] == ["invalid memory access"]'

# A function has two versions; for people it has one name.
for flag in -DPLAIN -DINPUT; do
    run "$sennit" test division.c $flag -O1 -k
    json '[.bugs[] | .places[0].function] == ["divide"]'
done

# An execution that takes too long is cut off.
run "$sennit" test long_execution.c --max-time 1s
expect_code 3 'a long execution'
json '.ending == "max-time" and .verdict == "incomplete" and .executions == 0 and .seconds < 20'

run "$sennit" test clean.c -DN=4 --strategy=exhaustive,pct:3
expect_code 0 'portfolio'
json '.verdict == "exhaustive"'

run "$sennit" test clean.c -DN=10 --max-time 1s
expect_code 3 '--max-time'
expect_text out 'stopped by --max-time' '--max-time'

# Threads in turns, and main when the others can do no more.
run "$sennit" test keep_step.c --strategy=turns --max-execs 16
expect_code 1 '--strategy=turns'
json '.verdict == "sampled" and .executions <= 16 and .bugs[0].kind == "assertion" and .bugs[0].confirmed'
run "$sennit" test keep_step.c --strategy=random --max-execs 1000
expect_text out 'sampled: 1,000 schedules \(random, seed 1\), not exhaustive, no bug' '--strategy=random'

# Signals: what of their delivery is not explored.
for part in 10 11; do
    run "$sennit" test "${sources%/cli/programs}"/litmus/handlers.c -DPART=$part --plain=visible
    expect_code 0 "signals, part $part"
    json '([.unseen[] | select(.kind == "signal") | .name] | unique) == ["that reach a running thread late"]'
done

# A priority for each step: one thread takes twenty steps that conflict with nothing, before one that does.
cat >ahead.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, own;
static void *ahead(void *unused)
{
    for (int i = 0; i < 20; i++)
        own++;
    flag = 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ahead, NULL);
    int late = flag;
    assert(!late);
    return pthread_join(thread, NULL);
}
EOF
run "$sennit" test ahead.c --strategy=pos --max-execs 20
expect_code 1 '--strategy=pos'
json '.verdict == "sampled" and .executions <= 20 and .bugs[0].kind == "assertion" and .bugs[0].confirmed'
run "$sennit" test ahead.c --strategy=random --max-execs 1000
expect_text out 'sampled: 1,000 schedules \(random, seed 1\), not exhaustive, no bug' 'beside --strategy=random'

# Under weak memory a search begins again when resources turn out to belong together; its last execution still counts.
cat >signal_once.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *sleeper(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sleeper, NULL);
    pthread_cond_signal(&cond);
    pthread_join(t, NULL);
    return 0;
}
EOF
run "$sennit" test signal_once.c --memory=rc11
expect_code 1 'a lost signal under RC11'
json '.memory == "rc11" and .executions > 0 and .bugs[0].kind == "deadlock" and .bugs[0].confirmed'

# Threads that never begin: a bound, and no bug of whoever waits for them.
run "$sennit" test children.c --max-children 2
expect_code 0 '--max-children'
expect_text out 'exhaustive within bounds: 2 schedules .*at most 2 threads created by each thread at one place \(hit 2 times\), no bug' '--max-children'
run "$sennit" test children.c --max-children 2 -DLOOK
json '.verdict == "bounded" and .executions == 2 and .bugs == []'
cat >meet.c <<'EOF'
#include <pthread.h>
static pthread_barrier_t barrier;
static void *meet(void *argument) { pthread_barrier_wait(&barrier); return argument; }
int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, meet, NULL);
    pthread_barrier_wait(&barrier);
    return 0;
}
EOF
run "$sennit" test meet.c --max-children 1
json '.verdict == "bounded" and .bugs == []' # the third one would come
run "$sennit" test children.c --max-children 3 -DLOOK
json '.bugs[0].kind == "data-race" and .bugs[0].confirmed' # the third one may still count
run "$sennit" test children.c --max-children 5
json '.verdict == "exhaustive" and .executions == 120 and .bugs == []'
cat >places.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return argument; }
int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, work, NULL);
    return 0;
}
EOF
for children in 1:2 2:24; do # each place has its own, in any order
    run "$sennit" test places.c --max-children ${children%:*}
    json ".verdict == \"bounded\" and .executions == ${children#*:} and .cut == .executions and .bugs == []"
done
cat >many.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static void *run(void *argument) { return argument; }
int main(void)
{
    for (int i = 0; i < 5000; i++) {
        pthread_t thread;
        assert(pthread_create(&thread, NULL, run, NULL) == 0);
        pthread_join(thread, NULL);
    }
    return 0;
}
EOF
run "$sennit" test many.c
expect_code 0 'too many threads'
expect_text out 'at most 4,095 threads, actors and messages \(hit 1 time\), no bug' 'too many threads'

# A bug that there was no time to replay: neither confirmed nor a sign of nondeterminism.
cat >slow_start.c <<'EOF'
#include <unistd.h>
static void __attribute__((constructor)) start_slowly(void) { usleep(1500000); }
EOF
cat >late.c <<'EOF'
#include <assert.h>
int main(void) { assert(0); }
EOF
cc -c slow_start.c || complain 'slow_start.c'
run "$sennit" test late.c slow_start.o --max-time 1s
expect_code 3 'no time for a replay'
expect_text out 'not confirmed: the time \(--max-time\) was used up before it was replayed' 'no time for a replay'
expect_text out '1 bug \(1 not confirmed: no time for a replay\)' 'no time for a replay'
json '.exit_code == 3 and .bugs[0].kind == "assertion" and .bugs[0].confirmed == false'
run "$sennit" replay sennit-last/bugs/*.trace
expect_code 1 'the replay later'

# A bug that could not be replayed because the system gave no process, or killed it: a limit of the machine.
cat >hinder.c <<'EOF'
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int memfd_create(const char *name, unsigned flags) /* of the file with the trace, or of the output of the child */
{
    const char *hindered = getenv("HINDER");
    if (hindered && strcmp(hindered, name) == 0) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_memfd_create, name, flags);
}
static void __attribute__((constructor)) kill_replay(void)
{
    const char *hindered = getenv("HINDER"), *options = getenv("SENNIT_OPTIONS");
    if (hindered && strcmp(hindered, "kill") == 0 && options && strstr(options, "--task=replay"))
        raise(SIGKILL);
}
EOF
cc -shared -fPIC hinder.c -o hinder.so || complain 'hinder.c'
"$sennit" cc -g late.c -o late
for hindered in trace result kill; do
    HINDER=$hindered LD_PRELOAD=$PWD/hinder.so run "$sennit" explore ./late
    expect_code 5 "no replay: $hindered"
    expect_text out '1 bug \(1 not confirmed: its replay failed\)' "no replay: $hindered"
    json '.exit_code == 5 and .bugs[0].kind == "assertion" and .bugs[0].confirmed == false'
done
expect_text out 'not confirmed: its replay was killed by signal 9' 'a replay that is killed'
HINDER=trace LD_PRELOAD=$PWD/hinder.so run "$sennit" deadlock deadlock.c -- world
expect_code 5 'deadlock without a replay'
run "$sennit" test deadlock.c -- world
expect_code 1 'deadlock.c'
expect_text out 'sennit replay sennit-last/bugs/deadlock-' 'deadlock.c'
expect_text out 'holds a since deadlock.c:21' 'deadlock.c'
expect_text out 'hello world' 'what the program printed'
json '.exit_code == 1 and (.bugs | length == 1) and .bugs[0].kind == "deadlock" and .bugs[0].confirmed'
json '.bugs[0] | .id and .summary and .places[0].file and .places[0].line and .places[0].function and .inputs'
json '.bugs[0] | .preemptions == 1 and (.trace | startswith("bugs/deadlock-"))'
[ -f "sennit-last/$(jq -r '.bugs[0].trace' sennit-last/run.json)" ] || complain 'the trace is not where run.json says'
cp sennit-last/bugs/*.trace first.trace
run "$sennit" replay first.trace
expect_code 1 'replay'
expect_text out 'hello world' 'replay has the same arguments'
(cd / && "$sennit" replay "$work/first.trace") >out 2>err
code=$?
expect_code 1 'replay from another directory'
run "$sennit" replay --json first.trace
jq -e '.kind == "deadlock"' out >/dev/null || complain 'replay --json'

# A bug has the same name in every run, whatever the options.
name=$(ls sennit-last/bugs | grep trace)
run "$sennit" test deadlock.c -k -j 2 --strategy=exhaustive,random
[ "$(ls sennit-last/bugs | grep trace)" = "$name" ] || complain 'the bug has another name now'

run "$sennit" test two_bugs.c -k
expect_code 1 'two_bugs.c'
json '[.bugs[].kind] | sort == ["assertion", "crash"]'
json '[.bugs[].confirmed] == [true, true]'
json '.bounds[] | select(.name == "crash") | .hits >= 1'
for trace in sennit-last/bugs/*.trace; do
    run "$sennit" replay "$trace"
    expect_code 1 "replay $trace"
done

run "$sennit" test two_bugs.c -k --isolate=fork
json '[.bugs[].kind] | sort == ["assertion", "crash"]'

run "$sennit" test deadlock.c --json
jq -e '.bugs[0].kind == "deadlock"' out >/dev/null || complain '--json'

run "$sennit" test deadlock.c -o here/and/there
[ -f here/and/there/run.json ] || complain '-o'
[ "$(readlink sennit-last)" = here/and/there ] || complain 'sennit-last does not point to -o'

# What is to be pasted names the directory that the user named.
replays() { # pattern directory: the command of the report works, and so do those in files
    local hint
    hint=$(sed -n 's/^ *Replay it:  sennit replay //p' out)
    expect_text out "^ *Replay it:  sennit replay .?$1" "-o $2"
    eval "run '$sennit' replay $hint"
    expect_code 1 "replay $hint"
    grep -qF "sennit replay $hint" "$2"/bugs/*.txt || complain "bugs/*.txt: not $hint"
    ! grep -F 'sennit-last' "$2"/bugs/*.txt pasted.xml pasted.sarif || complain "-o $2: sennit-last"
    [ "$(jq -r '.runs[0].results[0].properties.replay' pasted.sarif)" = "sennit replay $hint" ] || complain 'SARIF'
}
run "$sennit" test deadlock.c -o here/and/there --junit pasted.xml --sarif pasted.sarif
replays here/and/there/bugs here/and/there
run "$sennit" test deadlock.c -o "it's there" --junit pasted.xml --sarif pasted.sarif
replays "it" "it's there"
run "$sennit" deadlock deadlock.c -o "it's there" --junit pasted.xml --sarif pasted.sarif
replays "it" "it's there"

# Nothing of an earlier run survives in a directory.
"$sennit" test clean.c -o here/and/there >out 2>err
"$sennit" explore missing -o here/and/there >out 2>err
[ ! -e here/and/there/run.json ] || complain 'an old run.json'
"$sennit" test clean.c -o here/and/there >out 2>err
json '.exit_code == 0'
echo 'int main(void) { return undeclared; }' >broken.c
"$sennit" test broken.c -o here/and/there >out 2>err
for name in run.json stats.jsonl coverage.info; do
    [ ! -e here/and/there/$name ] || complain "$name of an earlier run"
done

# Several main blocks: the last one is run, and its file is named.
echo 'module A; { println("in A"); }' >first_main.abs
echo 'module B; { println("in B"); }' >second_main.abs
for order in 'first_main.abs second_main.abs' 'second_main.abs first_main.abs'; do
    for verb in test deadlock; do
        run "$sennit" $verb $order
        expect_text out "^${order#* }: " "$verb $order"
        json ".program | endswith(\"/${order#* }\")"
    done
done
echo 'module C; def Int one() = 1;' >no_main.abs
run "$sennit" test first_main.abs no_main.abs
expect_text out '^first_main.abs: ' 'a file without a main block'

# A bug ends a program without threads: nothing else is left, unless it has inputs.
cat >alone.c <<'EOF'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
#ifdef INPUT
    if (__VERIFIER_nondet_int() == 5)
        return 0;
#endif
    assert(0);
}
EOF
run "$sennit" test alone.c
expect_code 1 'alone.c'
expect_text out '^alone.c: exhaustive: every schedule covered by 1 execution, 1 bug' 'alone.c'
run "$sennit" test alone.c -DINPUT
expect_code 1 'alone.c -DINPUT'
expect_text out 'stopped at the first bug .*; others remain, 1 bug' 'alone.c -DINPUT'
run "$sennit" test deadlock.c
expect_text out 'stopped at the first bug .*; others remain, 1 bug' 'deadlock.c'

# A test binary explores by itself; asked by a build system it is the plain program.
"$sennit" cc deadlock.c -o prog
run env SENNIT_OPTIONS=-q ./prog world
expect_code 1 'a test binary by itself'
run ./prog world
expect_code 1 'a test binary without options'
"$sennit" cc sequential.c -o probe
rm -rf sennit-out sennit-last
run ./probe 3
expect_code 3 'a configure probe'
[ "$(cat out)" = 8 ] || complain 'a configure probe prints something else'
[ "$(cat err)" = 'to standard error' ] || complain 'a configure probe prints something else'
[ ! -e sennit-out ] || complain 'a configure probe leaves something behind'

run "$sennit" test changing.c
expect_code 4 'a program that changes from run to run'
expect_text out 'is nondeterministic' 'a program that changes from run to run'

# Sentences of reports.
"$sennit" cc -g texts.c -o texts
says() { # sentence argument...
    run "$sennit" explore -q ./texts -- "${@:2}"
    expect_text out "$1" "texts ${*:2}"
}
says "failed in client$"
says "failed in void \(\*chosen\(int\)\)\(void\)$" 1
says 'main unlocks mutex m, which it does not hold$' 1 2
says 'main waits forever for a signal on c$' 1 2 3
says 'main waits for a signal on c at ' 1 2 3
says 'main frees a pointer that is not to a heap block at ' 1 2 3 4
says 'double free of a block of 8 bytes' 1 2 3 4 5
# Both accesses of a race stand where they happened, also of threads that create some, or have taken no step yet.
marked() { # flag: prints the numbers of steps, and => for accesses
    run "$sennit" test "$sources/race_order.c" "$1" --memory=sc
    expect_code 1 "race_order $1"
    sed -nE '/^ +step +where/,/^$/s/^ +(\*?[0-9]+|=>) .*/\1/p' out | tr -d '\n*'
}
[ "$(marked -DEARLY)" = '123=>45=>' ] || complain "race_order: $(marked -DEARLY)"
[ "$(marked -DLATE)" = '1=>23=>' ] || complain "race_order -DLATE: $(marked -DLATE)"
finish
