#!/usr/bin/env bash
# What people see of deadlocks of actors, to the letter: one that waits for a message that was
# lost, and two that wait for each other's locks.
#
# Usage: tests/actors/reports.sh SENNIT
here=$(cd "$(dirname "$0")" && pwd)
BASH_ARGV0=$here/../cli/reports.sh # lib.sh looks for its programs beside it
. "$here/../cli/lib.sh"
cp "$here"/../../examples/actors/token_ring.c "$here"/programs/locks.c .

same() { # golden-file command...
    local golden=$1
    shift
    run "$@"
    expect_code 1 "$*"
    grep -vE 'executions, .* redundant|results are in' out >kept # times and folders
    diff "$here/golden/$golden" kept >diff.txt || complain "$*: differs from tests/actors/golden/$golden: $(cat diff.txt)"
}

same lost-token.txt "$sennit" test token_ring.c --lose=1 --color=never -q
same crossed-locks.txt "$sennit" test locks.c -DCROSSED --channels=fifo --color=never -q

# Replays show the same.
for trace in sennit-out/001/bugs/*.trace sennit-out/002/bugs/*.trace; do
    run "$sennit" replay --color=never "$trace"
    expect_code 1 "replay $trace"
    expect_text out '^deadlock-[0-9a-f]{4}  ' "replay $trace"
done

finish
