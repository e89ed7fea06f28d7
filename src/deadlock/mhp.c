/* mhp.c - see mhp.h */
#include "deadlock/mhp.h"

#include <stdlib.h>
#include <string.h>

#include "deadlock/bits.h"
#include "deadlock/flow.h"

/* What may be the case for the newest future created at a site, and for older ones. */
enum { SITE_RUNS = 1, SITE_ENDED = 2, SITE_OLD_RUNS = 4, SITE_OLD_ENDED = 8 };
#define VALUE_UNKNOWN 0u
#define VALUE_NOTHING UINT16_MAX /* null: agrees with everything */

typedef struct MhpWalk {
    Mhp *mhp;
    const Activation *a;
    MhpLocal *local;
    uint8_t *flags;
    uint16_t *values;
} MhpWalk;

/* ---- Sites ------------------------------------------------------------------------------ */

static bool has_links(const Activation *a, uint32_t at)
{
    for (uint32_t i = 0; i < a->links.count; i++)
        if (a->links.items[i].at == at)
            return true;
    return false;
}

static bool holds_future(const ModelPointsTo *p, SetId set)
{
    AtomSet atoms = atoms_get(&p->atoms, set);
    for (uint32_t i = 0; i < atoms.count; i++)
        if (atom_is_task(atoms.items[i]))
            return true;
    return false;
}

/* Does the instruction create a future, other than by copying one? */
static bool makes_future(const ModelPointsTo *p, const Activation *a, uint32_t at)
{
    const Instr *instr = &a->code->instrs[at];
    if (!a->reached[at] || !flow_defines(instr) || instr->op == INSTR_MOVE)
        return false;
    return at + 1 < a->code->count && a->reached[at + 1] &&
           holds_future(p, model_pointsto_register(a, at + 1, instr->a));
}

static void add_site(MhpLocal *local, uint32_t at)
{
    if (local->site_count >= UINT16_MAX - 2)
        return;
    local->site_at[local->site_count] = at;
    local->site_of[at] = ++local->site_count;
}

static void find_sites(Mhp *mhp, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[number];
    MhpLocal *local = &mhp->locals[number];
    uint32_t count = a->code->count, all = count + a->code->param_count;
    local->site_of = arena_zero(&mhp->arena, (all + 1) * sizeof *local->site_of);
    local->site_at = arena_zero(&mhp->arena, (all + 1) * sizeof *local->site_at);
    for (uint32_t at = 0; at < count; at++)
        if (has_links(a, at) || makes_future(mhp->p, a, at))
            add_site(local, at);
    for (uint32_t i = 0; i < a->code->param_count; i++)
        if (holds_future(mhp->p, a->params[i]))
            add_site(local, count + i);
    local->flags = arena_zero(&mhp->arena, (size_t)count * local->site_count + 1);
    local->values = arena_zero(&mhp->arena, ((size_t)count * a->code->register_count + 1) * sizeof *local->values);
    local->desc = arena_zero(&mhp->arena, mhp->words * sizeof(uint64_t));
    local->left = arena_zero(&mhp->arena, mhp->words * sizeof(uint64_t));
    local->context = arena_zero(&mhp->arena, mhp->words * sizeof(uint64_t));
}

/* ---- Local flow ---------------------------------------------------------------------------- */

static bool join_flow(const MhpWalk *w, uint32_t at, bool *visited)
{
    uint32_t sites = w->local->site_count, registers = w->a->code->register_count;
    uint8_t *flags = w->local->flags + (size_t)at * sites;
    uint16_t *values = w->local->values + (size_t)at * registers;
    bool first = !visited[at], changed = first;
    visited[at] = true;
    for (uint32_t i = 0; i < sites; i++) {
        changed |= (w->flags[i] & ~flags[i]) != 0;
        flags[i] |= w->flags[i];
    }
    for (uint32_t i = 0; i < registers; i++) {
        uint16_t joined = first || values[i] == VALUE_NOTHING ? w->values[i]
                          : w->values[i] == VALUE_NOTHING || w->values[i] == values[i] ? values[i] : VALUE_UNKNOWN;
        changed |= joined != values[i];
        values[i] = joined;
    }
    return changed;
}

/* The value in the register is a future that is resolved now. */
static void resolve(const MhpWalk *w, uint32_t number)
{
    uint16_t value = w->values[number];
    if (value == VALUE_UNKNOWN || value == VALUE_NOTHING || !(w->flags[value - 1] & SITE_RUNS))
        return;
    w->flags[value - 1] = (uint8_t)((w->flags[value - 1] & ~SITE_RUNS) | SITE_ENDED);
}

