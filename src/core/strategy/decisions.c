/* decisions.c - see decisions.h */
#include "core/strategy/decisions.h"

#include <sys/mman.h>

#include "base/mem.h"
#include "base/vec.h"

enum { MAX_DECISIONS = 1 << 22, MAX_ALTERNATIVES = 1 << 24 };

/* ---- Lifecycle -------------------------------------------------------- */

static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        mem_exhausted(size);
    return block;
}

Decisions *decisions_create(Region *region)
{
    Decisions *decisions = region_alloc(region, sizeof *decisions);
    *decisions = (Decisions){.region = region,
                             .items = reserve(MAX_DECISIONS * sizeof *decisions->items),
                             .alternatives = reserve(MAX_ALTERNATIVES * sizeof *decisions->alternatives)};
    return decisions;
}

void decisions_destroy(Decisions *decisions)
{
    munmap(decisions->items, MAX_DECISIONS * sizeof *decisions->items);
    munmap(decisions->alternatives, MAX_ALTERNATIVES * sizeof *decisions->alternatives);
    region_free(decisions->region, decisions, sizeof *decisions);
}

/* ---- While an execution runs ------------------------------------------- */

static Decision *add(Decisions *decisions, Alternative taken)
{
    if (decisions->count == MAX_DECISIONS)
        mem_exhausted(MAX_DECISIONS * sizeof *decisions->items);
    Decision *decision = &decisions->items[decisions->count++];
    *decision = (Decision){.taken = taken, .first_alternative = decisions->alternative_count, .preempted = AGENT_NONE};
    return decision;
}

static uint32_t preemptions_so_far(const Decisions *decisions)
{
    for (uint32_t i = decisions->count; i-- > 0;) {
        const Decision *decision = &decisions->items[i];
        if (!decision->is_choice)
            return decision->preemptions +
                   (decision->preempted != AGENT_NONE && decision->preempted != decision->taken.value);
    }
    return 0;
}

static Decision *add_step(Decisions *decisions, Alternative taken)
{
    uint32_t preemptions = preemptions_so_far(decisions);
    Decision *decision = add(decisions, taken);
    decision->preemptions = preemptions;
    decisions->steps++;
    return decision;
}

void decisions_begin(Decisions *decisions, const Execution *begun, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        const Event *event = &begun->events[i];
        add_step(decisions, (Alternative){.value = event->agent});
        for (uint32_t k = 0; k < event->choice_count; k++) {
            const Choice *choice = &begun->choices[event->first_choice + k];
            Decision *decision = add(decisions, (Alternative){.value = choice->taken});
            decision->is_choice = true;
            decision->condition = choice->condition;
        }
    }
}

/* A step that only the inputs decide follows its agent's last one without a call of the picker. */
static void add_missing_steps(Decisions *decisions, const Execution *ex)
{
    while (decisions->steps < ex->event_count)
        add_step(decisions, (Alternative){.value = ex->events[decisions->steps].agent});
}

Decision *decisions_add_step(Decisions *decisions, const Execution *ex, Alternative taken)
{
    add_missing_steps(decisions, ex);
    return add_step(decisions, taken);
}

void decisions_add_alternative(Decisions *decisions, Alternative alternative)
{
    if (decisions->alternative_count == MAX_ALTERNATIVES)
        mem_exhausted(MAX_ALTERNATIVES * sizeof *decisions->alternatives);
    decisions->alternatives[decisions->alternative_count++] = alternative;
}

void decisions_add_choice(Decisions *decisions, const Execution *ex, uint32_t options)
{
    add_missing_steps(decisions, ex);
    add(decisions, (Alternative){0})->is_choice = true;
    for (uint32_t value = options; value-- > 1;)
        decisions_add_alternative(decisions, (Alternative){.value = value});
}

void decisions_add_choice_of(Decisions *decisions, const Execution *ex, const uint32_t *values, uint32_t count)
{
    add_missing_steps(decisions, ex);
    add(decisions, (Alternative){.value = values[0]})->is_choice = true;
    for (uint32_t i = count; i-- > 1;)
        decisions_add_alternative(decisions, (Alternative){.value = values[i]});
}

void decisions_add_branch(Decisions *decisions, const Execution *ex, uint32_t condition, uint32_t taken)
{
    add_missing_steps(decisions, ex);
    Decision *decision = add(decisions, (Alternative){.value = taken});
    decision->is_choice = true;
    decision->condition = condition;
    decisions_add_alternative(decisions, (Alternative){.value = !taken});
}

void decisions_restart(Decisions *decisions)
{
    decisions->count = decisions->planned;
    decisions->alternative_count = decisions->planned_alternatives;
    decisions->steps = decisions->planned_steps;
}

void decisions_end(Decisions *decisions, const Execution *ex) { add_missing_steps(decisions, ex); }

/* ---- Between executions ------------------------------------------------- */

Decision *decisions_top(Decisions *decisions)
{
    return decisions->count > 0 ? &decisions->items[decisions->count - 1] : NULL;
}

uint32_t decisions_left(const Decisions *decisions)
{
    return decisions->alternative_count - decisions->items[decisions->count - 1].first_alternative;
}

void decisions_drop(Decisions *decisions)
{
    const Decision *decision = decisions_top(decisions);
    decisions->alternative_count = decision->first_alternative;
    decisions->steps -= !decision->is_choice;
    decisions->count--;
}

void decisions_advance(Decisions *decisions)
{
    decisions_top(decisions)->taken = decisions->alternatives[--decisions->alternative_count];
}

static bool is_feasible(const Decisions *decisions, Program *program)
{
    VEC(Literal) literals = {0};
    if (!program->ops->feasible || decisions->count == 0 || !decisions->items[decisions->count - 1].condition)
        return true;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const Decision *decision = &decisions->items[i];
        if (decision->condition)
            VEC_PUSH(&literals, ((Literal){.condition = decision->condition, .taken = decision->taken.value}));
    }
    bool answer = program->ops->feasible(program, literals.items, literals.count, NULL, NULL, 0);
    VEC_FREE(&literals);
    return answer;
}

bool decisions_plan(Decisions *decisions, Execution *ex)
{
    uint32_t choices = 0;
    if (!is_feasible(decisions, ex->program))
        return false;
    ex->plan_length = 0;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const Decision *decision = &decisions->items[i];
        if (decision->is_choice) {
            ex->plan[ex->plan_length - 1].choice_count++;
            ex->plan_choices[choices++] = (Literal){.condition = decision->condition, .taken = decision->taken.value};
        } else {
            ex->plan[ex->plan_length++] = (PlanStep){.agent = decision->taken.value, .first_choice = choices};
        }
    }
    decisions->planned = decisions->count;
    decisions->planned_alternatives = decisions->alternative_count;
    decisions->planned_steps = decisions->steps;
    return program_solves(ex->program, ex);
}
