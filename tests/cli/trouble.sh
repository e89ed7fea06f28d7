#!/usr/bin/env bash
# A full disk, a directory without permission, an interrupt: nothing that was found is lost.
. "$(dirname "$0")/lib.sh"
cp "$sources"/*.c .
"$sennit" cc deadlock.c -o deadlock
"$sennit" cc clean.c -DN=10 -o long

# A run directory that cannot be made or written to: nothing is searched
cp "$sources/../../../examples/deadlock/workers.abs" .
unsaved() { # pattern arguments...: for every verb
    local pattern=$1
    shift
    refused 2 "results cannot be saved: $pattern" "$sennit" explore ./deadlock "$@"
    expect_no_text out . "explore $*: something was searched"
    refused 2 "results cannot be saved: $pattern" "$sennit" test deadlock.c "$@"
    expect_no_text out . "test $*: something was searched"
    refused 2 "results cannot be saved: $pattern" "$sennit" explore workers.abs "$@"
    expect_no_text out . "explore MODEL $*: something was searched"
    refused 2 "results cannot be saved: $pattern" "$sennit" deadlock deadlock.c "$@"
    refused 2 "results cannot be saved: $pattern" "$sennit" deadlock workers.abs --search=first "$@"
    expect_no_text out . "deadlock $*: something was searched"
}
: >sennit-out
unsaved 'sennit-out/001: Not a directory'
rm sennit-out
unsaved '/dev/null/x: Not a directory' -o /dev/null/x
unsaved '/proc/x: ' -o /proc/x
unsaved '/proc/self: ' -o /proc/self # exists

# Standard streams that are closed: files of ours do not take their place, and the bug is confirmed
"$sennit" test deadlock.c -o closed <&- >&- 2>&-
code=$?
expect_code 1 'no standard streams'
jq -e '.bugs[0].confirmed' closed/run.json >/dev/null || complain 'no standard streams: run.json'

# Standard output that takes nothing: what is not said is no success
"$sennit" cc clean.c -DN=2 -o small
echo 'module M; { Int x = 1; x = x + 1; }' >counter.abs
for arguments in 'explore ./small' 'explore ./small --json' 'deadlock counter.abs' 'check counter.abs' --help; do
    "$sennit" $arguments >/dev/full 2>err
    code=$?
    expect_code 5 "$arguments >/dev/full"
    expect_text err 'standard output' "$arguments >/dev/full"
done
"$sennit" explore ./small -o unsaid >/dev/full 2>err
jq -e '.exit_code == 5' unsaid/run.json >/dev/null || complain 'run.json: another exit code'
"$sennit" explore ./deadlock >/dev/full 2>err
code=$?
expect_code 1 'a bug that cannot be printed'

# A full disk: a tiny file system, if we may mount one, and a file that is always full
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    head -c 16384 /dev/zero >disk/filler 2>/dev/null
    run "$sennit" explore ./deadlock -o disk/run
    expect_code 1 'full disk'
    expect_text out 'deadlock-' 'full disk: the bug is reported'
    expect_text out '1 bug' 'full disk: the verdict is printed'
    expect_text err 'results could not be saved: disk/run.*No space left on device' 'full disk'
    run "$sennit" test deadlock.c -o disk/run
    expect_code 1 'full disk: sennit test'
    expect_text err 'No space left on device' 'full disk: sennit test'
    umount disk
fi
# ... or one with room for the results, but not for the program: that is kept elsewhere while it is needed
mkdir elsewhere
if mount -t tmpfs -o size=2m tmpfs disk 2>/dev/null; then
    run env TMPDIR="$PWD/elsewhere" "$sennit" test deadlock.c -o disk/run
    expect_code 1 'no room for the program'
    expect_text err 'no room for the program in the run directory: it is kept as .*/elsewhere/sennit-[^/]*/deadlock, for replays' 'no room for the program'
    run "$sennit" replay disk/run/bugs/*.trace
    expect_text out 'reproduced' 'no room for the program: replay'
    rm -rf elsewhere/*
    run env TMPDIR="$PWD/elsewhere" "$sennit" test clean.c -o disk/run
    expect_code 0 'no room for the program, no bug'
    [ -z "$(ls elsewhere)" ] && [ ! -s err ] || complain 'no room for the program, no bug: something is left'
    umount disk
fi
for search in '1 explore ./deadlock' '5 explore ./small' '5 explore ./small --max-execs 1' '5 deadlock counter.abs'; do
    mkdir -p full && ln -sf /dev/full full/run.json.part
    run "$sennit" ${search#* } -o full
    expect_code "${search%% *}" "full disk: $search"
    expect_text err 'results could not be saved: .*No space left on device' "full disk: $search"
done

# Ctrl-C in mid-search: how far it got, and what was found
await() { # file: waits until the run has written it
    for _ in $(seq 600); do
        compgen -G "$1" >/dev/null && return
        sleep 0.1
    done
    complain "$1 does not appear"
}
interrupt() { # signal file command...: when the run has written the file
    local signal=$1 file=$2
    shift 2
    rm -f sennit-last
    setsid "$@" >out 2>err </dev/null &
    local pid=$!
    await "$file"
    kill -s "$signal" "$pid"
    wait "$pid"
    code=$?
}
for signal in INT TERM; do
    interrupt $signal sennit-last/stats.jsonl "$sennit" explore ./long
    expect_code 130 "SIG$signal"
    expect_text out 'interrupted: [0-9,]+ schedules explored.*others remain, no bug' "SIG$signal"
    jq -e '.exit_code == 130 and .ending == "interrupted" and .executions > 0 and .verdict == "incomplete"' \
        sennit-last/run.json >/dev/null || complain "SIG$signal: run.json"
    [ -s sennit-last/stats.jsonl ] || complain "SIG$signal: no stats.jsonl"
done
# ... unless the hang-up of the terminal is to be ignored
rm -f sennit-last
nohup "$sennit" explore ./long >out 2>err </dev/null &
pid=$!
await sennit-last/stats.jsonl
kill -HUP "$pid"
before=$(wc -l <sennit-last/stats.jsonl)
for _ in $(seq 600); do
    [ "$(wc -l <sennit-last/stats.jsonl)" -gt $((before + 1)) ] && break
    sleep 0.1
done
kill -0 "$pid" 2>/dev/null || complain 'nohup: the search has ended'
kill -INT "$pid"
wait "$pid"
code=$?
expect_code 130 'nohup'
cat >late.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[9], count;
static void *work(void *number)
{
    pthread_mutex_lock(&lock);
    order[count++] = (int)(long)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t threads[9];
    for (long i = 0; i < 9; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 9; i++)
        pthread_join(threads[i], NULL);
    return order[8] == 7; /* in many schedules, among others in early ones */
}
EOF
"$sennit" cc late.c -o late
interrupt INT 'sennit-last/bugs/*.trace' "$sennit" explore ./late -k
expect_code 130 'interrupted after a bug'
expect_text out 'exit-code-' 'interrupted after a bug: it is reported'
expect_text out 'interrupted: .*1 bug' 'interrupted after a bug'
ls sennit-last/bugs/exit-code-*.trace >/dev/null || complain 'interrupted after a bug: no trace'
run "$sennit" replay sennit-last/bugs/exit-code-*.trace
expect_code 1 'interrupted after a bug: replay'

