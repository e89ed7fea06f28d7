/* raft.c - election of a leader by majority, after time-outs (the election of Raft)
 *
 * litmus: --timeouts=1 -> executions 43
 * litmus: -DWRONG --timeouts=1 -> executions 47 bugs assertion
 *
 * A node that receives nothing for some time stands for election in a new term and asks the
 * others for their votes. A node votes once per term, for the first candidate; a node with a
 * majority leads that term. How often a node times out is an input. The wrong version forgets
 * that it has voted. No term may have two leaders.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>

enum { NODES = 3, TERMS = 8 };
enum { ASK, GRANT };

typedef struct Ballot {
    int kind, term, node;
} Ballot;
SENNIT_MSG(Ballot, SENNIT_FIELD(Ballot, kind), SENNIT_FIELD(Ballot, term), SENNIT_FIELD(Ballot, node));

typedef struct Node {
    int number, patience, term, voted, votes;
} Node;

static sennit_pid pids[NODES];
static Node nodes[NODES];
static int leads[NODES][TERMS];

static void tell(int to, int kind, int term, int node)
{
    Ballot ballot = {kind, term, node};
    sennit_send(pids[to], &ballot, sizeof ballot);
}

static void stand(Node *self)
{
    self->term++;
    self->voted = 1;
    self->votes = 1;
    for (int i = 0; i < NODES; i++)
        if (i != self->number)
            tell(i, ASK, self->term, self->number);
}

static void answer(Node *self, const Ballot *ballot)
{
    if (ballot->term > self->term) {
        self->term = ballot->term;
        self->voted = self->votes = 0;
    }
    if (ballot->term < self->term || self->voted)
        return;
#ifndef WRONG
    self->voted = 1;
#endif
    tell(ballot->node, GRANT, self->term, self->number);
}

static void run_node(void *argument)
{
    Node *self = argument;
    int patience = self->patience;
    Ballot ballot;
    sennit_daemon();
    for (;;) {
        if (patience > 0 && !sennit_receive_timed(150, &ballot, sizeof ballot)) {
            patience--;
            stand(self);
            continue;
        }
        if (patience <= 0)
            sennit_receive(&ballot, sizeof ballot);
        if (ballot.kind == ASK) {
            answer(self, &ballot);
        } else if (ballot.term == self->term && ++self->votes > NODES / 2) {
            leads[self->number][self->term] = 1;
        }
    }
}

int main(void)
{
    static const char *const names[] = {"n0", "n1", "n2"};
    for (int i = 0; i < NODES; i++) {
        nodes[i].number = i;
        nodes[i].patience = i < 2 ? sennit_int(names[i]) : 0; /* the third only votes */
        sennit_assume(nodes[i].patience >= 0 && nodes[i].patience <= 1);
        pids[i] = sennit_spawn(names[i], run_node, &nodes[i]);
    }
    sennit_run();
    for (int term = 0; term < TERMS; term++) {
        int leaders = 0;
        for (int i = 0; i < NODES; i++)
            leaders += leads[i][term];
        assert(leaders <= 1);
    }
    return 0;
}
