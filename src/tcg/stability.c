/* stability.c - see stability.h
 *
 * The units are cogs: the objects of a cog interleave like tasks of one object. Steps of others may enable a task that
 * waits for a future; so it counts as a task that may still arrive, and must be independent of the rest of its queue.
 */
#include "tcg/stability.h"

#include <stdlib.h>
#include <string.h>

#include "abs/run/start.h"
#include "abs/run/unknown.h"
#include "base/mem.h"
#include "tcg/chains.h"

enum { MOST_COGS = 64 }; /* in larger states all tasks are chosen */
enum { SPREAD_ALL = MOST_COGS, SPREAD_NOT };

typedef struct Cog {
    uint32_t number;
    uint64_t knows;     /* cogs that it has references to          */
    bool open;          /* it has references that are not settled  */
    bool active;
} Cog;

typedef struct ObjectStability {
    Stability base;
    Chains *chains;
    const Model *model;
    /* -- of one state -- */
    Machine *machine;
    VEC(AgentId) tasks; /* unfinished                              */
    Cog cogs[MOST_COGS];
    uint32_t cog_count;
    bool known;         /* `knows` is computed for this state      */
    Cog informed[MOST_COGS]; /* the same after references were passed on, except by cog `silent` */
    uint32_t silent;    /* SPREAD_NOT: not computed; SPREAD_ALL: no cog is silent */
} ObjectStability;

/* ---- Which cog has references to which ----------------------------------------------------------- */

static uint32_t cog_index(const ObjectStability *s, uint32_t number)
{
    for (uint32_t i = 0; i < s->cog_count; i++)
        if (s->cogs[i].number == number)
            return i;
    return UINT32_MAX;
}

static void add_object(ObjectStability *s, Cog *cog, uint32_t object)
{
    if (object)
        cog->knows |= 1ull << cog_index(s, s->machine->objects[object].cog);
}

/* An unknown value may contain any object of the start state; if unknown references are distinct, only those found
 * below its path. */
static void add_unknown(ObjectStability *s, Cog *cog, Value v)
{
    const Machine *machine = s->machine;
    const char *path = unknown_path(v);
    size_t length = strlen(path);
    cog->open = true;
    for (uint32_t i = 0; i < machine->starters.count; i++) {
        const char *own = machine->objects[machine->starters.items[i]].path;
        bool below = strncmp(own, path, length) == 0 && (own[length] == '\0' || own[length] == '.');
        if (below || !machine->start->distinct)
            add_object(s, cog, machine->starters.items[i]);
    }
}

static void add_value(ObjectStability *s, Cog *cog, Value v)
{
    if (value_tag(v) == TAG_OBJECT)
        add_object(s, cog, value_number(v));
    if (value_tag(v) == TAG_FUTURE) {
        const Task *task = &s->machine->tasks[value_number(v)];
        if (task->state == TASK_DONE)
            add_value(s, cog, task->result);
        else if (task->state != TASK_ABSENT)
            add_object(s, cog, task->cog);
    }
    if (!value_is_cell(v) || !value_cell(v))
        return;
    const Cell *cell = value_cell(v);
    if (cell->kind == CELL_UNKNOWN)
        add_unknown(s, cog, v);
    uint32_t first = cell->kind == CELL_CLOSURE;
    for (uint32_t i = first; (cell->kind == CELL_DATA || cell->kind == CELL_CLOSURE) && i < first + cell->count; i++)
        add_value(s, cog, cell->args[i]);
}

static void find_references(ObjectStability *s)
{
    const Machine *machine = s->machine;
    if (s->known)
        return;
    s->known = true;
    for (uint32_t i = 0; i < machine->live.count; i++) {
        const ModelObject *object = &machine->objects[machine->live.items[i]];
        for (uint32_t f = 0; f < object->class->field_count; f++)
            add_value(s, &s->cogs[cog_index(s, object->cog)], object->fields[f]);
    }
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const Task *task = &machine->tasks[s->tasks.items[i]];
        Cog *cog = &s->cogs[cog_index(s, task->cog)];
        cog->active = true;
        for (const Frame *frame = task->frame; frame; frame = frame->caller)
            for (uint32_t r = 0; r < frame->code->register_count; r++)
                add_value(s, cog, frame->registers[r]);
    }
}

