/* restore_check.c - see restore_check.h */
#include "rt/program/restore_check.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "rt/detect/bug.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/scheduler.h"
#include "rt/memory/word.h"

/* What an execution has left, one after another. */
typedef VEC(unsigned char) Bytes;

typedef struct Left {
    const char *what;
    size_t unit;
    Bytes bytes;
} Left;

static Left left[] = {{"events", sizeof(Event), {0}},     {"accesses", sizeof(Access), {0}},
                      {"choices", sizeof(Choice), {0}},   {"agents", sizeof(Agent), {0}},
                      {"findings", sizeof(Finding), {0}}, {"ends", sizeof(uint32_t), {0}}};

enum { PARTS = sizeof left / sizeof left[0], ACCESSES = 1, ENDS = PARTS - 1, MOST_ENDS = 8 };

typedef struct LeftPart {
    const void *items;
    uint32_t count;
} LeftPart;

static void list_parts(const Execution *ex, LeftPart *parts, uint32_t *ends)
{
    uint32_t count = 0;
    ends[count++] = ex->end;
    ends[count++] = (uint32_t)ex->status;
    ends[count++] = ex->assumed_away;
    ends[count++] = ex->cut_count;
    ends[count++] = ex->diverged_at;
    ends[count++] = rt.stopped_agents | rt.halted_agents << 1 | rt.detours << 2 | rt.cycle_found << 3;
    ends[count++] = rt.quiet_waiters;
    parts[0] = (LeftPart){ex->events, ex->event_count};
    parts[1] = (LeftPart){ex->accesses, ex->access_count};
    parts[2] = (LeftPart){ex->choices, ex->choice_count};
    parts[3] = (LeftPart){ex->agents, ex->agent_count};
    parts[4] = (LeftPart){ex->findings, ex->finding_count};
    parts[ENDS] = (LeftPart){ends, count};
}

void restore_check_keep(const Execution *ex)
{
    LeftPart parts[PARTS];
    uint32_t ends[MOST_ENDS];
    list_parts(ex, parts, ends);
    for (unsigned i = 0; i < PARTS; i++) {
        uint32_t size = (uint32_t)(parts[i].count * left[i].unit);
        VEC_RESERVE(&left[i].bytes, size);
        if (size)
            memcpy(left[i].bytes.items, parts[i].items, size);
        left[i].bytes.count = size;
    }
}

/* What a first write to a variable on a stack replaces was left there by other calls, perhaps of other executions. */
static bool replaces_anything(const Access *access)
{
    return access->resource >> 56 == RES_MEMORY && access->mode == MODE_WRITE &&
           in_stacks(word_address(access->resource));
}

static bool same(unsigned part, const void *now, const void *before)
{
    if (part != ACCESSES || !replaces_anything(now))
        return !memcmp(now, before, left[part].unit);
    Access one = *(const Access *)now, other = *(const Access *)before;
    one.before = other.before = 0;
    return !memcmp(&one, &other, sizeof one);
}

static _Noreturn void report(const char *what, uint32_t number, const Execution *ex)
{
    char text[160];
    snprintf(text, sizeof text,
             "an execution of %u steps that was continued from a mark differs from the same one run from its "
             "beginning, in %s %u: use --restore=off",
             ex->event_count, what, number);
    sennit_rt_site = NULL;
    report_refused(text);
}

void restore_check_compare(const Execution *ex)
{
    LeftPart parts[PARTS];
    uint32_t ends[MOST_ENDS];
    list_parts(ex, parts, ends);
    for (unsigned i = 0; i < PARTS; i++) {
        uint32_t kept = (uint32_t)(left[i].bytes.count / left[i].unit);
        for (uint32_t k = 0; k < kept && k < parts[i].count; k++)
            if (!same(i, (const char *)parts[i].items + k * left[i].unit, left[i].bytes.items + k * left[i].unit))
                report(left[i].what, k, ex);
        if (kept != parts[i].count)
            report(left[i].what, kept, ex);
    }
}
