/* program.c - a toy program as a program under test; see weak.h and core/program.h
 *
 * Atomic operations are weak steps under every memory model, also under MEMORY_SC: the search by graphs must tell
 * consistent from inconsistent choices by itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weak.h"

/* ---- Resources ----------------------------------------------------------------- */

enum { KIND_MEMORY = 1, KIND_STRONG };

/* Two locations share a word: they differ in their lanes. */
static uint64_t location_resource(unsigned x)
{
    return (uint64_t)KIND_MEMORY << 56 | (x < 2 ? 0 : x) * 8u;
}
static uint8_t location_lanes(unsigned x)
{
    return x == 0 ? 0x0f : x == 1 ? 0xf0 : LANES_ALL;
}
static uint64_t strong_resource(unsigned r)
{
    return (uint64_t)KIND_STRONG << 56 | r;
}

/* ---- Footprints ------------------------------------------------------------------ */

typedef struct Pending {
    Access access[3 * TERMS]; /* a term, and what it acquires and releases */
    unsigned count;
    uint16_t flags;
} Pending;

static Access *touch(Pending *p, uint64_t resource, uint8_t lanes, Mode mode, Order order)
{
    Access *access = &p->access[p->count++];
    *access = (Access){
        .resource = resource, .mode = (uint8_t)mode, .lanes = lanes, .mask = UINT64_MAX, .order = (uint8_t)order};
    return access;
}

static void guard(Access *access, Relation relation, int64_t operand)
{
    access->role = ROLE_GUARD;
    access->relation = (uint8_t)relation;
    access->operand = operand;
}

static void switch_on(Access *access, Relation relation, int64_t operand, Mode yes, Mode no)
{
    access->role = ROLE_SWITCH;
    access->relation = (uint8_t)relation;
    access->operand = operand;
    access->mode_then = (uint8_t)yes;
    access->mode_else = (uint8_t)no;
}

static void announce_weak(const Ins *ins, Pending *p)
{
    bool reads = ins->kind == INS_LOAD || ins->kind == INS_AWAIT;
    Access *access =
        touch(p, location_resource(ins->x), location_lanes(ins->x), reads ? MODE_READ : MODE_WRITE, (Order)ins->order);
    if (ins_awaits(ins))
        guard(access, ins->differs ? REL_NE : REL_EQ, ins->c);
    else if (ins->kind == INS_CAS)
        switch_on(access, REL_EQ, ins->c, MODE_WRITE, MODE_READ);
    if (!reads && ins->kind != INS_STORE)
        access->order |= ORDER_UPDATES;
    if (ins->kind == INS_CAS)
        access->order = (uint8_t)(access->order | ins->failed << 4 | (ins->weak ? ORDER_MAY_FAIL : 0));
}

static void announce_sync(const Term *term, Pending *p)
{
    if (term->sync & SYNC_ACQUIRE)
        touch(p, strong_resource(term->resource), LANES_ALL, MODE_NONE, ORDER_ACQUIRE);
    if (term->sync & SYNC_RELEASE)
        touch(p, strong_resource(term->resource), LANES_ALL, MODE_NONE, ORDER_RELEASE);
}

static void announce_strong(const Ins *ins, Pending *p)
{
    for (unsigned i = 0; i < ins->terms; i++) {
        const Term *term = &ins->term[i];
        Access *access =
            touch(p, strong_resource(term->resource), LANES_ALL, term_mode(ins, i, true), ORDER_STRONG);
        if (ins->kind == INS_TRY)
            switch_on(access, (Relation)term->relation, term->operand, term_mode(ins, i, true), MODE_READ);
        else if (ins->sum)
            guard(access, REL_PROGRAM, ins->c);
        else if (term->relation != REL_TRUE)
            guard(access, (Relation)term->relation, term->operand);
    }
    for (unsigned i = 0; i < ins->terms; i++)
        announce_sync(&ins->term[i], p);
    bool decides = ins->kind == INS_CHOOSE || (ins->asks && ins->term[0].relation != REL_TRUE); /* DEP-5 */
    p->flags = ins->any ? EVENT_GUARD_ANY : decides ? EVENT_OPAQUE : 0;
}

static void announce(const Ins *ins, Pending *p)
{
    p->count = p->flags = 0;
    if (ins_is_weak(ins))
        announce_weak(ins, p);
    else if (ins->kind == INS_FENCE)
        touch(p, 0, LANES_ALL, MODE_NONE, (Order)ins->order);
    else if (ins->kind == INS_BRANCH || (ins->kind == INS_CHOOSE && !ins->terms))
        p->flags = EVENT_FIXED;
    else if (ins->kind != INS_SPAWN)
        announce_strong(ins, p);
}