static bool pass_references(Cog *from, uint32_t number, Cog *to, bool back)
{
    Cog before = *to, mine = *from;
    to->knows |= from->knows | 1ull << number;
    to->open |= from->open;
    to->active = true;
    if (back) {
        from->knows |= to->knows;
        from->open |= to->open;
    }
    return before.knows != to->knows || before.open != to->open || !before.active || mine.knows != from->knows ||
           mine.open != from->open;
}

/* An active cog may pass all its references to the cogs it has references to, and may get theirs through results. */
static void spread_references(ObjectStability *s, uint32_t silent)
{
    bool back = chains_use_results(s->chains);
    find_references(s);
    if (s->silent == silent)
        return;
    s->silent = silent;
    memcpy(s->informed, s->cogs, s->cog_count * sizeof *s->informed);
    if (silent != SPREAD_ALL)
        s->informed[silent].active = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->cog_count; i++)
            for (uint32_t k = 0; s->informed[i].active && k < s->cog_count; k++)
                if (k != i && k != silent && s->informed[i].knows >> k & 1)
                    changed |= pass_references(&s->informed[i], i, &s->informed[k], back);
    }
}

/* ---- The theorem ------------------------------------------------------------------------------ */

static bool cog_has_class(const ObjectStability *s, uint32_t cog, const ClassCode *class)
{
    for (uint32_t i = 0; i < s->machine->live.count; i++) {
        const ModelObject *object = &s->machine->objects[s->machine->live.items[i]];
        if (object->cog == s->cogs[cog].number && object->class == class)
            return true;
    }
    return false;
}

/* Would a new task with this code depend on one in the queue of the cog? */
static bool disturbs(const ObjectStability *s, const Code *code, uint32_t cog, AgentId except)
{
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const Task *task = &s->machine->tasks[s->tasks.items[i]];
        if (task->cog == s->cogs[cog].number && task->id != except && !chains_independent(s->chains, code, task->code))
            return true;
    }
    return false;
}

/* Condition 3: may an object that executes `caller` on a chain from the task get a reference to the cog? */
static bool may_know(ObjectStability *s, const Task *task, const Code *caller, uint32_t cog, bool speaks)
{
    uint32_t own = cog_index(s, task->cog);
    bool anywhere = chains_create_class(s->chains, task->code, caller->class);
    spread_references(s, speaks ? SPREAD_ALL : cog);
    for (uint32_t i = 0; i < s->cog_count; i++) {
        bool involved = i == own || (s->informed[own].knows >> i & 1);
        if (involved && (s->informed[i].knows >> cog & 1 || i == cog) &&
            (anywhere || s->informed[i].open || cog_has_class(s, i, caller->class)))
            return true;
    }
    return false;
}

/* May a chain from the task create a task in the cog; if the cog is not silent, one that depends on its queue? */
static bool may_reach(ObjectStability *s, const Task *task, uint32_t cog, bool speaks)
{
    const Image *image = s->machine->image;
    for (uint32_t m = 0; m < image->codes.count; m++) {
        const Code *method = image->codes.items[m];
        if (!method->class || method->kind == CODE_INIT || !chains_lead_to(s->chains, task->code, method) ||
            !cog_has_class(s, cog, method->class) || (speaks && !disturbs(s, method, cog, AGENT_NONE)))
            continue;
        for (uint32_t c = 0; c < image->codes.count; c++) {
            const Code *caller = image->codes.items[c];
            if (caller->class && chains_lead_to(s->chains, task->code, caller) &&
                chains_calls(s->chains, caller, method) && may_know(s, task, caller, cog, speaks))
                return true;
        }
    }
    return false;
}