/* The site is reached again: its newest value becomes an old one. */
static void age(const MhpWalk *w, uint32_t site)
{
    uint8_t old = w->flags[site];
    uint8_t flags = old & (SITE_OLD_RUNS | SITE_OLD_ENDED);
    if (old & SITE_RUNS)
        flags |= SITE_OLD_RUNS;
    if (old & SITE_ENDED)
        flags |= SITE_OLD_ENDED;
    w->flags[site] = flags;
    for (uint32_t i = 0; i < w->a->code->register_count; i++)
        if (w->values[i] == site + 1)
            w->values[i] = VALUE_UNKNOWN;
}

static bool only_inside(const Activation *a, uint32_t at)
{
    bool any = false;
    for (uint32_t i = 0; i < a->links.count; i++) {
        if (a->links.items[i].at == at && a->links.items[i].kind == LINK_SPAWN)
            return false;
        any |= a->links.items[i].at == at;
    }
    return any;
}

static void define(const MhpWalk *w, uint32_t at)
{
    const Instr *instr = &w->a->code->instrs[at];
    uint32_t site = w->local->site_of[at];
    uint16_t value = VALUE_UNKNOWN;
    if (instr->op == INSTR_MOVE)
        value = w->values[instr->b];
    else if (instr->op == INSTR_CONST && instr->x.value == VALUE_NULL)
        value = VALUE_NOTHING;
    if (site) {
        age(w, site - 1);
        bool result = makes_future(w->mhp->p, w->a, at) && instr->op != INSTR_ASYNC;
        w->flags[site - 1] |= only_inside(w->a, at) && !result ? SITE_ENDED : SITE_RUNS;
        value = (uint16_t)site;
    }
    if (flow_defines(instr))
        w->values[instr->a] = value;
}

static void transfer(const MhpWalk *w, uint32_t at)
{
    const Instr *instr = &w->a->code->instrs[at];
    if (instr->op == INSTR_GET)
        resolve(w, instr->b);
    for (uint32_t i = 0; instr->op == INSTR_AWAIT && i < instr->x.guard->future_count; i++)
        resolve(w, instr->x.guard->futures[i]);
    define(w, at);
}

static void load_state(const MhpWalk *w, uint32_t at)
{
    uint32_t sites = w->local->site_count, registers = w->a->code->register_count;
    memcpy(w->flags, w->local->flags + (size_t)at * sites, sites);
    memcpy(w->values, w->local->values + (size_t)at * registers, registers * sizeof *w->values);
}

static bool sweep(const MhpWalk *w, bool *visited)
{
    const Code *code = w->a->code;
    uint32_t next[FLOW_MOST_NEXT];
    bool again = false;
    for (uint32_t at = 0; at < code->count; at++) {
        if (!visited[at] || !w->a->reached[at])
            continue;
        const TryRegion *region = flow_handler(code, at);
        load_state(w, at);
        if (region)
            again |= join_flow(w, region->target, visited);
        transfer(w, at);
        if (region)
            again |= join_flow(w, region->target, visited);
        uint32_t count = flow_next(code, at, next);
        for (uint32_t i = 0; i < count; i++)
            again |= join_flow(w, next[i], visited) && next[i] <= at;
    }
    return again;
}

static void follow(Mhp *mhp, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[number];
    MhpLocal *local = &mhp->locals[number];
    bool *visited = mem_alloc(a->code->count + 1u);
    MhpWalk w = {mhp, a, local, mem_alloc(local->site_count + 1u),
              mem_alloc((a->code->register_count + 1u) * sizeof(uint16_t))};
    for (uint32_t i = 0; i < a->code->param_count; i++) {
        uint32_t site = local->site_of[a->code->count + i];
        if (site) {
            w.flags[site - 1] = SITE_RUNS;
            w.values[i] = (uint16_t)site;
        }
    }
    if (a->code->count)
        join_flow(&w, 0, visited);
    while (sweep(&w, visited))
        ;
    free(visited);
    free(w.flags);
    free(w.values);
}

/* ---- Sets of tasks ----------------------------------------------------------------------------- */

static const uint64_t *desc_of_task(const Mhp *mhp, uint32_t task)
{
    return mhp->locals[mhp->p->tasks.items[task].activation].desc;
}

static const uint64_t *left_of_task(const Mhp *mhp, uint32_t task)
{
    return mhp->locals[mhp->p->tasks.items[task].activation].left;
}

static bool add_running(const Mhp *mhp, uint32_t task, uint64_t *tasks)
{
    bool changed = !bits_has(tasks, task);
    bits_add(tasks, task);
    return bits_join(tasks, desc_of_task(mhp, task), mhp->words) || changed;
}

