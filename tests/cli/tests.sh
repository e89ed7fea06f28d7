#!/usr/bin/env bash
# Tests: one per path; each replays, and takes its path as a program of its own too.
. "$(dirname "$0")/lib.sh"
need cmake jq
cp "$sources"/inputs/*.c .

# Explores and counts: executions, tests, different paths of the native runs.
check_paths() { # program flags paths failing
    local program=$1 flags=$2 paths=$3 failing=$4 different
    rm -rf suite
    # shellcheck disable=SC2086
    run "$sennit" test "$program.c" $flags -k --tests suite
    expect_code $((failing > 0)) "$program"
    [ "$(jq .executions sennit-last/run.json)" = "$paths" ] || complain "$program: not $paths executions"
    [ "$(ls suite/test*.trace | wc -l)" = "$paths" ] || complain "$program: not $paths tests"
    [ "$(grep -l '^bug test' suite/test*.trace | wc -l)" = $((paths - failing)) ] || complain "$program: not $failing fail"
    cmake -S suite -B suite/build >out.log 2>&1 && cmake --build suite/build >>out.log 2>&1 ||
        { complain "$program: the driver does not build"; cat out.log; return; }
    run ctest --test-dir suite/build
    expect_text out "100% tests passed, 0 tests failed out of $paths" "$program: native tests"
    different=$(for i in $(seq "$paths"); do suite/build/driver "$i" 2>/dev/null | head -n 1; done | sort -u | wc -l)
    [ "$different" = "$paths" ] || complain "$program: $different different paths natively instead of $paths"
}

check_paths bubble -DN=4 24 0
check_paths triangle '' 11 1 # kind 11 ends with status 1
for i in 000001 000007 000011; do
    run "$sennit" replay "suite/test$i.trace"
    expect_text out 'Replayed .* each as recorded' "replay of test $i"
done

# The same branches with fewer tests.
run "$sennit" test triangle.c -k --any-exit-code --tests few --select=branch
expect_text out '11 tests in few' 'every path of the triangle has a branch of its own'
run "$sennit" test bubble.c -k --tests few --select=branch
expect_text out '1 test in few' 'one order goes both ways at the only branch'
run "$sennit" replay few/test*.trace
expect_code 0 'replay of the selected test'

# Inputs and schedules: the driver has the inputs, the trace has both.
run "$sennit" test both.c -k --tests two
expect_code 1 'both.c'
jq -e '.bugs[0].inputs.x == 4711' sennit-last/run.json >/dev/null || complain 'the input that shows the bug'
failing=$(grep -l '^bug assertion' two/test*.trace | head -n 1)
run "$sennit" replay "$failing"
expect_code 1 'replay of a failing test'
expect_text two/tests.h '"choose", 2' 'choices are inputs of the driver'
expect_text two/tests.h '"y@0.1", ' 'inputs of other threads'
[ -L sennit-last/tests ] || complain 'the run directory has no link to the tests'

# Actors: the tests bring all they need. Executions that a bound cut are no tests.
check_paths actors '' 2 1
run "$sennit" test actors.c -DRETRY --timeouts=1 --tests cut
expect_code 0 'actors.c within bounds'
expect_text out 'at most 1 time-outs per thread \(hit' 'actors.c within bounds'
[ "$(ls cut/test*.trace | wc -l)" = 1 ] || complain "executions that were cut are tests"

# A worker that is killed while it writes a test, because the time is up, leaves the tests before that one.
cat >slow.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int open(const char *path, int flags, ...)
{
    mode_t mode = 0666;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (flags & O_TRUNC && strstr(path, "test000003.trace"))
        for (unsigned left = 20; left;) /* signals end it early */
            left = sleep(left);
    return fd;
}
EOF
cc -shared -fPIC slow.c -o slow.so || complain 'slow.c'
"$sennit" cc -g -DN=4 bubble.c -o bubble
LD_PRELOAD=$PWD/slow.so run "$sennit" explore ./bubble -j1 --max-time=1s --tests slow
expect_code 3 'a test that is half written'
expect_text out '^2 tests in slow' 'a test that is half written'
[ "$(ls slow/test*.trace | wc -l)" = 2 ] || complain 'a test that is half written'
refused 2 'both.c/x: Not a directory' "$sennit" test both.c --tests both.c/x
finish
