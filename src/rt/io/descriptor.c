/* descriptor.c - see descriptor.h; and the ends (pipe.h) by their numbers
 *
 * Which of the ends that have had one number a thread finds is no step. It would depend on the schedule if another
 * thread used the number while its owner closes it and gets it again: that is rejected. Whether it is so follows from
 * what happens before what.
 */
#include "rt/io/descriptor.h"

#include <string.h>
#include <sys/select.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/net/socket.h"

enum {
    /* Of ends: of main, of other threads, and where these are not enough. */
    LOW_FIRST = 3, LOW_MAIN_END = 64, LOW_COUNT = 16, LOW_END = 512, ENDS_FIRST = 1 << 18, ENDS_COUNT = 32,
    /* Of files: of main and of other threads; below FD_SETSIZE as long as possible. */
    MAIN_COUNT = 320, OTHERS_FIRST = LOW_END + MAIN_COUNT, OTHERS_COUNT = 8, FAR_FIRST = 2048, FAR_COUNT = 64,
    MOST_TIMES = 255, /* that a number is given */
    MAX_TOGETHER = 100 /* ends that are closed in one step */
};

/* In names: low numbers of nodes, and of processes that fork has made. */
enum { NODES_FIRST = ENDS_FIRST + RT_SEATS * ENDS_COUNT, MOST_PROCESSES = 480 };

_Static_assert(NODES_FIRST + MOST_PROCESSES * LOW_END <= 1 << DESCRIPTOR_NUMBER_BITS, "every thread has numbers");

/* A thread that does not own the number has used the end. */
struct EndUser {
    EndUser *next;
    AgentId agent;
    uint32_t clock; /* the first time */
};

static struct {
    uint32_t run;            /* of the execution that this belongs to  */
    PipeEnd *ends[RT_NODES]; /* of the program or of each node: those that have their numbers, newest first */
    bool of_system[LOW_END]; /* see descriptor_keep                    */
} numbers;

/* ---- Numbers of files --------------------------------------------------------------------- */

/* The number of a thread's k-th file. */
static int number_of_file(AgentId strand, int k)
{
    if (strand == 0 && k < MAIN_COUNT)
        return LOW_END + k;
    int near = OTHERS_FIRST + ((int)strand - 1) * OTHERS_COUNT + k;
    if (strand && k < OTHERS_COUNT && near < FD_SETSIZE)
        return near;
    if (k >= FAR_COUNT)
        thread_cut(CUT_PIPES);
    return FAR_FIRST + (int)strand * FAR_COUNT + k;
}

int descriptor_new(void)
{
    int k = 0;
    while (open_file_occupies(number_of_file(rt.self->strand, k)))
        k++;
    return number_of_file(rt.self->strand, k);
}

int descriptor_keep(int descriptor)
{
    if (!rt.self && descriptor >= 0 && descriptor < LOW_END)
        numbers.of_system[descriptor] = true;
    return descriptor;
}

/* ---- Ends by their numbers ---------------------------------------------------------------- */

static PipeEnd **first_end(void)
{
    if (numbers.run != rt.execution)
        memset(numbers.ends, 0, sizeof numbers.ends);
    numbers.run = rt.execution;
    return &numbers.ends[node_self()];
}

static PipeEnd **find(int number)
{
    PipeEnd **at = first_end();
    while (*at && (*at)->descriptor != number)
        at = &(*at)->next;
    return at;
}

static _Noreturn void reject(void)
{
    report_not_modelled("a descriptor that a thread uses while another one closes it and gets its number again");
}

static void note_user(PipeEnd *end)
{
    for (const EndUser *user = end->users; user; user = user->next)
        if (user->agent == rt.self->strand)
            return;
    if (end->name >> DESCRIPTOR_NUMBER_BITS && !race_ordered(end->owner, end->made))
        reject();
    EndUser *user = transient_alloc(sizeof *user);
    *user = (EndUser){end->users, rt.self->strand, race_now()};
    end->users = user;
}

PipeEnd *pipe_find(int descriptor)
{
    PipeEnd *end = rt.self && descriptor >= LOW_FIRST ? *find(descriptor) : NULL;
    if (end && end->owner != rt.self->strand)
        note_user(end);
    return end;
}

/* In the order of their numbers, which follows from the histories of the node's threads. */
static PipeEnd *next_end(int after, bool sockets)
{
    PipeEnd *next = NULL;
    for (PipeEnd *end = *first_end(); end; end = end->next)
        if ((end->net || !sockets) && !end->left && end->descriptor > after &&
            (!next || end->descriptor < next->descriptor))
            next = end;
    return next;
}

void pipe_close_sockets(void)
{
    for (PipeEnd *end = next_end(-1, true); end; end = next_end(end->descriptor, true))
        if (!(end->net->file & FILE_CLOSED)) /* no other thread of the node uses sockets any more */
            pipe_close(end);
}

