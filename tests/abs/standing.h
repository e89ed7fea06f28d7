/* standing.h - does a deadlock that was reported still stand when the execution is over? */
#ifndef TESTS_ABS_STANDING_H
#define TESTS_ABS_STANDING_H

#include "abs/run/machine.h"

/* None of its tasks is over, not even because its object died. */
static inline bool still_stands(const Machine *machine, const Finding *finding)
{
    for (uint32_t i = 0; i < finding->agent_count; i++)
        if (task_is_over(&machine->tasks[finding->agents[i]]))
            return false;
    return true;
}

#endif
