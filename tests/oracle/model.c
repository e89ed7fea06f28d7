/* model.c - see model.h */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Resources --------------------------------------------------------- */

enum { RES_WORD = 1, RES_LOCK, RES_RW, RES_SEM, RES_COND, RES_WOKEN, RES_END };

static uint64_t resource(unsigned kind, unsigned n) { return (uint64_t)kind << 56 | n; }

static unsigned lane_shift(uint8_t lanes) { return 8u * (unsigned)__builtin_ctz(lanes); }

static uint64_t lane_mask(uint8_t lanes)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < 8; i++)
        mask |= lanes >> i & 1 ? 0xffull << 8 * i : 0;
    return mask;
}

static int64_t word_get(const ModelState *state, unsigned x, uint8_t lanes)
{
    return (int64_t)((state->word[x] & lane_mask(lanes)) >> lane_shift(lanes));
}

static void word_set(ModelState *state, unsigned x, uint8_t lanes, int64_t value)
{
    uint64_t mask = lane_mask(lanes);
    state->word[x] = (state->word[x] & ~mask) | ((uint64_t)value << lane_shift(lanes) & mask);
}

/* The value that a guard on a resource looks at. */
static int64_t live_value(const ModelState *state, uint64_t res, uint8_t lanes)
{
    unsigned n = (unsigned)(res & 0xff);
    switch (res >> 56) {
    case RES_WORD: return word_get(state, n, lanes);
    case RES_LOCK: return state->lock[n];
    case RES_RW: return state->rw[n];
    case RES_SEM: return state->sem[n];
    case RES_COND: return state->waiting[n];
    case RES_WOKEN: return state->woken[n];
    default: return state->ended[n];
    }
}

/* ---- Footprints --------------------------------------------------------- */

typedef struct Pending {
    Access access[MAX_AWAIT + 1];
    unsigned count;
    uint16_t flags;
} Pending;

static Access *touch(Pending *p, uint64_t res, Mode mode)
{
    Access *access = &p->access[p->count++];
    *access = (Access){.resource = res, .mode = (uint8_t)mode, .lanes = LANES_ALL, .mask = UINT64_MAX};
    return access;
}

static Access *guard(Access *access, Relation relation, int64_t operand)
{
    access->role = ROLE_GUARD;
    access->relation = (uint8_t)relation;
    access->operand = operand;
    return access;
}

static void switch_on(Access *access, Relation relation, int64_t operand, Mode yes, Mode no)
{
    access->role = ROLE_SWITCH;
    access->relation = (uint8_t)relation;
    access->operand = operand;
    access->mode_then = (uint8_t)yes;
    access->mode_else = (uint8_t)no;
}

static Access *touch_lanes(Pending *p, unsigned x, uint8_t lanes, Mode mode)
{
    Access *access = touch(p, resource(RES_WORD, x), mode);
    access->lanes = lanes;
    return access;
}

static Access *touch_word(Pending *p, const Ins *i, Mode mode) { return touch_lanes(p, i->x, i->lanes, mode); }

static int64_t narrow(int64_t value, uint8_t lanes)
{
    return (int64_t)((uint64_t)value & lane_mask(lanes) >> lane_shift(lanes));
}

