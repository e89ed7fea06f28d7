/* facts.c - see facts.h */
#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rt/actors/actor.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/thread.h"
#include "rt/sync/lifetime.h"

/* ---- Bounds ------------------------------------------------------------------------------- */

enum { NO_TIMEOUTS_BOUND = 1000 };

Bounds bounds_none(void) { return (Bounds){.timeouts = NO_TIMEOUTS_BOUND, .preemptions = -1}; }

static void draw_one(Bounds *bounds, unsigned (*draw)(unsigned below))
{
    switch (draw(6)) {
    case 0:
    case 1: bounds->steps = 1 + draw(7); break;
    case 2: bounds->children = 1 + draw(2); break;
    case 3: bounds->unroll = 1 + draw(2); break;
    case 4: bounds->timeouts = draw(2); break;
    default: bounds->preemptions = (int)draw(3); break;
    }
}

Bounds bounds_draw(unsigned (*draw)(unsigned below))
{
    Bounds bounds = bounds_none();
    draw_one(&bounds, draw);
    bounds.several = draw(3) == 0;
    for (int i = 0; bounds.several && i < 2; i++)
        draw_one(&bounds, draw);
    return bounds;
}

void bounds_set(const Bounds *bounds, ExploreOptions *options)
{
    options->max_agent_steps = bounds->steps;
    options->max_preemptions = bounds->preemptions;
    rt.options.max_children = bounds->children;
    rt.options.max_rounds = bounds->unroll;
    rt.options.max_timeouts = bounds->timeouts;
}

void bounds_print(const Bounds *bounds)
{
    printf("--max-steps=%u --max-children=%u --unroll=%u --timeouts=%u --preemptions=%d", bounds->steps, bounds->children,
           bounds->unroll, bounds->timeouts, bounds->preemptions);
}

/* ---- Facts --------------------------------------------------------------------------------- */

enum { SLOTS = 1 << 15, MOST_NEW = 256 };

typedef struct Fact {
    uint64_t name;
    uint32_t steps, timeouts; /* most of one agent in the execution, where that is least */
    char text[FINDING_TEXT];  /* of a bug */
} Fact;

struct Facts {
    Fact slots[SLOTS];
    uint32_t count;
};

static Facts *current;
static uint64_t fresh[MOST_NEW]; /* of the running execution */
static uint32_t fresh_count;

Facts *facts_create(void) { return mem_alloc(sizeof(Facts)); }
uint32_t facts_count(const Facts *facts) { return facts->count; }

void facts_note_in(Facts *facts)
{
    current = facts;
    if (facts)
        memset(facts, 0, sizeof *facts);
}

void facts_begin(void) { fresh_count = 0; }

void facts_note(uint64_t fact)
{
    if (current && fresh_count < MOST_NEW)
        fresh[fresh_count++] = fact | 1;
}

static Fact *find(const Facts *facts, uint64_t name)
{
    uint32_t i = (uint32_t)(name * 0x9e3779b97f4a7c15ull >> 49) % SLOTS;
    while (facts->slots[i].name && facts->slots[i].name != name)
        i = (i + 1) % SLOTS;
    return (Fact *)&facts->slots[i];
}

static void least(uint32_t *value, uint32_t other) { *value = *value < other ? *value : other; }

static void add(uint64_t name, uint32_t steps, uint32_t timeouts, const char *text)
{
    Fact *fact = find(current, name);
    if (!fact->name) {
        if (current->count == SLOTS / 2)
            abort();
        *fact = (Fact){.name = name, .steps = steps, .timeouts = timeouts};
        snprintf(fact->text, sizeof fact->text, "%s", text);
        current->count++;
    }
    least(&fact->steps, steps);
    least(&fact->timeouts, timeouts);
}

/* Of agents that wait the text names one, and in which order they are listed depends on the schedule. */
static uint64_t name_of(const Finding *finding)
{
    bool waits = finding->kind == BUG_DEADLOCK || finding->kind == BUG_LIVELOCK;
    uint64_t name = 0xcbf29ce484222325ull ^ (finding->kind + 1u), agents = 0;
    for (const char *at = finding->text; *at && !waits; at++)
        name = (name ^ (unsigned char)*at) * 0x100000001b3ull;
    for (uint32_t i = 0; i < finding->agent_count; i++) {
        uint64_t agent = (finding->agents[i] + 7) * 0x9e3779b97f4a7c15ull;
        agents += agent * (agent >> 29 | 1); /* not linear: 1 and 4 are not 2 and 3 */
    }
    return ((name ^ agents) * 0x100000001b3ull) & ~1ull;
}

void facts_end(const Execution *ex, bool findings)
{
    static uint32_t taken[RT_MAX_AGENTS]; /* by strand: an actor is one, whatever it handles */
    uint32_t steps = 0, timeouts = 0;
    bool whole = ex->end == END_COMPLETE;
    if (!current)
        return;
    memset(taken, 0, ex->agent_count * sizeof *taken);
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        const Thread *thread = thread_get(agent);
        if (thread->state == THREAD_ABSENT)
            continue;
        const ThreadRecord *record = *thread_slot(agent);
        uint32_t *strand = &taken[thread->strand];
        *strand += ex->agents[agent].steps;
        steps = *strand > steps ? *strand : steps;
        timeouts = record && record->timeouts > timeouts ? record->timeouts : timeouts;
        timeouts = thread->actor && thread->actor->timeouts > timeouts ? thread->actor->timeouts : timeouts;
    }
    for (uint32_t i = 0; i < fresh_count; i++)
        add(fresh[i], whole ? steps : UINT32_MAX, whole ? timeouts : UINT32_MAX, "");
    for (uint32_t i = 0; i < ex->finding_count && findings; i++)
        add(name_of(&ex->findings[i]), whole ? steps : UINT32_MAX, whole ? timeouts : UINT32_MAX, ex->findings[i].text);
}

uint64_t facts_invented(const Facts *with, const Facts *without)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (with->slots[i].name && !find(without, with->slots[i].name)->name)
            return with->slots[i].name;
    return 0;
}

/* An agent that took the last step it may take has perhaps met the bound; so has one that timed out as often as it may:
 * it may be waiting again. */
static bool inside(const Fact *fact, const Bounds *bounds)
{
    return fact->steps != UINT32_MAX && (!bounds->steps || fact->steps < bounds->steps) && !bounds->children &&
           !bounds->unroll && fact->timeouts < bounds->timeouts && bounds->preemptions < 0 &&
           !(bounds->steps && bounds->timeouts != NO_TIMEOUTS_BOUND);
}

uint64_t facts_missed(const Facts *with, const Facts *without, const Bounds *bounds)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (without->slots[i].name && inside(&without->slots[i], bounds) && !find(with, without->slots[i].name)->name)
            return without->slots[i].name;
    return 0;
}

void facts_print(const Facts *facts, uint64_t fact)
{
    printf("    %llx %s\n", (unsigned long long)fact, find(facts, fact)->text);
}
