/* actor.c - the life of actors: spawn, wait, end; and of main among them
 *
 * The code of an actor continues as one message after another (scheduler_hand_over). What
 * belongs to the actor and not to the message (thread-local variables, its pthread record)
 * is saved on the actor's stack by the code that waits.
 */
#include "rt/actors/actor.h"

#include <string.h>

#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_mail.h"
#include "rt/actors/durable.h"
#include "rt/actors/fault_rule.h"
#include "rt/actors/link.h"
#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/kernel/coro.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/sync/sync.h"

static struct {
    Actor *first;
    bool active;    /* something was spawned or sent since the last sennit_run */
    bool held;      /* main has spawned actors that may not start yet          */
    int64_t runs;   /* value of RES_ACTOR_GO                                   */
} actors;

void actor_reset(void)
{
    actors.first = NULL;
    actors.active = actors.held = false;
    actors.runs = 0;
    actor_mail_reset();
    actor_fault_reset();
    fault_rule_reset();
    link_reset();
}

void actor_note_activity(void) { actors.active = true; }

static Actor *make_actor(AgentId agent)
{
    Actor *actor = transient_alloc(sizeof *actor);
    actor->agent = actor->running = agent;
    actor->next = actors.first;
    actors.first = actor;
    return actor;
}

Actor *actor_self(void)
{
    Thread *self = rt.self;
    if (UNLIKELY(!self->actor))
        self->actor = make_actor(self->id);
    return self->actor;
}

Actor *actor_find(sennit_pid pid)
{
    AgentId agent = pid ? seat_find(pid - 1) : AGENT_NONE;
    Actor *actor = agent == AGENT_NONE ? NULL : thread_get(agent)->actor;
    return actor && actor->agent == agent ? actor : NULL;
}

const Actor *actor_first(void) { return actors.first; }

void actor_add_state(Fingerprint *print)
{
    fingerprint_add(print, (uint64_t)actors.runs << 2 | (uint64_t)actors.active << 1 | actors.held);
    actor_mail_add_held(print);
}

/* ---- Where an actor stands ---------------------------------------------------------- */

static bool is_first_event(const Event *event) { return event->agent == rt.self->id && event->index == 0; }

/* The step that is running leaves the actor at `stand`. A macro-step of one event says so in
 * that event, whose access is the actor; code that took further steps takes one more, so that
 * no step's footprint depends on the code after it. (ACT-2) */
static void settle(Actor *actor, int64_t stand)
{
    Thread *self = rt.self;
    if (self->special)
        step_settle(self);
    const Event *event = step_event();
    if (is_first_event(event)) {
        rt.ex->accesses[event->first_access].after = stand;
    } else {
        step_begin(OP_ACTOR_READY, resource_make(RES_ACTOR, actor->agent));
        step_wait();
        step_value(0, STAND_BUSY, stand);
    }
    actor->stand = stand;
    self->children++; /* counts in its clock: what it did before is released */
    actor->clock = rt.agents[self->id].steps + self->children;
    race_release(resource_make(RES_ACTOR, actor->agent));
}

/* The steps that the actor may still take, after all that its agents took. */
static uint32_t steps_left(const Actor *actor)
{
    return rt.max_steps == UINT32_MAX ? UINT32_MAX : actor->steps < rt.max_steps ? rt.max_steps - actor->steps : 0;
}

/* Before it waits: there must be a step left to say where it stands, and one to continue with. */
static void check_bound(const Actor *actor)
{
    uint32_t taken = rt.agents[rt.self->id].steps;
    if (UNLIKELY(taken + !is_first_event(step_event()) >= steps_left(actor)))
        thread_cut(CUT_STEPS);
}

/* The step that wakes the actor has begun. */
static void wake(Actor *actor)
{
    Access *access = &rt.ex->accesses[step_event()->first_access];
    access->before = actor->stand;
    access->after = actor->stand = STAND_BUSY;
}