static bool waits_for_others(const Machine *machine, const Task *task)
{
    if (task->state != TASK_AWAIT)
        return false;
    for (uint32_t i = 0; i < task->guard->future_count; i++)
        if (!task_is_over(&machine->tasks[value_number(task->frame->registers[task->guard->futures[i]])]))
            return true;
    return false;
}

/* May others enable or create a task in the cog before one of its enabled tasks takes a step? */
static bool may_wake(ObjectStability *s, uint32_t cog)
{
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const Task *task = &s->machine->tasks[s->tasks.items[i]];
        bool own = task->cog == s->cogs[cog].number;
        if (own ? waits_for_others(s->machine, task) : may_reach(s, task, cog, false))
            return true;
    }
    return false;
}

/* If only independent tasks arrive in the cog, these may run and pass on its references. */
static bool is_stable(ObjectStability *s, uint32_t cog)
{
    if (!may_wake(s, cog))
        return true;
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const Task *task = &s->machine->tasks[s->tasks.items[i]];
        bool own = task->cog == s->cogs[cog].number, comes = own && waits_for_others(s->machine, task);
        if ((!own || comes) && may_reach(s, task, cog, true))
            return false;
        if (comes && disturbs(s, task->code, cog, task->id))
            return false;
    }
    return true;
}

/* ---- Choosing ------------------------------------------------------------------------------------ */

/* False if there are too many. */
static bool list_cogs(ObjectStability *s)
{
    s->cog_count = 1;
    s->cogs[0] = (Cog){0}; /* of the main block */
    s->known = false;
    s->silent = SPREAD_NOT;
    for (uint32_t i = 0; i < s->machine->live.count; i++) {
        uint32_t number = s->machine->live.items[i];
        if (s->machine->objects[number].cog != number)
            continue;
        if (s->cog_count == MOST_COGS)
            return false;
        s->cogs[s->cog_count++] = (Cog){.number = number};
    }
    return true;
}

/* The enabled tasks of a cog, or of all cogs. */
static uint32_t list_enabled(const ObjectStability *s, const Cog *cog, AgentId *agents)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        AgentId id = s->tasks.items[i];
        if ((!cog || s->machine->tasks[id].cog == cog->number) && machine_enabled(s->machine, id))
            agents[count++] = id;
    }
    return count;
}

/* An enabled task that holds its object: no other step is dependent with its next one. */
static AgentId find_holder(const ObjectStability *s)
{
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const Task *task = &s->machine->tasks[s->tasks.items[i]];
        if ((task->state == TASK_GET || task->state == TASK_INIT) && machine_enabled(s->machine, task->id))
            return task->id;
    }
    return AGENT_NONE;
}

static uint32_t choose(Stability *base, Machine *machine, AgentId *agents)
{
    ObjectStability *s = (ObjectStability *)base;
    uint32_t best = UINT32_MAX, least = UINT32_MAX;
    s->machine = machine;
    s->tasks.count = 0;
    for (AgentId id = 0; id < machine->task_count; id++)
        if (task_is_unfinished(&machine->tasks[id]))
            VEC_PUSH(&s->tasks, id);
    AgentId holder = find_holder(s);
    if (holder != AGENT_NONE) {
        agents[0] = holder;
        return 1;
    }
    if (!list_cogs(s))
        return list_enabled(s, NULL, agents);
    for (uint32_t i = 0; i < s->cog_count; i++) {
        uint32_t count = list_enabled(s, &s->cogs[i], agents);
        if (count > 0 && count < least && is_stable(s, i)) {
            best = i;
            least = count;
        }
    }
    return list_enabled(s, best == UINT32_MAX ? NULL : &s->cogs[best], agents);
}

static void destroy(Stability *base)
{
    ObjectStability *s = (ObjectStability *)base;
    chains_destroy(s->chains);
    VEC_FREE(&s->tasks);
    free(s);
}

Stability *stability_create(const AbsProgram *program, bool whole_objects)
{
    ObjectStability *s = mem_alloc(sizeof *s);
    s->base = (Stability){.choose = choose, .destroy = destroy};
    s->chains = chains_create(program_abs_machine(program)->image, whole_objects);
    return &s->base;
}
