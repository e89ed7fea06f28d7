/* raft_log.c - Raft with a replicated log and snapshots
 *
 * litmus: -O2 --reduction=states -> states 12250
 * litmus: -DWRONG -O2 --reduction=states -> states 18873 bugs assertion
 * litmus: -DSTUCK -O2 --reduction=states -> states 6015 bugs liveness
 *
 * Three nodes, of which the first leads term 1 and the second stands for election once, at any time. A leader sends
 * its entries with the entry before them; a follower whose log does not fit says so, and gets an earlier entry, or a
 * snapshot where the leader has none any more. What a majority has is committed, and put into the snapshot. The
 * wrong version votes for a candidate whose log is behind: a committed entry is replaced. STUCK: a leader does not
 * send its entries again to a follower whose log does not fit. No two nodes commit different entries at the same
 * place, and all nodes get the entries of a new leader, if there is one.
 */
#include <string.h>

#include <sennit/actor.h>
#include <sennit/monitor.h>
#include <sennit/sennit.h>

enum { NODES = 3, ENTRIES = 4 };
enum { APPEND = 1, ACCEPT, REFUSE, SNAPSHOT, STAND, ASK, VOTE };

typedef struct Message {
    signed char term, index, entry, before, committed; /* entry: the term it was made in */
} Message;
SENNIT_MSG(Message, SENNIT_FIELD(Message, term), SENNIT_FIELD(Message, index), SENNIT_FIELD(Message, entry),
           SENNIT_FIELD(Message, before), SENNIT_FIELD(Message, committed));

typedef struct Node {
    signed char me, term, leads, voted, votes;
    signed char log[ENTRIES + 1]; /* terms of the entries; place 0 is before the first */
    signed char last, committed, base; /* up to `base` there is a snapshot */
    signed char has[NODES];            /* the leader: how far each follower's log is known to fit */
} Node;

static sennit_pid pids[NODES];
static signed char agreed[ENTRIES + 1]; /* of observers: the entry that was committed there */
SENNIT_OBLIGATION(progress, "all nodes get the entries of a new leader");

static void send(int to, int tag, Message message)
{
    sennit_send_tag(pids[to], tag, &message, sizeof message);
}

static void commit(Node *n, int upto)
{
    for (int i = n->committed + 1; i <= upto && i <= n->last; i++) {
        sennit_observe(sennit_assert(!agreed[i] || agreed[i] == n->log[i]), agreed[i] = n->log[i]);
        n->committed = n->base = (signed char)i; /* a snapshot at once */
    }
}

/* What the follower lacks next. */
static void replicate(Node *n, int to)
{
    int next = n->has[to] + 1;
    Message m = {.term = n->term, .index = (signed char)next, .committed = n->committed};
    if (next > n->last)
        return;
    if (next <= n->base) { /* only the snapshot is left */
        m.index = n->base;
        m.entry = n->log[n->base];
        send(to, SNAPSHOT, m);
        return;
    }
    m.entry = n->log[next];
    m.before = n->log[next - 1];
    send(to, APPEND, m);
}

static void add_entry(Node *n)
{
    n->log[++n->last] = n->term;
    for (int i = 0; i < NODES; i++)
        if (i != n->me)
            replicate(n, i);
}

static void see_term(Node *n, int term)
{
    if (term <= n->term)
        return;
    n->term = (signed char)term;
    n->leads = n->votes = 0;
    n->voted = 0;
}

