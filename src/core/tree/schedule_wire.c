/* schedule_wire.c - see schedule_wire.h: a schedule is read as a branch of a tree made for this purpose */
#include "core/tree/schedule_wire.h"

#include <string.h>

#include "core/tree/jobs_wire.h"
#include "core/tree/resolve.h"

static const size_t ROOM = (size_t)1 << 30; /* of address space */

void schedule_write(const Schedule *schedule, Program *program, Text *text)
{
    char agent[512];
    for (uint32_t i = 0; i < schedule->length; i++) {
        const PlanStep *step = &schedule->steps[i];
        program->ops->agent_path(program, step->agent, agent, sizeof agent);
        text_add_string(text, agent);
        for (uint32_t c = 0; c < step->choice_count; c++) {
            const Literal *choice = &schedule->choices[step->first_choice + c];
            text_add(text, "%c%s%u", c ? ',' : ':', choice->condition ? "?" : "", choice->taken);
        }
        text_add_string(text, "\n");
    }
}

/* Writes a tree with one branch, whose last node is a job. */
static void write_tree(const char *text, size_t size, Text *tree)
{
    uint32_t number = 0;
    text_add_string(tree, "tree d\n");
    for (const char *line = text, *end; line < text + size && (end = memchr(line, '\n', (size_t)(text + size - line)));
         line = end + 1) {
        text_add(tree, "%u %c ", number++, end + 1 < text + size ? 'p' : 'o');
        text_add_bytes(tree, line, (size_t)(end + 1 - line));
    }
}

Schedule *schedule_read(Region *region, Program *program, Execution *ex, Execution *probe, const char *text,
                        size_t size)
{
    Region *room = region_create(ROOM);
    Schedule *schedule = NULL;
    Text tree = {0};
    Error ignored;
    if (!room)
        return NULL;
    Jobs *jobs = jobs_create(room);
    write_tree(text, size, &tree);
    if (jobs_read(jobs, program, tree.data, tree.length, &ignored)) {
        ExploreStats stats = {0};
        Search search = {.program = program, .stats = &stats, .ex = ex, .probe = probe};
        JobHand hand = {0};
        bool finished, busy = false;
        jobs_take(jobs, &hand, &finished);
        if (hand.job && resolve_jobs(&search, jobs, hand.job, &busy) == RESOLVE_DONE) {
            job_plan(hand.job, ex);
            schedule = schedule_take_plan(region, ex);
        }
    }
    text_release(&tree);
    region_destroy(room);
    return schedule;
}