static bool find_desc(Mhp *mhp, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[number];
    MhpLocal *local = &mhp->locals[number];
    bool changed = false;
    for (uint32_t i = 0; i < a->links.count; i++) {
        const Link *link = &a->links.items[i];
        changed |= link->kind == LINK_INSIDE ? bits_join(local->desc, mhp->locals[link->target].desc, mhp->words)
                                             : add_running(mhp, link->target, local->desc);
    }
    return changed;
}

/* Adds the tasks of a link that may run, for a site with these flags. */
static bool add_of_link(const Mhp *mhp, const Link *link, uint8_t flags, uint64_t *tasks)
{
    if (link->kind == LINK_INSIDE)
        return bits_join(tasks, mhp->locals[link->target].left, mhp->words);
    if (link->kind == LINK_SPAWN && flags & (SITE_RUNS | SITE_OLD_RUNS))
        return add_running(mhp, link->target, tasks);
    return bits_join(tasks, left_of_task(mhp, link->target), mhp->words);
}

static bool add_of_site(const Mhp *mhp, uint32_t number, uint32_t site, uint8_t flags, uint64_t *tasks)
{
    const Activation *a = mhp->p->activations.items[number];
    uint32_t at = mhp->locals[number].site_at[site];
    bool changed = false;
    for (uint32_t i = 0; i < a->links.count && flags; i++) {
        if (a->links.items[i].at == at)
            changed |= add_of_link(mhp, &a->links.items[i], flags, tasks);
    }
    return changed;
}

static const uint8_t *flags_at(const Mhp *mhp, uint32_t number, uint32_t at)
{
    const MhpLocal *local = &mhp->locals[number];
    return local->flags + (size_t)at * local->site_count;
}

static bool add_started(const Mhp *mhp, uint32_t number, uint32_t at, uint64_t *tasks)
{
    bool changed = false;
    const uint8_t *flags = flags_at(mhp, number, at);
    for (uint32_t site = 0; site < mhp->locals[number].site_count; site++)
        if (flags[site])
            changed |= add_of_site(mhp, number, site, flags[site], tasks);
    return changed;
}

static bool find_left(Mhp *mhp, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[number];
    uint64_t *left = mhp->locals[number].left;
    bool changed = false;
    for (uint32_t at = 0; at < a->code->count; at++)
        if (a->reached[at] && (a->code->instrs[at].op == INSTR_FINISH || throwing_at(&mhp->throwing, a, at)))
            changed |= add_started(mhp, number, at, left);
    for (uint32_t i = 0; i < a->links.count; i++) {
        const Link *link = &a->links.items[i];
        if (link->kind == LINK_INSIDE && mhp->p->activations.items[link->target]->code->kind == CODE_RECOVER)
            changed |= bits_join(left, mhp->locals[link->target].left, mhp->words);
    }
    return changed;
}

/* While an activation runs inside another one, the tasks of that one may run too. */
static bool pass_context(Mhp *mhp, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[number];
    bool changed = false;
    for (uint32_t i = 0; i < a->links.count; i++) {
        const Link *link = &a->links.items[i];
        if (link->kind != LINK_INSIDE)
            continue;
        changed |= add_started(mhp, number, link->at, mhp->locals[link->target].context);
        changed |= bits_join(mhp->locals[link->target].context, mhp->locals[number].context, mhp->words);
    }
    return changed;
}

static void repeat(Mhp *mhp, bool (*once)(Mhp *mhp, uint32_t number))
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = mhp->p->activations.count; i-- > 0;)
            changed |= once(mhp, i);
    }
}

/* ---- Pairs ----------------------------------------------------------------------------------------- */

static void pair(Mhp *mhp, const uint64_t *some, const uint64_t *others)
{
    for (uint32_t task = 0; task < mhp->p->tasks.count; task++) {
        if (bits_has(some, task))
            bits_join(mhp->pairs + (size_t)task * mhp->words, others, mhp->words);
        if (bits_has(others, task))
            bits_join(mhp->pairs + (size_t)task * mhp->words, some, mhp->words);
    }
}

/* A new object starts its init block and its run method. */
static void pair_creation(Mhp *mhp, const Activation *a, uint32_t at, uint64_t *before, uint64_t *own)
{
    InstrOp op = (InstrOp)(at < a->code->count ? a->code->instrs[at].op : INSTR_MOVE);
    memset(before, 0, mhp->words * sizeof *before);
    for (uint32_t i = 0; i < a->links.count && (op == INSTR_NEW || op == INSTR_NEW_LOCAL); i++) {
        if (a->links.items[i].at != at)
            continue;
        memset(own, 0, mhp->words * sizeof *own);
        add_of_link(mhp, &a->links.items[i], SITE_RUNS, own);
        pair(mhp, before, own);
        bits_join(before, own, mhp->words);
    }
}