/* What the pending step of an agent announces: accesses, guards, conditions. */
static void announce(const ModelState *state, AgentId a, const Ins *i, Pending *p)
{
    p->count = p->flags = 0;
    switch ((InsKind)i->kind) {
    case INS_READ: touch_word(p, i, MODE_READ); break;
    case INS_WRITE: case INS_STORE: case INS_RMW: touch_word(p, i, MODE_WRITE); break;
    case INS_ADD: touch_word(p, i, MODE_ACCUMULATE); break;
    case INS_OR: touch_word(p, i, MODE_ACCUMULATE_OR)->operand = i->c; break;
    case INS_AND: touch_word(p, i, MODE_ACCUMULATE_AND)->operand = i->c; break;
    case INS_CAS: switch_on(touch_word(p, i, MODE_WRITE), REL_EQ, narrow(i->c, i->lanes), MODE_WRITE, MODE_READ); break;
    case INS_AWAIT_CAS: guard(touch_word(p, i, MODE_WRITE), REL_EQ, narrow(i->c, i->lanes)); break;
    case INS_AWAIT:
        for (unsigned t = 0; t < i->terms; t++) {
            Access *access = guard(touch(p, resource(RES_WORD, i->term[t].x), MODE_READ), (Relation)i->term[t].relation,
                                   narrow(i->term[t].c, i->term[t].lanes));
            access->lanes = i->term[t].lanes;
        }
        p->flags = i->any ? EVENT_GUARD_ANY : 0;
        break;
    case INS_LOCK: guard(touch(p, resource(RES_LOCK, i->x), MODE_WRITE), REL_EQ, 0); break;
    case INS_UNLOCK:
        if (state->lock[i->x] == a + 1)
            touch(p, resource(RES_LOCK, i->x), MODE_WRITE);
        break;
    case INS_TRYLOCK: switch_on(touch(p, resource(RES_LOCK, i->x), MODE_WRITE), REL_EQ, 0, MODE_WRITE, MODE_READ); break;
    case INS_WAIT: case INS_TIMEDWAIT:
        if (state->lock[i->y] == a + 1) {
            touch(p, resource(RES_LOCK, i->y), MODE_WRITE);
            touch(p, resource(RES_COND, i->x), MODE_WRITE);
        }
        break;
    case INS_REACQUIRE: /* d: timed */
        guard(touch(p, resource(RES_LOCK, i->y), MODE_WRITE), REL_EQ, 0);
        if (i->d)
            p->flags = EVENT_OPAQUE;
        else
            guard(touch(p, resource(RES_WOKEN, a), MODE_WRITE), REL_EQ, 1);
        if (i->d)
            touch(p, resource(RES_WOKEN, a), MODE_WRITE);
        break;
    case INS_SIGNAL: case INS_BROADCAST:
        touch(p, resource(RES_COND, i->x), MODE_WRITE);
        p->flags = EVENT_OPAQUE;
        break;
    case INS_P: guard(touch(p, resource(RES_SEM, i->x), MODE_WRITE), REL_SGT, 0); break;
    case INS_TRYP: switch_on(touch(p, resource(RES_SEM, i->x), MODE_WRITE), REL_SGT, 0, MODE_WRITE, MODE_READ); break;
    case INS_V: touch(p, resource(RES_SEM, i->x), MODE_ACCUMULATE); break;
    case INS_RDLOCK: guard(touch(p, resource(RES_RW, i->x), MODE_ACCUMULATE), REL_SGE, 0); break;
    case INS_RDUNLOCK: touch(p, resource(RES_RW, i->x), MODE_ACCUMULATE); break;
    case INS_WRLOCK: guard(touch(p, resource(RES_RW, i->x), MODE_WRITE), REL_EQ, 0); break;
    case INS_WRUNLOCK: touch(p, resource(RES_RW, i->x), MODE_WRITE); break;
    case INS_TRYWRLOCK: switch_on(touch(p, resource(RES_RW, i->x), MODE_WRITE), REL_EQ, 0, MODE_WRITE, MODE_READ); break;
    case INS_JOIN: guard(touch(p, resource(RES_END, (unsigned)i->c), MODE_READ), REL_EQ, 1); break;
    case INS_EXIT: touch(p, resource(RES_END, a), MODE_WRITE); break;
    case INS_WRITE_IF: touch_lanes(p, i->y, i->lanes, MODE_WRITE); break;
    case INS_COMPARE: touch_lanes(p, i->y, i->lanes, MODE_READ); break;
    case INS_CHOOSE: case INS_BRANCH: p->flags = i->d ? EVENT_FIXED : 0; break;
    case INS_SPAWN: case INS_SKIP_IF: break;
    }
}

/* ---- Inputs ------------------------------------------------------------- */

enum { VALUES = 3 };

static uint32_t all_inputs(const ModelCode *code)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < code->domain[0]; i++)
        for (uint32_t j = 0; j < code->domain[1]; j++)
            set |= 1u << (i * VALUES + j);
    return set;
}

/* The valuations for which input x < c: the name of the condition. */
static uint32_t below(unsigned x, int c)
{
    uint32_t set = 0;
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++)
            if ((x == 0 ? i : j) < c)
                set |= 1u << (i * VALUES + j);
    return set;
}

static uint32_t literal_set(Literal literal) { return literal.taken ? ~literal.condition : literal.condition; }

