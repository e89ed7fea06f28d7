/* barrier.c - see barrier.h
 *
 * RES_BARRIER with the object's address counts arrivals. Each round has a resource of its
 * own, the same address with the round's number above the address bits: the last arrival
 * writes it, the others wait for that. So leaving one round does not depend on arriving at
 * the next. The numbers repeat after 256 rounds; that orders steps that need no order, at
 * worst, since a round's guard is on its own value.
 */
#include "rt/barrier.h"

struct BarrierRound {
    int64_t open;
    int64_t time;
    uint32_t number;
    char point;            /* what its threads did is before what they do next */
};

static BarrierRound *make_round(uint32_t number)
{
    BarrierRound *round = run_alloc(sizeof *round);
    round->number = number;
    return round;
}

static void set_fresh(Barrier *barrier, unsigned threads)
{
    *barrier = (Barrier){.object = barrier->object, .threads = threads, .round = make_round(0)};
}

static uint64_t resource(const Barrier *barrier)
{
    return resource_of(RES_BARRIER, barrier->object);
}

/* An object initialised by code that ran before the program: glibc keeps the count in the
 * third word. */
static void read_object(void *state, const void *object)
{
    Barrier *barrier = state;
    barrier->object = object;
    set_fresh(barrier, ((const uint32_t *)object)[2]);
    if (barrier->threads == 0 || barrier->threads > INT32_MAX)
        misuse_report("uses", "barrier", resource(barrier), "which was never initialised", NULL);
}

static void remember_object(void *state, const void *object)
{
    ((Barrier *)state)->object = object;
}

static uint64_t round_resource(const Barrier *barrier, const BarrierRound *round)
{
    return resource(barrier) + ((uint64_t)((round->number & 0x7f) + 1) << 48);
}

Barrier *barrier_of(pthread_barrier_t *object)
{
    race_use(object, 1);
    return object_state(RES_BARRIER, object, sizeof(Barrier), read_object);
}

/* A step only if the object is known, for the reason given at lock_init. */
int barrier_init(pthread_barrier_t *object, unsigned threads)
{
    if (threads == 0 || threads > INT32_MAX)
        return EINVAL;
    race_overwrite(object, 1);
    Barrier *barrier = object_find(RES_BARRIER, object);
    if (barrier) {
        step_begin(OP_LOCK_INIT, resource(barrier));
        step_wait();
        step_value(0, barrier->arrived, 0);
    } else {
        barrier = object_state(RES_BARRIER, object, sizeof *barrier, remember_object);
    }
    set_fresh(barrier, threads);
    return 0;
}

static void check_alive(Barrier *barrier)
{
    if (!barrier->destroyed)
        return;
    step_value(0, barrier->arrived, barrier->arrived);
    misuse_report("uses", "barrier", resource(barrier), "after it was destroyed", &barrier->last);
}

int barrier_destroy(Barrier *barrier)
{
    step_begin(OP_LOCK_DESTROY, resource(barrier));
    step_wait();
    check_alive(barrier);
    step_value(0, barrier->arrived, barrier->arrived);
    if (barrier->arrived % barrier->threads != 0)
        misuse_report("destroys", "barrier", resource(barrier), "at which threads wait", NULL);
    barrier->destroyed = true;
    barrier->last = misuse_witness();
    step_done();
    return 0;
}

/* Inside the arrival step: the round is full. */
static void open_round(Barrier *barrier, BarrierRound *round)
{
    step_mode(0, MODE_WRITE);
    step_touch(round_resource(barrier, round), MODE_WRITE);
    step_value(1, 0, 1);
    round->open = 1;
    barrier->round = make_round(round->number + 1);
    sync_acquire(&round->time, &round->point);
}

static void await_round(Barrier *barrier, BarrierRound *round)
{
    Access *access = step_begin(OP_BARRIER_LEAVE, round_resource(barrier, round));
    access->mode = MODE_READ;
    step_guard(access, &round->open, REL_EQ, 1);
    step_wait();
    step_value(0, 1, 1);
    sync_acquire(&round->time, &round->point);
    step_done();
}

int barrier_wait(Barrier *barrier)
{
    const SennitSite *site = sennit_rt_site;
    step_begin(OP_BARRIER_ARRIVE, resource(barrier))->mode = MODE_ACCUMULATE;
    step_opaque();
    step_wait();
    check_alive(barrier);
    BarrierRound *round = barrier->round;
    step_value(0, barrier->arrived, barrier->arrived + 1);
    barrier->arrived++;
    sync_release(&round->time, &round->point);
    bool last = barrier->arrived % barrier->threads == 0;
    if (last)
        open_round(barrier, round);
    step_done();
    if (last)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    sennit_rt_site = site;
    await_round(barrier, round);
    return 0;
}