/* Pairs tasks of different sites, and those of a site with its older ones. */
static void pair_sites(Mhp *mhp, uint32_t number, const uint8_t *flags, uint64_t *before, uint64_t *own)
{
    const MhpLocal *local = &mhp->locals[number];
    memcpy(before, local->context, mhp->words * sizeof *before);
    for (uint32_t site = 0; site < local->site_count; site++) {
        if (!flags[site])
            continue;
        memset(own, 0, mhp->words * sizeof *own);
        add_of_site(mhp, number, site, flags[site], own);
        pair(mhp, before, own);
        if (flags[site] & (SITE_OLD_RUNS | SITE_OLD_ENDED))
            pair(mhp, own, own);
        bits_join(before, own, mhp->words);
    }
}

static void pair_calls(Mhp *mhp, uint32_t number, uint32_t at, const uint64_t *started, uint64_t *own)
{
    const Activation *a = mhp->p->activations.items[number];
    for (uint32_t i = 0; i < a->links.count; i++) {
        const Link *link = &a->links.items[i];
        if (link->at != at || link->kind != LINK_CALL)
            continue;
        memset(own, 0, mhp->words * sizeof *own);
        add_running(mhp, link->target, own);
        pair(mhp, started, own);
    }
}

static void find_pairs(Mhp *mhp, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[number];
    uint64_t *before = mem_alloc(mhp->words * sizeof *before), *own = mem_alloc(mhp->words * sizeof *own);
    uint32_t sites = mhp->locals[number].site_count, seen = UINT32_MAX;
    for (uint32_t site = 0; site < sites; site++)
        pair_creation(mhp, a, mhp->locals[number].site_at[site], before, own);
    for (uint32_t at = 0; at < a->code->count && sites; at++) {
        if (!a->reached[at])
            continue;
        bool same = seen != UINT32_MAX && memcmp(flags_at(mhp, number, at), flags_at(mhp, number, seen), sites) == 0;
        bool calls = mhp->locals[number].site_of[at] && only_inside(a, at);
        if (same && !calls)
            continue;
        pair_sites(mhp, number, flags_at(mhp, number, at), before, own);
        if (calls)
            pair_calls(mhp, number, at, before, own);
        seen = at;
    }
    free(before);
    free(own);
}

/* ---- Questions --------------------------------------------------------------------------------------- */

void mhp_add_parallel(const Mhp *mhp, uint32_t activation, uint32_t at, uint64_t *tasks)
{
    const Activation *a = mhp->p->activations.items[activation];
    add_started(mhp, activation, at, tasks);
    bits_join(tasks, mhp->locals[activation].context, mhp->words);
    for (uint32_t i = 0; i < a->links.count; i++)
        if (a->links.items[i].at == at && a->links.items[i].kind == LINK_CALL)
            add_running(mhp, a->links.items[i].target, tasks);
}

bool mhp_are_paired(const Mhp *mhp, uint32_t task, uint32_t other)
{
    return bits_has(mhp->pairs + (size_t)task * mhp->words, other);
}

bool mhp_is_resolved(const Mhp *mhp, uint32_t activation, uint32_t at, uint32_t number)
{
    const Activation *a = mhp->p->activations.items[activation];
    uint16_t value = mhp->locals[activation].values[(size_t)at * a->code->register_count + number];
    if (value == VALUE_UNKNOWN || value == VALUE_NOTHING)
        return false;
    return !(flags_at(mhp, activation, at)[value - 1] & SITE_RUNS);
}

/* ---- Lifecycle ------------------------------------------------------------------------------------------ */

Mhp *mhp_create(const ModelPointsTo *p)
{
    Mhp *mhp = mem_alloc(sizeof *mhp);
    mhp->p = p;
    mhp->words = bits_words(p->tasks.count);
    throwing_init(&mhp->throwing, p);
    mhp->locals = arena_zero(&mhp->arena, p->activations.count * sizeof *mhp->locals);
    mhp->pairs = arena_zero(&mhp->arena, (size_t)p->tasks.count * mhp->words * sizeof *mhp->pairs);
    for (uint32_t i = 0; i < p->activations.count; i++) {
        find_sites(mhp, i);
        follow(mhp, i);
    }
    repeat(mhp, find_desc);
    repeat(mhp, find_left);
    repeat(mhp, pass_context);
    for (uint32_t i = 0; i < p->activations.count; i++)
        find_pairs(mhp, i);
    return mhp;
}

void mhp_destroy(Mhp *mhp)
{
    if (!mhp)
        return;
    throwing_release(&mhp->throwing);
    arena_release(&mhp->arena);
    free(mhp);
}
