#!/usr/bin/env bash
# What a crash is called; call stacks have the program's functions and none of the runtime's.
. "$(dirname "$0")/lib.sh"
cp "$sources"/*.c .

json() { # expression: evaluated on run.json of the last run
    jq -e "$1" sennit-last/run.json >/dev/null || complain "run.json: not $1"
}

called() { # flag summary
    run "$sennit" test crashes.c "$1"
    expect_code 1 "$1"
    json "[.bugs[] | .kind, .summary] == [\"crash\", \"$2\"]"
}

called -DNULL_CALL 'call of a null function pointer'
called -DDATA_CALL 'jump to an address without code'
called -DNULL_READ 'null pointer dereference'
called -DNOWHERE 'invalid memory access'

# Callers in C, of a thread, through a function of the library; optimised or not.
for flags in '' '-O2' '-DTHREAD' '-DTHREAD -O2' '-DSORT' '-DTHREAD -DSORT' '-DNULL_CALL' '-DTHREAD -DNULL_CALL'; do
    # shellcheck disable=SC2086
    run "$sennit" test crashes.c $flags
    expect_code 1 "callers $flags"
    expect_no_text out 'enter_body|coro_|main_body|run_thread|sennit_rt|lifetime' "callers $flags"
done
run "$sennit" test crashes.c
expect_text out 'called from work +crashes.c:[0-9]+' 'callers'
expect_text out ' main +crashes.c:[0-9]+' 'callers'
finish