void pipe_close_all(void)
{
    PipeEnd *shared[MAX_TOGETHER];
    for (PipeEnd *end = next_end(-1, false); end;) {
        unsigned count = 0;
        for (; end && end->holders && count < MAX_TOGETHER; end = next_end(end->descriptor, false))
            shared[count++] = end;
        if (count) {
            pipe_close_together(shared, count);
            continue;
        }
        pipe_close(end);
        end = next_end(end->descriptor, false);
    }
}

void pipe_init(void)
{
    if (!node_count())
        node_keep(&numbers.ends[0], sizeof numbers.ends[0]);
}

void pipe_abandon_all(void)
{
    for (PipeEnd *end = *first_end(); end; end = end->next) {
        end->left = true;
        end->users = NULL;
    }
}

PipeEnd *pipe_find_polled(int descriptor)
{
    PipeEnd *end = pipe_find(descriptor);
    if (!end)
        sennit_rt_noise = 1;
    return end;
}

/* ---- Numbers of ends ---------------------------------------------------------------------- */

/* The number of a thread's k-th end. */
static int number_of_end(int k)
{
    int seat = (int)rt.self->seat, place = (int)rt.self->place;
    int first = place ? LOW_MAIN_END + (place - 1) * LOW_COUNT : LOW_FIRST;
    int count = place ? LOW_COUNT : LOW_MAIN_END - LOW_FIRST;
    if (first + count > LOW_END)
        count = 0;
    if (k < count)
        return first + k;
    if (k - count >= ENDS_COUNT || rt.self->process)
        thread_cut(CUT_PIPES);
    return ENDS_FIRST + seat * ENDS_COUNT + k - count;
}

/* May its owner, which is the running thread, get the number again? */
static bool is_free(const PipeEnd *end)
{
    if (!end->left || end->name >> DESCRIPTOR_NUMBER_BITS == MOST_TIMES)
        return false;
    bool ordered = !end->users;
    for (const EndUser *user = end->users; user && !ordered; user = user->next)
        ordered = race_ordered(user->agent, user->clock);
    if (!ordered)
        reject();
    return !end->users;
}

/* Low numbers exist once per node and process. */
static uint64_t name_of_number(int number, unsigned process)
{
    uint64_t owner = number < LOW_END ? process_bits_of(process, 0) : 0;
    return owner ? NODES_FIRST + (owner - 1) * LOW_END + (uint64_t)number : (uint64_t)number;
}

static unsigned number_of_name(uint64_t name) { return name & ((1u << DESCRIPTOR_NUMBER_BITS) - 1); }

unsigned descriptor_of_name(uint64_t name)
{
    unsigned number = number_of_name(name);
    return number < NODES_FIRST ? number : (number - NODES_FIRST) % LOW_END;
}

unsigned descriptor_node_of_name(uint64_t name)
{
    unsigned number = number_of_name(name);
    return number < NODES_FIRST || !node_count() ? 0 : 1 + (number - NODES_FIRST) / LOW_END;
}

PipeEnd *pipe_add_end(void)
{
    PipeEnd *end = transient_alloc(sizeof *end);
    for (int k = 0;; k++) {
        int number = number_of_end(k);
        PipeEnd **before = find(number);
        if ((*before && !is_free(*before)) || (number < LOW_END && numbers.of_system[number]))
            continue;
        uint64_t times = *before ? ((*before)->name >> DESCRIPTOR_NUMBER_BITS) + 1 : 0;
        if (*before)
            *before = (*before)->next;
        uint64_t name = times << DESCRIPTOR_NUMBER_BITS | name_of_number(number, process_self());
        *end = (PipeEnd){.descriptor = number, .name = name, .owner = rt.self->strand, .made = race_now(),
                         .next = *first_end()};
        return *first_end() = end;
    }
}

/* ---- Ends of several processes -------------------------------------------------------------------- */

/* Closed ones have no number in the new process. */
static bool is_inherited(const PipeEnd *end) { return !end->left; }

bool pipe_has_epoll(void)
{
    const PipeEnd *end = *first_end();
    while (end && (!end->epoll || end->left))
        end = end->next;
    return end;
}

static void add_holder(PipeEnd *end)
{
    if (!end->holders) {
        end->holders = transient_alloc(sizeof *end->holders);
        *end->holders = (EndHolders){.resource = resource_make(RES_HOLDERS, end->name), .count = 1};
    }
    end->holders->count++;
}

/* What the new process has from the beginning needs no order: whatever it does comes later. */
void pipe_fork(AgentId first, unsigned process)
{
    PipeEnd *end = *first_end(), **last = first_end();
    *last = NULL;
    for (; end; end = end->next) {
        if (!is_inherited(end))
            continue;
        add_holder(end);
        PipeEnd *copy = transient_alloc(sizeof *copy);
        *copy = *end;
        copy->name = name_of_number(end->descriptor, process);
        copy->owner = first;
        copy->made = 0;
        copy->inherited = true;
        copy->users = NULL;
        copy->next = NULL;
        *last = copy;
        last = &copy->next;
    }
}
