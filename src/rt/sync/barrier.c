/* barrier.c - see barrier.h
 *
 * Three resources: the barrier itself (read by arrivals, written by its destruction); for each
 * name of rounds, the number of arrivals (arrivals accumulate, leaving is guarded by it); and,
 * if the program asks for serial threads, for each name their number (the first to leave a round
 * writes, the others read). Leaving one round does not depend on arriving at the next.
 */
#include "rt/sync/barrier.h"

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/kernel/transient.h"
#include "rt/sync/plain.h"

struct BarrierRound {
    BarrierRound *before;
    uint32_t number;
    uint32_t count;       /* arrivals                                               */
    int64_t full;         /* value of `arrived` when all have arrived               */
    int64_t nth_serial;   /* value of `serial` before the first one leaves          */
    struct {
        AgentId agent;
        uint32_t clock;
    } arrivals[];         /* for the race detector                                  */
};

/* ---- The object ------------------------------------------------------------- */

static unsigned name_of(const BarrierRound *round)
{
    return round->number % BARRIER_NAMES;
}

/* The names of rounds lie above the address bits. */
static uint64_t arrivals_resource(const Barrier *barrier, const BarrierRound *round)
{
    return barrier->resource + ((uint64_t)(name_of(round) + 1) << 48);
}

static uint64_t serial_resource(const Barrier *barrier, const BarrierRound *round)
{
    return barrier->resource + ((uint64_t)(name_of(round) + 1 + BARRIER_NAMES) << 48);
}

/* Each round has its own point of synchronisation. */
static uint64_t point_of(const Barrier *barrier, const BarrierRound *round)
{
    return barrier->resource + (round->number + 1) * 0x9e3779b97f4a7c15ull;
}

/* Defined by programs in which some call uses the result of pthread_barrier_wait. */
extern const char sennit_asks_serial __attribute__((weak));

static bool asks_serial(void)
{
    return &sennit_asks_serial != NULL;
}

static bool is_ordered(const Barrier *barrier)
{
    return rt.options.barriers_ordered || barrier->threads < 2 || (barrier->threads == 2 && asks_serial());
}

static void begin_round(Barrier *barrier, uint32_t number)
{
    BarrierRound *round = transient_alloc(sizeof *round + barrier->threads * sizeof round->arrivals[0]);
    round->before = barrier->round;
    round->number = number;
    round->full = barrier->arrived[name_of(round)] + barrier->threads;
    round->nth_serial = barrier->serial[name_of(round)];
    barrier->round = round;
    if (round->before)
        round->before->before = NULL; /* one previous round is enough */
}

static void begin(Barrier *barrier, unsigned threads)
{
    barrier->threads = threads;
    barrier->state = 0;
    begin_round(barrier, barrier->round ? barrier->round->number + 1 : 0);
}

static void remember_object(void *state, const void *object)
{
    ((Barrier *)state)->resource = resource_of(RES_BARRIER, object);
}

/* For an object initialised by uninstrumented code: glibc keeps the count in the third word. */
static void read_object(void *state, const void *object)
{
    unsigned threads = ((const uint32_t *)object)[2];
    remember_object(state, object);
    if (threads == 0 || threads > INT32_MAX)
        misuse_report("uses", "barrier", resource_of(RES_BARRIER, object), "which was never initialised", NULL);
    begin(state, threads);
}

Barrier *barrier_of(pthread_barrier_t *object)
{
    sync_check_room(object, ROOM_BARRIER);
    plain_use(object, 1);
    return object_state(RES_BARRIER, object, sizeof(Barrier), read_object);
}

/* A step only if the object is known, for the reason given at lock_init. */
int barrier_init(pthread_barrier_t *object, unsigned threads)
{
    if (threads == 0 || threads > INT32_MAX)
        return EINVAL;
    sync_check_room(object, ROOM_BARRIER);
    plain_overwrite(object, 1);
    Barrier *barrier = object_find(RES_BARRIER, object);
    if (barrier) {
        step_begin(OP_LOCK_INIT, barrier->resource);
        step_wait();
        step_value(0, barrier->state, 0);
    } else {
        barrier = object_state(RES_BARRIER, object, sizeof *barrier, remember_object);
    }
    begin(barrier, threads);
    return 0;
}

static void check_alive(Barrier *barrier)
{
    if (barrier->state >= 0)
        return;
    step_value(0, barrier->state, barrier->state);
    misuse_report("uses", "barrier", barrier->resource, "after it was destroyed", &barrier->last);
}

