/* classes.c - see classes.h */
#include "classes.h"

#include <string.h>

/* ---- Hashes -------------------------------------------------------------- */

uint64_t mix64(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
    uint64_t hash = size, word;
    for (; size >= sizeof word; size -= sizeof word, bytes = (const char *)bytes + sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
    }
    word = 0;
    memcpy(&word, bytes, size);
    return mix64(hash ^ word);
}

uint64_t state_hash(const ModelState *state) { return hash_bytes(state, sizeof *state); }

/* ---- Names ------------------------------------------------------------------ */

static bool depends(const Names *names, uint32_t earlier, const Execution *ex, const Event *event)
{
    const Event *other = &names->event[earlier];
    if (other->agent == event->agent)
        return true;
    const Agent *agent = &ex->agents[event->agent];
    if (agent->creator == other->agent && agent->creator_step == other->index)
        return true;
    for (uint32_t i = 0; i < other->access_count; i++)
        for (uint32_t j = 0; j < event->access_count; j++)
            if (accesses_conflict(&names->access[earlier][i], &ex->accesses[event->first_access + j]))
                return true;
    return false;
}

bool names_add(Names *names, const Execution *ex, const Event *event)
{
    uint32_t n = names->count;
    if (n == NAMES_MAX || event->access_count > 8)
        return false;
    uint64_t past = 0, sum = 0;
    for (uint32_t i = n; i-- > 0;)
        if (!(past >> i & 1) && depends(names, i, ex, event))
            past |= names->past[i];
    for (uint32_t i = 0; i < n; i++)
        if (past >> i & 1)
            sum += mix64(names->name[i]);
    uint64_t name = mix64(sum + mix64((uint64_t)event->agent << 32 | event->index));
    for (uint32_t c = 0; c < event->choice_count; c++)
        name = mix64(name + 1 + ex->choices[event->first_choice + c].taken);
    names->name[n] = name;
    names->past[n] = past | 1ull << n;
    names->event[n] = *event;
    memcpy(names->access[n], &ex->accesses[event->first_access], event->access_count * sizeof(Access));
    names->class += mix64(name + 0x1234567);
    names->count++;
    return true;
}

/* ---- Brute force --------------------------------------------------------------- */

typedef struct Brute {
    const ModelCode *code;
    Execution *ex;
    ClassMap prefixes;
    ClassMap *classes;
    uint32_t limit;
    bool sound;
    Names names;
} Brute;

static void enumerate(Brute *brute, const ModelState *state);

/* Takes one step with the choices of the plan; continues behind it if that class of prefixes is
 * new; then answers whether the step has another outcome, which the plan then holds. */
static bool try_step(Brute *brute, const ModelState *state, AgentId agent)
{
    Execution *ex = brute->ex;
    ModelState after = *state;
    uint32_t steps = ex->agents[agent].steps;
    Literal choices[8] = {{0}};
    Agent agents[MAX_THREADS];
    memcpy(agents, ex->agents, sizeof agents);
    ex->event_count = ex->access_count = ex->choice_count = 0;
    model_step(brute->code, &after, ex, agent);
    Event event = ex->events[0];
    bool more = false, infeasible = after.inputs == 0;
    uint32_t changed = 0;
    for (uint32_t c = 0; c < event.choice_count; c++) {
        choices[c] = (Literal){.condition = ex->choices[c].condition, .taken = ex->choices[c].taken};
        if (ex->choices[c].taken + 1 < ex->choices[c].options) {
            more = true;
            changed = c;
        }
    }
    uint64_t class = brute->names.class, hash = state_hash(&after), seen = hash;
    if (!names_add(&brute->names, ex, &event)) {
        brute->limit = 0;
        return false;
    }
    if (infeasible)
        ; /* no input takes this outcome here */
    else if (classmap_add(&brute->prefixes, brute->names.class, &seen))
        enumerate(brute, &after);
    else if (seen != hash)
        brute->sound = false;
    brute->names.count--;
    brute->names.class = class;
    memcpy(ex->agents, agents, sizeof agents);
    ex->agents[agent].steps = steps;
    if (more) {
        choices[changed].taken++;
        memcpy(ex->plan_choices, choices, (changed + 1) * sizeof *choices);
        ex->plan[0] = (PlanStep){.agent = agent, .choice_count = (uint16_t)(changed + 1)};
    }
    return more;
}

static void enumerate(Brute *brute, const ModelState *state)
{
    bool any = false;
    for (AgentId agent = 0; agent < brute->code->threads; agent++) {
        if (brute->prefixes.count > brute->limit || !model_enabled(brute->code, state, agent))
            continue;
        any = true;
        brute->ex->plan_length = 1;
        brute->ex->plan[0] = (PlanStep){.agent = agent};
        if (brute->code->domain[0] > 1) { /* try both outcomes of a branch, 0 first */
            brute->ex->plan[0].choice_count = 1;
            brute->ex->plan_choices[0] = (Literal){0};
        }
        while (try_step(brute, state, agent))
            brute->ex->plan_length = 1;
    }
    uint64_t hash = state_hash(state);
    if (!any && brute->prefixes.count <= brute->limit)
        classmap_add(brute->classes, brute->names.class, &hash);
}

bool brute_classes(const ModelCode *code, Execution *scratch, uint32_t limit, ClassMap *classes, bool *sound)
{
    static Brute brute;
    classmap_reset(&brute.prefixes);
    brute.code = code;
    brute.ex = scratch;
    brute.classes = classes;
    brute.limit = limit;
    brute.sound = true;
    brute.names.count = 0;
    brute.names.class = 0;
    ModelState state;
    execution_reset(scratch);
    scratch->picker = NULL;
    model_start(code, &state, scratch);
    classmap_reset(classes);
    enumerate(&brute, &state);
    *sound = brute.sound;
    return brute.prefixes.count <= brute.limit;
}
