/* inputs.c - see inputs.h */
#include "abs/inputs.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/map.h"
#include "base/mem.h"

enum { MOST_CONDITIONS = 1 << 20, MOST_VARIABLES = 64, MOST_WORK = 20000 };

/* "variable < threshold", the variable being below bound. */
typedef struct Condition {
    uint64_t variable; /* 0: free entry */
    uint32_t threshold;
    uint32_t bound;
} Condition;

struct Inputs {
    atomic_flag lock;
    uint32_t count;
    Condition conditions[MOST_CONDITIONS]; /* hash table; number = place + 1 */
};

/* ---- Conditions --------------------------------------------------------------------- */

Inputs *inputs_create(void)
{
    Inputs *inputs = mmap(NULL, sizeof *inputs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (inputs == MAP_FAILED)
        mem_exhausted(sizeof *inputs);
    return inputs;
}

void inputs_destroy(Inputs *inputs)
{
    if (inputs)
        munmap(inputs, sizeof *inputs);
}

/* The number of the condition; 0 if the table is full. */
static uint32_t find_condition(Inputs *inputs, uint64_t variable, uint32_t threshold, uint32_t bound)
{
    uint32_t place = (uint32_t)map_mix(variable, threshold) & (MOST_CONDITIONS - 1), number = 0;
    while (atomic_flag_test_and_set_explicit(&inputs->lock, memory_order_acquire))
        ;
    for (; !number; place = (place + 1) & (MOST_CONDITIONS - 1)) {
        Condition *condition = &inputs->conditions[place];
        if (!condition->variable && inputs->count < MOST_CONDITIONS / 2) {
            *condition = (Condition){variable, threshold, bound};
            inputs->count++;
        }
        if (!condition->variable)
            break;
        if (condition->variable == variable && condition->threshold == threshold)
            number = place + 1;
    }
    atomic_flag_clear_explicit(&inputs->lock, memory_order_release);
    return number;
}

/* ---- Drawing -------------------------------------------------------------------------- */

static uint32_t decide(Execution *ex, uint32_t condition)
{
    Event *event = &ex->events[ex->event_count - 1];
    uint32_t position = ex->event_count - 1, nth = event->choice_count, taken = 0;
    if (position < ex->plan_length && nth < ex->plan[position].choice_count)
        taken = ex->plan_choices[ex->plan[position].first_choice + nth].taken;
    else if (ex->picker && ex->picker->choose)
        taken = ex->picker->choose(ex->picker, ex, 2);
    ex->choices[ex->choice_count++] = (Choice){.taken = taken, .options = 2, .condition = condition};
    event->choice_count++;
    return taken;
}

uint32_t inputs_draw(Machine *machine, uint32_t bound)
{
    Task *task = machine->task;
    uint64_t variable = map_mix(names_task_name(machine->names, task->id)->hash, ++task->draws) | 1;
    uint32_t low = 0, high = bound;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t condition = find_condition(machine->inputs, variable, middle, bound);
        if (!condition) {
            machine->out_of_room = true;
            break;
        }
        if (decide(machine->ex, condition) == 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* ---- Feasibility ------------------------------------------------------------------------ */

/* A variable and the values it may still have. */
typedef struct Range {
    uint64_t variable;
    uint32_t low, high; /* low <= value < high */
} Range;

typedef struct Search {
    const Inputs *inputs;
    Range ranges[MOST_VARIABLES];
    uint32_t count;
    unsigned work;
} Search;

static Range *find_range(Search *search, const Condition *condition)
{
    for (uint32_t i = 0; i < search->count; i++)
        if (search->ranges[i].variable == condition->variable)
            return &search->ranges[i];
    if (search->count == MOST_VARIABLES)
        return NULL;
    search->ranges[search->count] = (Range){condition->variable, 0, condition->bound};
    return &search->ranges[search->count++];
}

/* Narrows the range of a literal's variable; false if nothing is left. */
static bool assume(Search *search, Literal literal, bool negated)
{
    const Condition *condition = &search->inputs->conditions[literal.condition - 1];
    Range *range = find_range(search, condition);
    if (!range)
        return true;
    if ((literal.taken == 0) != negated)
        range->high = range->high < condition->threshold ? range->high : condition->threshold;
    else
        range->low = range->low > condition->threshold ? range->low : condition->threshold;
    return range->low < range->high;
}

/* Some literal of each clause from `clause` on can be false. */
static bool escape(Search *search, const Literal *any, const uint32_t *ends, uint32_t clause, uint32_t clauses)
{
    if (clause == clauses || search->count == MOST_VARIABLES || ++search->work > MOST_WORK)
        return true;
    for (uint32_t i = clause ? ends[clause - 1] : 0; i < ends[clause]; i++) {
        Search saved = *search;
        if (assume(search, any[i], true) && escape(search, any, ends, clause + 1, clauses))
            return true;
        saved.work = search->work;
        *search = saved;
    }
    return false;
}

bool inputs_feasible(const Inputs *inputs, const Literal *all, uint32_t count, const Literal *any,
                     const uint32_t *ends, uint32_t clauses)
{
    Search search = {.inputs = inputs};
    for (uint32_t i = 0; i < count; i++)
        if (!assume(&search, all[i], false))
            return false;
    return escape(&search, any, ends, 0, clauses);
}