/* ---- State ------------------------------------------------------------------------- */

static int8_t last_write(const Toy *toy, unsigned x)
{
    return toy->written[x][toy->writes[x] - 1];
}

/* Whether the pending step may run if it reads the write `behind` the last one. */
static bool is_enabled(const Toy *toy, AgentId a, uint32_t behind)
{
    if (a >= toy->code.threads || !toy->thread[a].exists || toy->thread[a].ended)
        return false;
    const Ins *ins = thread_next(&toy->code, a, &toy->thread[a]);
    if (ins_awaits(ins))
        return !execution_holds(toy->ex, a, toy->ex->agents[a].steps) && behind < toy->writes[ins->x] &&
               ins_may_read(ins, toy->written[ins->x][toy->writes[ins->x] - 1 - behind]);
    return ins->kind == INS_TRY || terms_hold(ins, toy->value);
}

static void start(Toy *toy, Execution *ex)
{
    memset(toy->thread, 0, sizeof toy->thread);
    memcpy(toy->value, toy->code.initial, sizeof toy->value);
    for (unsigned x = 0; x < LOCATIONS; x++) {
        toy->writes[x] = 1;
        toy->written[x][0] = 0;
    }
    toy->inputs = inputs_all(&toy->code);
    ex->agent_count = toy->code.threads;
    for (AgentId a = 0; a < toy->code.threads; a++) {
        ex->agents[a] = (Agent){.creator = AGENT_NONE};
        if (a < toy->code.roots)
            thread_start(&toy->code, a, &toy->thread[a]);
    }
}

/* ---- Inputs -------------------------------------------------------------------------- */

static uint32_t literal_set(Literal literal)
{
    return literal.taken ? ~literal.condition : literal.condition;
}

static bool feasible(Program *program, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                     uint32_t clauses)
{
    uint32_t set = inputs_all(&((Toy *)program)->code);
    for (uint32_t i = 0; i < count; i++)
        set &= literal_set(all[i]);
    for (uint32_t k = 0; k < clauses; k++) {
        uint32_t served = UINT32_MAX;
        for (uint32_t i = k ? ends[k - 1] : 0; i < ends[k]; i++)
            served &= literal_set(any[i]);
        set &= ~served;
    }
    return set != 0;
}

/* An execution runs with one valuation: here the smallest that the plan's conditions allow. */
static void solve_plan(Toy *toy, const Execution *ex)
{
    uint32_t set = toy->inputs;
    const PlanStep *last = ex->plan_length ? &ex->plan[ex->plan_length - 1] : NULL;
    for (uint32_t c = 0; last && c < last->first_choice + last->choice_count; c++)
        if (ex->plan_choices[c].condition)
            set &= literal_set(ex->plan_choices[c]);
    toy->inputs = set ? set & -set : 1;
}

/* ---- Steps ------------------------------------------------------------------------------ */

/* A weak step; false if the planned write does not exist or does not let it run. */
static bool run_weak(Toy *toy, Execution *ex, const Ins *ins, const Thread *thread, Access *access, int64_t *value)
{
    unsigned x = ins->x, writes = toy->writes[x];
    uint32_t behind = execution_choose(ex, writes);
    if (behind >= writes || writes == MAX_WRITES)
        return false;
    unsigned at = writes - 1 - behind;
    access->before = access->after = *value = toy->written[x][at];
    if (!ins_may_read(ins, *value))
        return false;
    if (access->role == ROLE_SWITCH)
        access->mode = access_condition_holds(access, *value) ? access->mode_then : access->mode_else;
    if (ins->weak && access->mode == MODE_WRITE && execution_choose(ex, 2) == 1)
        access->mode = MODE_READ;
    if (access->mode == MODE_READ)
        return true;
    access->after = ins->kind == INS_STORE ? thread_stored(ins, thread)
                    : ins->kind == INS_ADD ? *value + ins->c
                                           : ins->d;
    memmove(&toy->written[x][at + 2], &toy->written[x][at + 1], writes - at - 1);
    toy->written[x][at + 1] = (int8_t)access->after;
    toy->writes[x]++;
    return true;
}

