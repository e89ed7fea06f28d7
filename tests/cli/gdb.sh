#!/usr/bin/env bash
# sennit replay --gdb stops in the right threads and functions, and at the bug.
. "$(dirname "$0")/lib.sh"
need gdb
cp "$sources"/*.c .

debug() { # program commands...: output of the session in out
    local program=$1
    shift
    run "$sennit" test "$program" -O0 -q
    expect_code 1 "$program"
    printf '%s\n' "$@" quit | timeout 60 "$sennit" replay --gdb sennit-last/bugs/*.trace >out 2>&1
}

debug deadlock.c next-step steps continue 'print argc' -- world
expect_text out 'step 1 of 2, thread 0: lock a' 'the first step'
expect_text out 'main .*deadlock.c:21' 'the first step is shown in main'
expect_text out '=> +2 +thread 0.1 +lock b' 'steps'
expect_text out 'in other .*deadlock.c:9' 'the second step is shown in the other thread'
expect_text out 'the bug: .*waits for' 'continue goes to the bug'

debug two_bugs.c continue continue bt
expect_text out 'two_bugs.c:' 'a bug in a thread'
expect_text out 'the bug: |SIGSEGV' 'continue goes to the bug'
finish