static void accept(Node *n, int from, const Message *m, int is_snapshot)
{
    Message reply = {.term = n->term, .index = m->index};
    if (m->term < n->term) {
        reply.index = 0;
        send(from, REFUSE, reply);
        return;
    }
    int fits = is_snapshot || m->index <= n->committed ||
               (m->index - 1 <= n->last && n->log[m->index - 1] == m->before);
    if (!fits) {
        reply.index = (signed char)(m->index - 1);
        send(from, REFUSE, reply);
        return;
    }
    if (m->index > n->committed) {
        if (is_snapshot || n->log[m->index] != m->entry || n->last < m->index)
            n->last = m->index; /* what was behind it is dropped */
        n->log[m->index] = m->entry;
        for (int i = m->index + 1; i <= ENTRIES && n->last == m->index; i++)
            n->log[i] = 0;
    }
    if (is_snapshot && n->committed < m->index) {
        sennit_observe(sennit_assert(agreed[m->index] == m->entry));
        for (int i = 1; i < m->index; i++)
            n->log[i] = agreed[i]; /* the state behind them */
        n->committed = n->base = m->index;
    } else {
        commit(n, m->committed < m->index ? m->committed : m->index);
    }
    send(from, ACCEPT, reply);
}

static void count(Node *n, int from, int index)
{
    if (index > n->has[from])
        n->has[from] = (signed char)index;
    for (int i = n->last; i > n->committed; i--) {
        int nodes = 1;
        for (int k = 0; k < NODES; k++)
            nodes += k != n->me && n->has[k] >= i;
        if (nodes > NODES / 2 && n->log[i] == n->term) {
            commit(n, i);
            break;
        }
    }
    int fit = 1;
    for (int k = 0; k < NODES; k++)
        fit &= k == n->me || n->has[k] == n->last;
    if (fit && n->term > 1)
        sennit_cold(&progress);
    replicate(n, from);
}

static int is_behind(const Node *n, const Message *m)
{
#ifdef WRONG
    (void)n, (void)m;
    return 0;
#else
    return m->entry < n->log[n->last] || (m->entry == n->log[n->last] && m->index < n->last);
#endif
}

static void handle(Node *n, int from, int tag, const Message *m)
{
    see_term(n, m->term);
    switch (tag) {
    case APPEND:
    case SNAPSHOT: accept(n, from, m, tag == SNAPSHOT); break;
    case ACCEPT:
        if (n->leads && m->term == n->term)
            count(n, from, m->index);
        break;
    case REFUSE:
#ifndef STUCK
        if (n->leads && m->term == n->term) {
            n->has[from] = (signed char)(m->index > 0 ? m->index - 1 : 0);
            replicate(n, from);
        }
#endif
        break;
    case STAND:
        n->term++;
        n->leads = 0;
        n->voted = 1;
        n->votes = 1;
        for (int i = 0; i < NODES; i++)
            if (i != n->me)
                send(i, ASK, (Message){.term = n->term, .index = n->last, .entry = n->log[n->last]});
        break;
    case ASK:
        if (m->term == n->term && !n->voted && !is_behind(n, m)) {
            n->voted = 1;
            send(from, VOTE, (Message){.term = n->term});
        }
        break;
    default:
        if (m->term == n->term && !n->leads && ++n->votes > NODES / 2) {
            n->leads = 1;
            for (int i = 0; i < NODES; i++)
                n->has[i] = n->last;
            sennit_hot(&progress);
            add_entry(n);
        }
    }
}

static int number_of(sennit_pid pid)
{
    for (int i = 0; i < NODES; i++)
        if (pids[i] == pid)
            return i;
    return NODES;
}

static void run_node(void *argument)
{
    Node n = {.me = (signed char)(size_t)argument, .term = 1, .voted = 1};
    sennit_daemon();
    if (n.me == 0) {
        n.leads = 1;
        add_entry(&n);
    } else if (n.me == 1) {
        send(1, STAND, (Message){0});
    }
    for (;;) {
        Message m;
        memset(&m, 0, sizeof m);
        int from = number_of(sennit_receive(&m, sizeof m));
        handle(&n, from, sennit_message_tag(), &m);
    }
}

int main(void)
{
    static const char *const names[] = {"n0", "n1", "n2"};
    for (int i = 0; i < NODES; i++)
        pids[i] = sennit_spawn(names[i], run_node, (void *)(size_t)i);
    sennit_run();
}