static void run_strong(Toy *toy, const Ins *ins, Access *accesses, unsigned count, int64_t *value)
{
    bool holds = terms_hold(ins, toy->value);
    *value = ins->kind == INS_TRY ? holds : toy->value[ins->term[0].resource];
    for (unsigned i = 0; i < ins->terms; i++)
        accesses[i].before = toy->value[ins->term[i].resource];
    for (unsigned i = 0; i < ins->terms && holds; i++)
        term_apply(&ins->term[i], toy->value);
    for (unsigned i = 0; i < ins->terms; i++)
        accesses[i].after = toy->value[ins->term[i].resource];
    if (ins->kind != INS_TRY)
        return;
    accesses[0].mode = holds ? accesses[0].mode_then : accesses[0].mode_else;
    for (unsigned i = ins->terms; i < count && !holds; i++)
        accesses[i].order = ORDER_STRONG; /* it synchronises nothing */
}

/* False if the inputs do not lead along the plan. */
static bool run_branch(Toy *toy, Execution *ex, const Ins *ins, int64_t *value)
{
    uint32_t condition = ins_condition(ins, *value);
    *value = condition >> __builtin_ctz(toy->inputs) & 1;
    return execution_branch(ex, condition, !*value);
}

static bool step(Toy *toy, Execution *ex, AgentId a)
{
    Pending p;
    Thread *thread = &toy->thread[a];
    const Ins *ins = thread_next(&toy->code, a, thread);
    int64_t value = 0;
    announce(ins, &p);
    Event *event = execution_add_event(ex, a, ins->kind, thread->pc);
    event->flags = p.flags;
    Access *accesses = &ex->accesses[event->first_access];
    for (unsigned n = 0; n < p.count; n++)
        *execution_add_access(ex) = p.access[n];
    if (ins_is_weak(ins)) {
        if (!run_weak(toy, ex, ins, thread, accesses, &value))
            return false;
    } else if (ins->kind == INS_SPAWN) {
        ex->agents[ins->c] = (Agent){.creator = a, .creator_step = event->index};
        thread_start(&toy->code, (unsigned)ins->c, &toy->thread[ins->c]);
    } else if (ins->terms) {
        run_strong(toy, ins, accesses, p.count, &value);
    }
    if ((ins->asks || ins->kind == INS_BRANCH) && !run_branch(toy, ex, ins, &value))
        return false;
    if (ins->kind == INS_CHOOSE && (value = execution_choose(ex, ins_options(ins, value))) == UINT32_MAX)
        return false;
    thread_step(&toy->code, a, thread, value);
    ex->assumed_away += thread->stopped;
    return true;
}

/* ---- The program contract ------------------------------------------------------------------ */

static AgentId default_policy(const Toy *toy, AgentId current)
{
    if (current != AGENT_NONE && is_enabled(toy, current, 0))
        return current;
    for (AgentId a = 0; a < toy->code.threads; a++)
        if (is_enabled(toy, a, 0))
            return a;
    return AGENT_NONE;
}

static int64_t held(const Toy *toy, const Ins *ins, unsigned n)
{
    if (ins_is_weak(ins))
        return last_write(toy, ins->x);
    return n < ins->terms ? toy->value[ins->term[n].resource] : 0;
}

static void list_blocked(const Toy *toy, Execution *ex)
{
    for (AgentId a = 0; a < toy->code.threads; a++) {
        if (!toy->thread[a].exists || toy->thread[a].ended || is_enabled(toy, a, 0))
            continue;
        const Ins *ins = thread_next(&toy->code, a, &toy->thread[a]);
        Pending p;
        announce(ins, &p);
        ex->blocked[ex->blocked_count++] = (Blocked){.agent = a,
                                                     .first_access = ex->access_count,
                                                     .access_count = (uint16_t)p.count,
                                                     .op = ins->kind,
                                                     .flags = p.flags,
                                                     .site = toy->thread[a].pc};
        for (unsigned n = 0; n < p.count; n++) {
            p.access[n].before = p.access[n].after = held(toy, ins, n);
            ex->accesses[ex->access_count++] = p.access[n];
        }
    }
}

/* WEAK-6 */
static bool holds_up(Toy *toy, Execution *ex)
{
    bool enabled = false;
    uint32_t count = ex->held_count;
    for (uint32_t i = 0; i < count; i++) {
        ex->held_count = 0;
        enabled = enabled || is_enabled(toy, ex->held[i].agent, 0);
        ex->held_count = count;
    }
    return enabled;
}