# A worker that is killed from outside does not end the search
rm -f sennit-last
setsid "$sennit" explore ./long -k -j 1 --max-time 20s >out 2>err </dev/null &
pid=$!
await sennit-last/stats.jsonl
pkill -KILL -P "$pid"
before=$(wc -l <sennit-last/stats.jsonl)
sleep 3
kill -INT "$pid"
wait "$pid"
code=$?
expect_code 130 'a killed worker'
expect_text out 'interrupted: [0-9,]+ schedules explored' 'a killed worker'
[ "$(wc -l <sennit-last/stats.jsonl)" -gt "$before" ] || complain 'a killed worker: the search did not go on'

# A supervisor that is killed before its worker has asked to die with it: the worker ends all the same
cat >late.c <<'END'
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int prctl(int option, ...)
{
    va_list rest;
    va_start(rest, option);
    if (option == PR_SET_PDEATHSIG)
        usleep(500000);
    return (int)syscall(SYS_prctl, option, va_arg(rest, unsigned long), 0, 0, 0);
}
END
cc -shared -fPIC late.c -o late.so
cp long orphan
LD_PRELOAD=$work/late.so "$sennit" explore ./orphan -q -o orphaned >out 2>err &
supervisor=$!
children() { pgrep -P "$1"; }
for ((i = 0; i < 400; i++)); do
    worker=$(children $supervisor) && break
    sleep 0.02
done
kill -KILL $supervisor
wait $supervisor 2>/dev/null
for ((i = 0; i < 200; i++)); do
    kill -0 $worker 2>/dev/null || break
    sleep 0.05
done
[ -n "$worker" ] || complain 'orphan: no worker was started'
kill -0 $worker 2>/dev/null && complain 'orphan: the worker outlives its supervisor' && kill -KILL $worker
finish
