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

# Fields by the names of their values, also of structures in messages
cat >fields.c <<'EOF'
#include <sennit/actor.h>
#include <sennit/sennit.h>
typedef struct { struct { int term; unsigned char by; } id; enum { NO, YES, LATER } answer; } Vote;
SENNIT_MSG(Vote, SENNIT_FIELD(Vote, id.term), SENNIT_ENUM(Vote, id.by, "A", "B"),
           SENNIT_ENUM(Vote, answer, "NO", "YES"));
static void counts(void *unused)
{
    Vote vote;
    (void)unused;
    for (int i = 0; i < 2; i++)
        sennit_receive(&vote, sizeof vote);
    sennit_assert(vote.answer == YES);
}
int main(void)
{
    sennit_pid counter = sennit_spawn("counter", counts, 0);
    sennit_send(counter, &(Vote){{-3, 1}, YES}, sizeof(Vote));
    sennit_send(counter, &(Vote){{4, 2}, LATER}, sizeof(Vote));
    sennit_run();
}
EOF
run "$sennit" test fields.c --channels=fifo
expect_code 1 'fields of messages'
expect_text out 'Vote\(id.term=-3 id.by=B answer=YES\)' 'names of values'
expect_text out 'Vote\(id.term=4 id.by=2 answer=2\)' 'values without names'

# Replays show the same.
for trace in sennit-out/00[12]/bugs/*.trace; do
    run "$sennit" replay --color=never "$trace"
    expect_code 1 "replay $trace"
    expect_text out '^deadlock-[0-9a-f]{4}  ' "replay $trace"
done

finish
