/* execution.c - see execution.h */
#include "core/execution.h"

#include "core/program.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "core/schedule.h"

/* ---- Lifecycle -------------------------------------------------------- */

/* The arrays of an execution and their sizes in one place. */
#define ARRAYS(X)                                                                       \
    X(plan, EXECUTION_MAX_EVENTS)                                                       \
    X(plan_choices, EXECUTION_MAX_CHOICES)                                              \
    X(events, EXECUTION_MAX_EVENTS)                                                     \
    X(accesses, EXECUTION_MAX_ACCESSES)                                                 \
    X(choices, EXECUTION_MAX_CHOICES)                                                   \
    X(agents, EXECUTION_MAX_AGENTS)                                                     \
    X(blocked, EXECUTION_MAX_AGENTS)                                                    \
    X(findings, EXECUTION_MAX_FINDINGS)                                                 \
    X(notes, EXECUTION_MAX_NOTES)

typedef struct Layout {
    size_t size;
#define OFFSET(array, count) size_t array;
    ARRAYS(OFFSET)
#undef OFFSET
} Layout;

static size_t place(size_t *end, size_t size)
{
    size_t offset = *end, page = 4096;
    *end += (size + page - 1) / page * page;
    return offset;
}

/* The execution, followed by its arrays, each on pages of its own: unused pages cost nothing. */
static Layout layout(void)
{
    Layout l = {0};
    Execution *ex = NULL;
    place(&l.size, sizeof *ex);
#define PLACE(array, count) l.array = place(&l.size, (size_t)(count) * sizeof *ex->array);
    ARRAYS(PLACE)
#undef PLACE
    return l;
}

Execution *execution_create(Program *program)
{
    Layout l = layout();
    char *block = mmap(NULL, l.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        mem_exhausted(l.size);
    Execution *ex = (Execution *)block;
    ex->program = program;
    ex->memory = program ? program->memory : MEMORY_SC;
#define POINT(array, count) ex->array = (void *)(block + l.array);
    ARRAYS(POINT)
#undef POINT
    return ex;
}

void execution_destroy(Execution *ex)
{
    if (ex)
        munmap(ex, layout().size);
}

void execution_reset(Execution *ex)
{
    ex->event_count = ex->access_count = ex->choice_count = ex->agent_count = 0;
    ex->blocked_count = ex->finding_count = 0;
    ex->idle_count = 0;
    ex->notes_size = 0;
    ex->did_new = false;
    ex->assumed_away = 0;
    ex->restored = false;
    if (ex->cut_count)
        memset(ex->cuts, 0, sizeof ex->cuts);
    ex->cut_count = 0;
    ex->end = END_RUNNING;
    ex->status = 0;
    ex->diverged_at = 0;
}

uint32_t execution_preemptions(const Execution *ex, uint32_t length)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < length && i < ex->event_count; i++)
        count += (ex->events[i].flags & EVENT_PREEMPTS) != 0;
    return count;
}

/* ---- For programs ----------------------------------------------------- */

static bool planned_choice(const Execution *ex, uint32_t nth, uint32_t *value)
{
    uint32_t position = ex->event_count - 1;
    if (position >= ex->plan_length || nth >= ex->plan[position].choice_count)
        return false;
    *value = ex->plan_choices[ex->plan[position].first_choice + nth].taken;
    return true;
}

uint32_t execution_choose(Execution *ex, uint32_t options)
{
    Event *event = &ex->events[ex->event_count - 1];
    uint32_t taken = 0;
    if (planned_choice(ex, event->choice_count, &taken)) {
        if (taken >= options)
            return UINT32_MAX;
    } else if (ex->picker && ex->picker->choose) {
        taken = ex->picker->choose(ex->picker, ex, options);
    }
    ex->choices[ex->choice_count++] = (Choice){.taken = taken, .options = options};
    event->choice_count++;
    return taken;
}

bool execution_branch(Execution *ex, uint32_t condition, uint32_t taken)
{
    Event *event = &ex->events[ex->event_count - 1];
    uint32_t planned = taken;
    if (!planned_choice(ex, event->choice_count, &planned) && ex->picker && ex->picker->branched)
        ex->picker->branched(ex->picker, ex, condition, taken);
    ex->choices[ex->choice_count++] = (Choice){.taken = taken, .options = 2, .condition = condition};
    event->choice_count++;
    return planned == taken;
}

Finding *execution_add_finding(Execution *ex, BugKind kind)
{
    static Finding dropped;
    Finding *finding = ex->finding_count < EXECUTION_MAX_FINDINGS ? &ex->findings[ex->finding_count++] : &dropped;
    memset(finding, 0, sizeof *finding);
    finding->kind = kind;
    finding->position = ex->event_count;
    return finding;
}

const Finding *execution_find_bug(const Execution *ex, const Finding *wanted)
{
    for (uint32_t i = 0; i < ex->finding_count; i++)
        if (finding_same_bug(&ex->findings[i], wanted))
            return &ex->findings[i];
    return NULL;
}