static void diverge(Execution *ex, uint32_t at)
{
    ex->end = END_DIVERGED;
    ex->diverged_at = at;
}

/* Does it wait for a value? (WEAK-3) */
static bool waits(const Toy *toy, AgentId a)
{
    return toy->ex->memory != MEMORY_SC && a < toy->code.threads && toy->thread[a].exists && !toy->thread[a].ended &&
           ins_awaits(thread_next(&toy->code, a, &toy->thread[a])) && !is_enabled(toy, a, 0);
}

static bool some_waits(const Toy *toy)
{
    for (AgentId a = 0; a < toy->code.threads; a++)
        if (waits(toy, a))
            return true;
    return false;
}

/* The next agent; AGENT_NONE if the execution has ended, with ex->end set. */
static AgentId choose_agent(Toy *toy, Execution *ex, AgentId current)
{
    AgentId next = default_policy(toy, current);
    if (ex->event_count < ex->plan_length) {
        const PlanStep *planned = &ex->plan[ex->event_count];
        uint32_t behind = planned->choice_count ? ex->plan_choices[planned->first_choice].taken : 0;
        if (is_enabled(toy, planned->agent, behind) || (!planned->choice_count && ex->picker && waits(toy, planned->agent)))
            return planned->agent;
        diverge(ex, ex->event_count);
        return AGENT_NONE;
    }
    ex->end = ex->stop_after_plan ? END_PLANNED : END_COMPLETE;
    if (ex->stop_after_plan || (next == AGENT_NONE && !(ex->picker && some_waits(toy))))
        return AGENT_NONE;
    bool enabled = next != AGENT_NONE;
    if (ex->picker && (next = ex->picker->pick(ex->picker, ex, current)) == AGENT_NONE && enabled)
        ex->end = END_ABANDONED;
    return next;
}

static void run(Program *program, Execution *ex)
{
    Toy *toy = (Toy *)program;
    AgentId current = AGENT_NONE, next;
    toy->ex = ex;
    start(toy, ex);
    solve_plan(toy, ex);
    while ((next = choose_agent(toy, ex, current)) != AGENT_NONE) {
        bool preempts = current != AGENT_NONE && next != current && is_enabled(toy, current, 0);
        if (!step(toy, ex, next)) {
            diverge(ex, ex->event_count - 1);
            return;
        }
        if (preempts)
            ex->events[ex->event_count - 1].flags |= EVENT_PREEMPTS;
        current = next;
    }
    if (ex->end == END_COMPLETE || ex->end == END_ABANDONED)
        list_blocked(toy, ex);
    if (ex->end == END_COMPLETE && holds_up(toy, ex))
        ex->end = END_ABANDONED;
}

static bool ops_enabled(Program *program, AgentId agent)
{
    return is_enabled((Toy *)program, agent, 0);
}

static bool ops_waits(Program *program, AgentId agent, Access *guard)
{
    const Toy *toy = (Toy *)program;
    Pending p;
    if (!waits(toy, agent))
        return false;
    announce(thread_next(&toy->code, agent, &toy->thread[agent]), &p);
    *guard = p.access[0];
    return true;
}

static bool ops_guard_holds(Program *program, uint64_t guard, const int64_t *values, uint32_t count)
{
    int64_t sum = 0;
    (void)program;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum >= (int64_t)guard;
}

/* Of updates that do not wait; the search runs the others. */
static bool ops_written(Program *program, const Execution *ex, uint32_t event, int64_t read, int64_t *value)
{
    const Event *step = &ex->events[event];
    const Ins *ins = code_ins(&((Toy *)program)->code, step->agent, (unsigned)step->site);
    *value = ins->kind == INS_ADD ? read + ins->c : ins->d;
    return ins->kind == INS_ADD || ins->kind == INS_CAS;
}

static void ops_agent_path(Program *program, AgentId agent, char *text, size_t size)
{
    (void)program;
    snprintf(text, size, "%u", agent);
}

static AgentId ops_agent_find(Program *program, const char *path)
{
    (void)program;
    return (AgentId)strtoul(path, NULL, 10);
}

static const ProgramOps ops = {.run = run,
                               .enabled = ops_enabled,
                               .waits = ops_waits,
                               .feasible = feasible,
                               .written = ops_written,
                               .guard_holds = ops_guard_holds,
                               .agent_path = ops_agent_path,
                               .agent_find = ops_agent_find};

void toy_init(Toy *toy)
{
    memset(toy, 0, sizeof *toy);
    toy->program.ops = &ops;
}