static bool feasible(Program *program, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends, uint32_t clauses)
{
    uint32_t set = all_inputs(&((Model *)program)->code);
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

static bool branch(ModelState *state, Execution *ex, unsigned x, int c)
{
    Literal literal = {.condition = below(x, c)};
    const Event *event = &ex->events[ex->event_count - 1];
    uint32_t position = ex->event_count - 1;
    literal.taken = !(literal.condition >> __builtin_ctz(state->inputs) & 1);
    if (position < ex->plan_length && event->choice_count < ex->plan[position].choice_count)
        literal.taken = ex->plan_choices[ex->plan[position].first_choice + event->choice_count].taken;
    execution_branch(ex, literal.condition, literal.taken);
    state->inputs &= literal_set(literal);
    return literal.taken == 0;
}

/* ---- Steps ------------------------------------------------------------- */

static const Ins *next_ins(const ModelCode *code, const ModelState *state, AgentId a)
{
    static const Ins exit_ins = {.kind = INS_EXIT};
    return state->pc[a] < code->length[a] ? &code->code[a][state->pc[a]] : &exit_ins;
}

static void run_local(const ModelCode *code, ModelState *state, AgentId a)
{
    for (const Ins *i = next_ins(code, state, a); i->kind == INS_SKIP_IF; i = next_ins(code, state, a)) {
        state->pc[a]++;
        if (state->reg[a][i->r] == i->c)
            state->pc[a] = (uint8_t)(state->pc[a] + i->d);
    }
}

static bool guards_hold(const ModelState *state, const Pending *p)
{
    bool any = false, all = true, guarded = false;
    for (unsigned n = 0; n < p->count; n++) {
        const Access *access = &p->access[n];
        if (access->role != ROLE_GUARD)
            continue;
        bool holds = access_condition_holds(access, live_value(state, access->resource, access->lanes));
        guarded = true;
        any = any || holds;
        all = all && holds;
    }
    return !guarded || (p->flags & EVENT_GUARD_ANY ? any : all);
}

static bool is_over(const ModelCode *code, const ModelState *state, AgentId a)
{
    return !state->exists[a] || state->ended[a] || (code->max_steps && state->steps[a] >= code->max_steps);
}

bool model_enabled(const ModelCode *code, const ModelState *state, AgentId a)
{
    Pending p;
    if (a >= code->threads || is_over(code, state, a))
        return false;
    announce(state, a, next_ins(code, state, a), &p);
    return guards_hold(state, &p);
}

static void wake(ModelState *state, Execution *ex, unsigned cond, AgentId w)
{
    Access *access = execution_add_access(ex);
    *access = (Access){.resource = resource(RES_WOKEN, w), .mode = MODE_WRITE, .lanes = LANES_ALL, .before = state->woken[w], .after = 1};
    state->woken[w] = 1;
    state->waiting[cond] &= ~(1u << w);
}

static void signal_one(ModelState *state, Execution *ex, Access *access, unsigned cond)
{
    uint32_t waiters = state->waiting[cond];
    if (!waiters) {
        access->mode = MODE_READ;
        return;
    }
    uint32_t pick = execution_choose(ex, (uint32_t)__builtin_popcount(waiters));
    while (pick-- > 0)
        waiters &= waiters - 1;
    wake(state, ex, cond, (AgentId)__builtin_ctz(waiters));
}

static void broadcast(ModelState *state, Execution *ex, Access *access, unsigned cond)
{
    if (!state->waiting[cond])
        access->mode = MODE_READ;
    while (state->waiting[cond])
        wake(state, ex, cond, (AgentId)__builtin_ctz(state->waiting[cond]));
}

/* A timed wait ends: woken, or by time-out, then it leaves the queue. */
static void end_timed_wait(ModelState *state, Execution *ex, Event *event, AgentId a, unsigned cond)
{
    if (state->woken[a])
        return;
    Access *access = execution_add_access(ex);
    *access = (Access){.resource = resource(RES_COND, cond), .mode = MODE_WRITE, .lanes = LANES_ALL, .before = state->waiting[cond]};
    state->waiting[cond] &= ~(1u << a);
    access->after = state->waiting[cond];
    (void)event;
}

static void effect(const ModelCode *code, ModelState *state, Execution *ex, Event *event, AgentId a, const Ins *i)
{
    Access *first = &ex->accesses[event->first_access];
    int64_t *reg = &state->reg[a][i->r];
    switch ((InsKind)i->kind) {
    case INS_READ: *reg = word_get(state, i->x, i->lanes); break;
    case INS_WRITE: word_set(state, i->x, i->lanes, i->c); break;
    case INS_STORE: word_set(state, i->x, i->lanes, *reg); break;
    case INS_RMW: {
        int64_t old = word_get(state, i->x, i->lanes);
        word_set(state, i->x, i->lanes, old + i->c);
        *reg = old;
        break;
    }
    case INS_ADD: word_set(state, i->x, i->lanes, word_get(state, i->x, i->lanes) + i->c); break;
    case INS_OR: word_set(state, i->x, i->lanes, word_get(state, i->x, i->lanes) | i->c); break;
    case INS_AND: word_set(state, i->x, i->lanes, word_get(state, i->x, i->lanes) & i->c); break;
    case INS_CAS:
        *reg = first->mode == MODE_WRITE;
        if (first->mode == MODE_WRITE)
            word_set(state, i->x, i->lanes, i->d);
        break;
    case INS_AWAIT_CAS: word_set(state, i->x, i->lanes, i->d); break;
    case INS_LOCK: state->lock[i->x] = a + 1; break;
    case INS_UNLOCK:
        if (event->access_count)
            state->lock[i->x] = 0;
        break;
    case INS_TRYLOCK:
        *reg = first->mode == MODE_WRITE;
        if (*reg)
            state->lock[i->x] = a + 1;
        break;
    case INS_WAIT: case INS_TIMEDWAIT:
        if (event->access_count) {
            state->lock[i->y] = 0;
            state->waiting[i->x] |= 1u << a;
            state->woken[a] = 0;
        } else {
            state->pc[a]++; /* not the owner: no wait at all */
        }
        break;
    case INS_REACQUIRE:
        state->lock[i->y] = a + 1;
        *reg = state->woken[a];
        if (i->d)
            end_timed_wait(state, ex, event, a, i->x);
        state->woken[a] = 0;
        break;
    case INS_SIGNAL: signal_one(state, ex, first, i->x); break;
    case INS_BROADCAST: broadcast(state, ex, first, i->x); break;
    case INS_P: state->sem[i->x]--; break;
    case INS_TRYP:
        *reg = first->mode == MODE_WRITE;
        state->sem[i->x] -= *reg;
        break;
    case INS_V: state->sem[i->x]++; break;
    case INS_RDLOCK: state->rw[i->x]++; break;
    case INS_RDUNLOCK: state->rw[i->x]--; break;
    case INS_WRLOCK: state->rw[i->x] = -1; break;
    case INS_WRUNLOCK: state->rw[i->x] = 0; break;
    case INS_TRYWRLOCK:
        *reg = first->mode == MODE_WRITE;
        if (*reg)
            state->rw[i->x] = -1;
        break;
    case INS_SPAWN:
        if (!state->exists[(int)i->c]) {
            state->exists[(int)i->c] = 1;
            ex->agents[(int)i->c] = (Agent){.creator = a, .creator_step = event->index};
            run_local(code, state, (AgentId)i->c);
        }
        break;
    case INS_CHOOSE:
        if (i->c > 2 && !i->d)
            execution_choose(ex, 1);
        *reg = execution_choose(ex, (uint32_t)i->c);
        break;
    case INS_BRANCH: *reg = branch(state, ex, i->x, i->c); break;
    case INS_WRITE_IF:
        if (branch(state, ex, i->x, i->c)) {
            word_set(state, i->y, i->lanes, i->d);
        } else {
            first->mode = MODE_READ;
            *reg = word_get(state, i->y, i->lanes);
        }
        break;
    case INS_COMPARE: *reg = branch(state, ex, i->x, 1 + (int)(word_get(state, i->y, i->lanes) & 1)); break;
    case INS_EXIT: state->ended[a] = 1; break;
    case INS_AWAIT: case INS_JOIN: case INS_SKIP_IF: break;
    }
}

void model_step(const ModelCode *code, ModelState *state, Execution *ex, AgentId a)
{
    Pending p;
    const Ins *i = next_ins(code, state, a);
    announce(state, a, i, &p);
    Event *event = execution_add_event(ex, a, i->kind, state->pc[a]);
    event->flags = p.flags;
    for (unsigned n = 0; n < p.count; n++) {
        Access *access = execution_add_access(ex);
        *access = p.access[n];
        access->before = live_value(state, access->resource, access->lanes);
        if (access->role == ROLE_SWITCH)
            access->mode = access_condition_holds(access, access->before) ? access->mode_then : access->mode_else;
    }
    state->pc[a]++;
    state->steps[a]++;
    effect(code, state, ex, event, a, i);
    for (unsigned n = 0; n < p.count; n++) {
        Access *access = &ex->accesses[event->first_access + n];
        access->after = live_value(state, access->resource, access->lanes);
    }
    if (!state->ended[a])
        run_local(code, state, a);
}

void model_start(const ModelCode *code, ModelState *state, Execution *ex)
{
    memset(state, 0, sizeof *state);
    for (unsigned x = 0; x < WORDS; x++)
        state->word[x] = (uint64_t)code->word[x];
    memcpy(state->sem, code->sem, sizeof state->sem);
    state->inputs = all_inputs(code);
    ex->agent_count = code->threads;
    for (AgentId a = 0; a < code->threads; a++) {
        ex->agents[a] = (Agent){.creator = AGENT_NONE};
        state->exists[a] = a < code->roots;
        if (state->exists[a])
            run_local(code, state, a);
    }
}

/* ---- The program contract ----------------------------------------------- */

static AgentId default_policy(const Model *model, AgentId current)
{
    if (current != AGENT_NONE && model_enabled(&model->code, &model->state, current))
        return current;
    for (AgentId a = 0; a < model->code.threads; a++)
        if (model_enabled(&model->code, &model->state, a))
            return a;
    return AGENT_NONE;
}

static void list_blocked(Model *model, Execution *ex)
{
    for (AgentId a = 0; a < model->code.threads; a++) {
        if (is_over(&model->code, &model->state, a) || model_enabled(&model->code, &model->state, a))
            continue;
        Pending p;
        announce(&model->state, a, next_ins(&model->code, &model->state, a), &p);
        Blocked *blocked = &ex->blocked[ex->blocked_count++];
        *blocked = (Blocked){.agent = a, .first_access = ex->access_count, .access_count = (uint16_t)p.count, .flags = p.flags};
        for (unsigned n = 0; n < p.count; n++) {
            p.access[n].before = live_value(&model->state, p.access[n].resource, p.access[n].lanes);
            ex->accesses[ex->access_count++] = p.access[n];
        }
    }
}

/* An execution runs with one valuation: here the smallest that the plan's conditions allow. */
static void solve_plan(ModelState *state, const Execution *ex)
{
    uint32_t set = state->inputs;
    const PlanStep *last = ex->plan_length ? &ex->plan[ex->plan_length - 1] : NULL;
    for (uint32_t c = 0; last && c < last->first_choice + last->choice_count; c++)
        if (ex->plan_choices[c].condition)
            set &= literal_set(ex->plan_choices[c]);
    state->inputs = set ? set & -set : 1;
}

/* The valuations that take the path of an execution. */
static uint32_t path_inputs(const ModelCode *code, const Execution *ex)
{
    uint32_t set = all_inputs(code);
    for (uint32_t c = 0; c < ex->choice_count; c++)
        if (ex->choices[c].condition)
            set &= literal_set((Literal){.condition = ex->choices[c].condition, .taken = ex->choices[c].taken});
    return set;
}

static void model_run(Program *program, Execution *ex)
{
    Model *model = (Model *)program;
    AgentId current = AGENT_NONE;
    model_start(&model->code, &model->state, ex);
    solve_plan(&model->state, ex);
    for (;;) {
        AgentId next = default_policy(model, current);
        if (next == AGENT_NONE)
            break;
        if (ex->event_count < ex->plan_length) {
            next = ex->plan[ex->event_count].agent;
            if (!model_enabled(&model->code, &model->state, next)) {
                ex->end = END_DIVERGED;
                ex->diverged_at = ex->event_count;
                return;
            }
        } else if (ex->stop_after_plan) {
            ex->end = END_PLANNED;
            return;
        } else if (ex->picker) {
            next = ex->picker->pick(ex->picker, ex, current);
            if (next == AGENT_NONE) {
                ex->end = END_ABANDONED;
                list_blocked(model, ex);
                return;
            }
        }
        bool preempts = current != AGENT_NONE && next != current && model_enabled(&model->code, &model->state, current);
        model_step(&model->code, &model->state, ex, next);
        if (preempts)
            ex->events[ex->event_count - 1].flags |= EVENT_PREEMPTS;
        current = next;
    }
    if (ex->stop_after_plan) {
        ex->end = END_PLANNED;
        return;
    }
    ex->end = ex->event_count < ex->plan_length ? END_DIVERGED : END_COMPLETE;
    list_blocked(model, ex);
    model->state.inputs = path_inputs(&model->code, ex);
    if (model->log)
        model->log->finished(model->log, &model->state, ex);
}

static bool ops_enabled(Program *program, AgentId agent)
{
    Model *model = (Model *)program;
    return model_enabled(&model->code, &model->state, agent);
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

static const ProgramOps ops = {.run = model_run, .enabled = ops_enabled, .feasible = feasible,
                               .agent_path = ops_agent_path, .agent_find = ops_agent_find};
static const ProgramOps ops_without_inputs = {.run = model_run, .enabled = ops_enabled,
                                              .agent_path = ops_agent_path, .agent_find = ops_agent_find};

void model_choose_ops(Model *model) { model->program.ops = model_asks(&model->code) ? &ops : &ops_without_inputs; }

void model_init(Model *model, ModelLog *log)
{
    memset(model, 0, sizeof *model);
    model->program.ops = &ops;
    model->log = log;
}