const Message *actor_wait(Actor *actor, int64_t stand)
{
    const SennitSite *site = sennit_rt_site;
    actor->site = site_name(site);
    check_bound(actor);
    settle(actor, stand);
    actor->steps += rt.agents[rt.self->id].steps;
    rt.waits_past_bound += actor->past_bound;
    Tls *tls = rt.self->tls;
    void *slot = rt.self->slot, *fpenv = rt.self->fpenv;
    actor->frame = rt.frame;
    actor->saved_errno = *rt.errno_location;
    scheduler_hand_over(&actor->context);
    rt.frame = actor->frame;
    rt.self->tls = tls;
    rt.self->slot = slot;
    rt.self->fpenv = fpenv;
    rt.waits_past_bound -= actor->past_bound;
    rt.self->max_steps = steps_left(actor);
    sennit_rt_site = site;
    step_event()->site = site_name(site);
    rt.self->children = rt.self->clock_base = actor->clock;
    race_log_acquire(resource_make(RES_ACTOR, rt.self->message->agent));
    race_acquire(resource_make(RES_ACTOR, actor->agent));
    wake(actor);
    actor->strong = false;
    actor->last = rt.self->message;
    actor->running = rt.self->id;
    return actor->last;
}

/* ---- Beginning and end ----------------------------------------------------------------- */

void actor_end(void)
{
    frame_end(FRAME_ACTOR_OVER, 0);
    settle(actor_self(), STAND_ENDED);
    scheduler_leave();
}

static void enter_again(void *argument)
{
    Actor *actor = argument;
    rt.frame.base = 0;
    frame_wipe();
    actor->restart(actor->restart_argument);
    actor_end();
}

void actor_crash_point(Actor *actor)
{
    if (!actor->is_actor || !actor_fault(FAULT_CRASH, actor, NULL, SENNIT_ANY_TAG))
        return;
    if (!actor->restart)
        actor_end();
    durable_restore(actor);
    actor->strong = false;
    actor_cancel_timers(actor);
    coro_jump(thread_context(actor->agent, enter_again, actor));
}

static void enter(void *argument)
{
    Actor *actor = argument;
    scheduler_begin(rt.self);
    wake(actor);
    if (step_event()->access_count > 1) {
        step_value(1, actors.runs, actors.runs);
        race_acquire(resource_make(RES_ACTOR_GO, 0));
    }
    frame_wipe();
    actor->body(actor->argument);
    actor_end();
}

sennit_pid actor_spawn(const char *name, void (*body)(void *argument), void *argument)
{
    AgentId agent = thread_number_child(thread_namer(rt.self));
    if (agent == AGENT_NONE)
        thread_cut(CUT_AGENTS);
    Actor *actor = make_actor(agent);
    Thread *thread = thread_register(agent, rt.self->id);
    Access start[] = {
        {.resource = resource_make(RES_ACTOR, agent), .mode = MODE_WRITE, .lanes = LANES_ALL},
        {.resource = resource_make(RES_ACTOR_GO, 0), .mode = MODE_READ, .lanes = LANES_ALL, .role = ROLE_GUARD,
         .relation = REL_SGT, .mask = UINT64_MAX, .operand = actors.runs}};
    bool held = !actor_self()->is_actor;
    actor->is_actor = true;
    actor->body = body;
    actor->argument = argument;
    strncpy(actor->name, name ? name : "actor", sizeof actor->name - 1);
    memcpy(rt.shared->agents[agent].name, actor->name, sizeof actor->name);
    actor_inherit(actor, actor_self());
    thread->actor = actor;
    seat_take(thread, thread_namer(rt.self));
    thread_clear_stack(agent);
    thread->context = thread_context(agent, enter, actor);
    race_log_create(agent);
    scheduler_make_pending(thread, OP_ACTOR_START, site_name(sennit_rt_site), start, 1 + held, &actors.runs);
    actors.held |= held;
    actor_note_activity();
    return actor_pid(agent);
}

static bool is_local(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    if (pending->op == OP_ACTOR_START || pending->op == OP_ACTOR_READY)
        return scheduler_is_enabled(thread);
    /* What an opaque step touches, like that of an atomic section, is not known yet. */
    return pending->count == 0 && !(pending->flags & (EVENT_QUIET | EVENT_OPAQUE)) && thread->actor &&
           thread->actor->is_actor;
}

AgentId actor_local_step(void)
{
    for (uint32_t word = 0; word * 64 < rt.ex->agent_count; word++)
        for (uint64_t bits = rt.pending[word]; bits; bits &= bits - 1) {
            AgentId agent = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (is_local(thread_get(agent)))
                return agent;
        }
    return AGENT_NONE;
}

