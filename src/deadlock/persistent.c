/* persistent.c - see persistent.h */
#include "deadlock/persistent.h"

#include <stdlib.h>
#include <string.h>

#include "deadlock/bits.h"

enum { MOST_TASKS = 256 }; /* in larger states no smaller set is searched for */

/* The cogs of a state, each once, by order of first task. */
typedef struct Cogs {
    const Snapshot *s;
    const Machine *machine;
    Islands *islands;
    uint32_t *numbers;   /* concrete                       */
    uint32_t *abstract;
    uint32_t *of_task;   /* by task view                   */
    uint32_t count;
} Cogs;

static uint32_t add_cog(Cogs *cogs, uint32_t number)
{
    for (uint32_t i = 0; i < cogs->count; i++)
        if (cogs->numbers[i] == number)
            return i;
    cogs->numbers[cogs->count] = number;
    cogs->abstract[cogs->count] = alpha_object(cogs->s->analysis, cogs->machine, number);
    return cogs->count++;
}

static bool may_start_in(const Cogs *cogs, const TaskView *view, uint32_t cog)
{
    const Analysis *analysis = cogs->s->analysis;
    if (!islands_linked(cogs->islands, view->id, cogs->numbers[cog]))
        return false;
    for (uint32_t task = 0; task < analysis->points->tasks.count; task++)
        if (bits_has(view->tasks, task) && depgraph_cog(analysis->graph, task) == cogs->abstract[cog])
            return true;
    return false;
}

static bool waits_for_cog(const Cogs *cogs, uint32_t waiter, uint32_t wanted)
{
    for (uint32_t i = 0; i < cogs->s->waits.count; i++) {
        const WaitView *view = &cogs->s->waits.items[i];
        if (view->cog == cogs->numbers[waiter] && view->wanted_cog == cogs->numbers[wanted])
            return true;
    }
    return false;
}

/* Must `other` be in a set that `cog` is in? */
static bool needs(const Cogs *cogs, uint32_t cog, uint32_t other)
{
    if (waits_for_cog(cogs, cog, other))
        return true;
    for (uint32_t i = 0; i < cogs->s->tasks.count; i++)
        if (cogs->of_task[i] == other && may_start_in(cogs, &cogs->s->tasks.items[i], cog))
            return true;
    return false;
}

static void close_set(const Cogs *cogs, bool *set)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < cogs->count; i++)
            for (uint32_t k = 0; set[i] && k < cogs->count; k++)
                if (!set[k] && needs(cogs, i, k))
                    set[k] = changed = true;
    }
}

static uint32_t enabled_of(const Cogs *cogs, const bool *set, AgentId *agents)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cogs->s->tasks.count; i++)
        if (cogs->s->tasks.items[i].enabled && (!set || set[cogs->of_task[i]]))
            agents[count++] = cogs->s->tasks.items[i].id;
    return count;
}

static bool is_promising(const Cogs *cogs, const bool *set)
{
    for (uint32_t i = 0; i < cogs->s->tasks.count; i++) {
        const TaskView *view = &cogs->s->tasks.items[i];
        if (view->enabled && view->promising && set[cogs->of_task[i]])
            return true;
    }
    return false;
}

/* The smallest closed set with an enabled task; with prefer_promising one with a promising task, if there is one. */
static uint32_t choose_cogs(const Cogs *cogs, bool prefer_promising, AgentId *agents)
{
    bool promises = !prefer_promising;
    bool *set = mem_alloc(cogs->count + 1u), *best = mem_alloc(cogs->count + 1u);
    uint32_t least = enabled_of(cogs, NULL, agents);
    memset(best, 1, cogs->count);
    for (uint32_t i = 0; i < cogs->count && (least > 1 || !promises); i++) {
        memset(set, 0, cogs->count);
        set[i] = true;
        close_set(cogs, set);
        uint32_t count = enabled_of(cogs, set, agents);
        bool better = !promises && is_promising(cogs, set);
        if (count > 0 && (better || (count < least && (promises == is_promising(cogs, set) || !prefer_promising)))) {
            promises |= better;
            least = count;
            memcpy(best, set, cogs->count);
        }
    }
    least = enabled_of(cogs, best, agents);
    free(set);
    free(best);
    return least;
}

uint32_t persistent_choose(const Snapshot *s, Islands *islands, const Machine *machine, bool prefer_promising,
                           AgentId *agents)
{
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const TaskView *view = &s->tasks.items[i];
        uint8_t state = machine->tasks[view->id].state;
        if (view->enabled && (state == TASK_GET || state == TASK_INIT)) {
            agents[0] = view->id;
            return 1;
        }
    }
    islands_find(islands, machine);
    Cogs cogs = {.s = s,
                 .machine = machine,
                 .islands = islands,
                 .numbers = mem_alloc((s->tasks.count + 1u) * sizeof(uint32_t)),
                 .abstract = mem_alloc((s->tasks.count + 1u) * sizeof(uint32_t)),
                 .of_task = mem_alloc((s->tasks.count + 1u) * sizeof(uint32_t))};
    for (uint32_t i = 0; i < s->tasks.count; i++)
        cogs.of_task[i] = add_cog(&cogs, s->tasks.items[i].cog);
    uint32_t count = s->unknown || s->tasks.count > MOST_TASKS ? enabled_of(&cogs, NULL, agents)
                                                               : choose_cogs(&cogs, prefer_promising, agents);
    free(cogs.numbers);
    free(cogs.abstract);
    free(cogs.of_task);
    return count;
}
