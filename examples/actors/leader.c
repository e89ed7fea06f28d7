/* leader.c - election of a leader in a ring (Dolev, Klawe, Rodeh)
 *
 * litmus: -DN=3 --channels=fifo -> executions 9
 * litmus: -DN=4 --channels=fifo -> executions 22
 * litmus: -DN=5 --channels=fifo -> executions 50
 * litmus: -DN=3 --channels=fifo --reduction=none -> executions 387
 * litmus: -DN=3 --reduction=dcute -> executions 9 verdict any
 * litmus: -DN=4 --reduction=dcute -> executions 22 verdict any
 * litmus: -DN=3 -DNO_QUEUES --reduction=dcute --max-execs=5 -> executions 5 verdict any bugs assertion exit 1
 * litmus: -DN=3 --channels=bag --max-execs=500 -> executions any verdict any bugs assertion exit 1
 *
 * Each process sends its number to the next one, and receives that of the one before; an
 * active process passes that on. It stays active, with its neighbour's number, if that is
 * larger than its own and than the one before it. The numbers are inputs, all different:
 * executions in which two are equal end at once (3 of the 9 for three processes). In the end
 * exactly one process is active. The program needs channels that keep their order: over a
 * network that does not (--channels=bag) it elects no leader, or two. With delay flags
 * (--reduction=dcute) it is -DNO_QUEUES that lets messages overtake each other: the search
 * begins with inputs 0, 0, 0 and fails in its fifth execution.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>

#ifndef N
#define N 3
#endif

typedef struct Note {
    int round;  /* 1: my number; 2: my neighbour's */
    int number;
} Note;
SENNIT_MSG(Note, SENNIT_FIELD(Note, round), SENNIT_FIELD(Note, number));

typedef struct Process {
    sennit_pid next;
    int number;
    int active;
} Process;

static Process ring[N];

static void tell(const Process *self, int round, int number)
{
    Note note = {round, number};
#ifdef NO_QUEUES
    sennit_send(self->next, &note, sizeof note);
#else
    sennit_send_on(self->next, 0, &note, sizeof note);
#endif
}

static void run_process(void *argument)
{
    Process *self = argument;
    int maximum = self->number, neighbour = 0;
    sennit_daemon();
    tell(self, 1, maximum);
    for (;;) {
        Note note;
        sennit_receive(&note, sizeof note);
        if (!self->active) {
            tell(self, note.round, note.number);
        } else if (note.round == 1) {
            if (note.number == maximum)
                sennit_exit(); /* it went round the ring: elected */
            neighbour = note.number;
            tell(self, 2, note.number);
        } else if (neighbour > note.number && neighbour > maximum) {
            maximum = neighbour;
            tell(self, 1, maximum);
        } else {
            self->active = 0;
        }
    }
}

int main(void)
{
    static const char *const names[] = {"p0", "p1", "p2", "p3", "p4"};
    sennit_pid pids[N];
    int leaders = 0;
    for (int i = 0; i < N; i++) {
        ring[i].number = sennit_int(names[i]);
        ring[i].active = 1;
        for (int k = 0; k < i; k++)
            if (ring[i].number == ring[k].number)
                return 0; /* numbers must be different */
    }
    for (int i = 0; i < N; i++)
        pids[i] = sennit_spawn(names[i], run_process, &ring[i]);
    for (int i = 0; i < N; i++)
        ring[i].next = pids[(i + 1) % N];
    sennit_run();
    for (int i = 0; i < N; i++)
        leaders += ring[i].active;
    assert(leaders == 1);
    return 0;
}