/* ---- Main ------------------------------------------------------------------------------ */

/* Does it wait for a message? */
static bool waits(const Actor *actor)
{
    return actor->is_actor && actor->stand > STAND_ENDED;
}

/* Does its code wait for something other than a message? */
static bool is_blocked(const Actor *actor)
{
    return actor->is_actor && actor->stand == STAND_BUSY && thread_get(actor->running)->state == THREAD_PENDING;
}

/* Everything that all agents did happens before what the thread does next. */
static int acquire_all(void)
{
    int waiting = 0;
    for (Actor *actor = actors.first; actor; actor = actor->next) {
        if (!actor->is_actor)
            continue;
        race_log_acquire(resource_make(RES_ACTOR, actor->agent));
        actor->quiet_for = rt.self->strand;
        actor->quiet_clock = 2 * actor->clock + 1;
        waiting += waits(actor) && !actor->daemon;
        actor->waited = waits(actor) || is_blocked(actor) ? actor->stand : STAND_NEW;
        actor->waited_step = rt.ex->agents[actor->running].steps;
    }
    return waiting;
}

bool actor_held(void) { return actors.held; }

void actor_require_setup(const char *what)
{
    bool begun = rt.self->id != 0 || actors.runs;
    for (AgentId agent = 1; agent < rt.ex->agent_count && !begun; agent++) {
        const Thread *other = thread_get(agent);
        begun = other->state != THREAD_ABSENT && !actor_is_idle(other->pending.op);
    }
    if (begun)
        report_bug(BUG_MESSAGE_MISUSE, "%s: only main may call it, before threads and actors begin", what);
}

/* Actors that main spawned start when it calls sennit_run: until then main may store their
 * pids where all can read them. (ACT-6) */
static void start_actors(void)
{
    if (!actors.held)
        return;
    actors.held = false;
    step_begin(OP_ACTOR_GO, resource_make(RES_ACTOR_GO, 0));
    step_wait();
    step_value(0, actors.runs, actors.runs + 1);
    actors.runs++;
    race_release(resource_make(RES_ACTOR_GO, 0));
    step_done();
    actor_send_held(actor_self());
}

int actor_run(void)
{
    start_actors();
    step_begin(OP_ACTOR_RUN, 0);
    rt.announced.flags |= EVENT_QUIET;
    step_wait_slow(rt.self);
    actors.active = false;
    return acquire_all();
}

void actor_leave_main(void)
{
    if (actors.active)
        actor_run();
}

/* ---- The end --------------------------------------------------------------------------- */

static bool is_stuck(const Actor *actor)
{
    if (actor->waited != actor->stand || rt.cycle_found)
        return false;
    if (is_blocked(actor))
        return rt.ex->agents[actor->running].steps == actor->waited_step;
    return waits(actor) && !actor->daemon;
}

static uint64_t place_of(const Actor *actor)
{
    return is_blocked(actor) ? thread_get(actor->running)->pending.site : actor->site;
}

static void describe(Finding *finding, const Actor *actor, uint32_t count)
{
    char what[96], left[160] = "";
    if (is_blocked(actor)) {
        name_resource(thread_get(actor->running)->pending.accesses[0].resource, LANES_ALL, what, sizeof what);
    } else {
        actor_name_wanted(actor, what, sizeof what);
        actor_name_undelivered(actor, left, sizeof left);
    }
    snprintf(finding->text, sizeof finding->text, "%s waits forever for %s%s%s", actor->name, what, left,
             count > 1 ? ", and others too" : "");
}

void actor_check_end(void)
{
    Finding *finding = NULL;
    const Actor *shown = NULL;
    uint32_t count = 0;
    if (thread_end_unknown())
        return;
    for (const Actor *actor = actors.first; actor; actor = actor->next) {
        if (!is_stuck(actor))
            continue;
        if (!finding)
            finding = execution_add_finding(rt.ex, BUG_DEADLOCK);
        bug_add_agent(finding, is_blocked(actor) ? actor->running : actor->agent);
        bug_add_site(finding, place_of(actor));
        shown = actor;
        count++;
    }
    if (finding)
        describe(finding, shown, count);
}
