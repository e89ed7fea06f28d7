/* causes.c - see causes.h */
#include "subject/abs/causes.h"

#include <stdlib.h>

#include "abs/run/footprint.h"
#include "base/mem.h"
#include "core/hb.h"

enum { MOST_CLOCKS = 20000000 }; /* steps times tasks: more are not compared */

typedef struct Causes {
    const Machine *machine;
    const Execution *ex;
    Hb hb;
    bool *roots; /* by step of the sequence */
    uint32_t length;
} Causes;

/* The last step of the task, or the one that created it. */
static void add_last_step(Causes *causes, AgentId agent)
{
    const Agent *made = &causes->ex->agents[agent];
    for (uint32_t i = causes->length; i-- > 0;) {
        const Event *event = &causes->ex->events[i];
        if (event->agent == agent || (made->steps == 0 && event->agent == made->creator &&
                                      event->index == made->creator_step)) {
            causes->roots[i] = true;
            return;
        }
    }
}

static bool writes(const Causes *causes, const Event *event, uint64_t resource)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &causes->ex->accesses[event->first_access + i];
        if (access->resource == resource && access->mode == MODE_WRITE)
            return true;
    }
    return false;
}

static void add_last_write(Causes *causes, uint64_t resource)
{
    for (uint32_t i = causes->length; i-- > 0;) {
        if (writes(causes, &causes->ex->events[i], resource)) {
            causes->roots[i] = true;
            return;
        }
    }
}

static void add_condition(Causes *causes, const Task *task)
{
    if (task->state != TASK_AWAIT || !task->guard->condition)
        return;
    const ModelObject *object = &causes->machine->objects[task->frame->object];
    for (uint32_t i = 0; i < task->guard->input_count; i++)
        if (task->guard->inputs[i].kind == INPUT_FIELD)
            add_last_write(causes, footprint_field(object, task->guard->inputs[i].number));
}

static bool is_cause(const Causes *causes, uint32_t position)
{
    for (uint32_t root = position; root < causes->length; root++)
        if (causes->roots[root] && hb_reaches(&causes->hb, position, root))
            return true;
    return false;
}

void causes_mark(AbsProgram *program, const Execution *ex, const Finding *finding, Sequence *sequence)
{
    Causes causes = {.machine = program_abs_machine(program), .ex = ex, .length = sequence->step_count,
                     .roots = mem_alloc(sequence->step_count + 1)};
    if ((uint64_t)ex->event_count * ex->agent_count <= MOST_CLOCKS) {
        hb_init(&causes.hb, ex);
        hb_extend(&causes.hb);
        for (uint32_t i = 0; i < finding->agent_count; i++) {
            add_last_step(&causes, finding->agents[i]);
            add_condition(&causes, &causes.machine->tasks[finding->agents[i]]);
        }
        for (uint32_t i = 0; i < causes.length; i++)
            sequence->steps[i].aside = !is_cause(&causes, i);
        hb_release(&causes.hb);
    }
    free(causes.roots);
}