int barrier_destroy(Barrier *barrier)
{
    step_begin(OP_LOCK_DESTROY, barrier->resource);
    step_wait();
    check_alive(barrier);
    step_value(0, barrier->state, barrier->state);
    if (barrier->round->count > 0)
        misuse_report("destroys", "barrier", barrier->resource, "at which threads wait", NULL);
    step_value(0, barrier->state, -1);
    barrier->state = -1;
    barrier->last = misuse_witness();
    step_done();
    return 0;
}

/* ---- Arriving --------------------------------------------------------------- */

/* Does everything in the previous round happen before this arrival? */
static bool is_after(const BarrierRound *before)
{
    for (uint32_t i = 0; before && i < before->count; i++)
        if (!race_ordered(before->arrivals[i].agent, before->arrivals[i].clock))
            return false;
    return true;
}

/* The arrival must be ordered after the previous round, so that its own round does not depend on
 * the order of arrivals. */
static void check_round(const Barrier *barrier, const BarrierRound *round)
{
    bool took_part = agent_table_get(&barrier->joined, thread_self()) == round->number;
    if (!took_part && !is_after(round->before))
        report_refused("a barrier used by more threads than it counts needs --barriers=ordered");
}

static BarrierRound *join_round(Barrier *barrier)
{
    BarrierRound *round = barrier->round;
    int64_t *arrived = &barrier->arrived[name_of(round)];
    step_value(1, *arrived, *arrived + 1);
    ++*arrived;
    round->arrivals[round->count].agent = thread_self();
    round->arrivals[round->count++].clock = race_now();
    *agent_table_at(&barrier->joined, thread_self()) = round->number + 1;
    race_release(point_of(barrier, round));
    if (round->count == barrier->threads)
        begin_round(barrier, round->number + 1);
    return round;
}

/* The barrier's value determines the round, so it is known when the step runs. */
static BarrierRound *arrive_ordered(Barrier *barrier)
{
    step_begin(OP_BARRIER_ARRIVE, barrier->resource);
    step_opaque();
    step_wait();
    check_alive(barrier);
    step_value(0, barrier->state, barrier->state + 1);
    barrier->state++;
    step_touch(arrivals_resource(barrier, barrier->round), MODE_ACCUMULATE);
    return join_round(barrier);
}

/* What happened before determines the round, so it is known when the step is announced. */
static BarrierRound *arrive(Barrier *barrier)
{
    step_begin(OP_BARRIER_ARRIVE, barrier->resource)->mode = MODE_READ;
    step_touch(arrivals_resource(barrier, barrier->round), MODE_ACCUMULATE);
    step_wait();
    check_alive(barrier);
    check_round(barrier, barrier->round);
    step_value(0, barrier->state, barrier->state);
    return join_round(barrier);
}

/* ---- Leaving ------------------------------------------------------------------ */

/* Whether any thread has left the round before. */
static bool is_first(Barrier *barrier, const BarrierRound *round)
{
    int64_t *serial = &barrier->serial[name_of(round)];
    bool first = *serial == round->nth_serial;
    step_mode(1, first ? MODE_WRITE : MODE_READ);
    step_value(1, *serial, *serial + first);
    *serial += first;
    return first;
}

/* True for the serial thread. */
static bool leave(Barrier *barrier, BarrierRound *round)
{
    bool may_be_serial = !is_ordered(barrier) && asks_serial();
    Access *access = step_begin(OP_BARRIER_LEAVE, arrivals_resource(barrier, round));
    access->mode = MODE_READ;
    step_guard(access, &barrier->arrived[name_of(round)], REL_SGE, round->full);
    if (may_be_serial)
        step_switch(step_touch(serial_resource(barrier, round), MODE_READ), REL_EQ, round->nth_serial, MODE_WRITE,
                    MODE_READ);
    step_wait();
    step_value(0, barrier->arrived[name_of(round)], barrier->arrived[name_of(round)]);
    bool serial = may_be_serial && is_first(barrier, round);
    race_acquire(point_of(barrier, round));
    return serial;
}

int barrier_wait(Barrier *barrier)
{
    const SennitSite *site = sennit_rt_site;
    BarrierRound *round = is_ordered(barrier) ? arrive_ordered(barrier) : arrive(barrier);
    bool serial = is_ordered(barrier) && round->count == barrier->threads;
    if (serial)
        race_acquire(point_of(barrier, round));
    step_done();
    if (!serial) {
        sennit_rt_site = site;
        serial = leave(barrier, round);
        step_done();
    }
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
