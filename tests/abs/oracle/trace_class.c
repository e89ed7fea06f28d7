/* trace_class.c - see trace_class.h */
#include "trace_class.h"

#include <stdlib.h>

uint64_t trace_mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
}

static bool depends(const Execution *ex, const Event *earlier, const Event *later)
{
    const Agent *agent = &ex->agents[later->agent];
    if (earlier->agent == later->agent || (agent->creator == earlier->agent && agent->creator_step >= earlier->index))
        return true;
    for (uint32_t i = 0; i < earlier->access_count; i++)
        for (uint32_t k = 0; k < later->access_count; k++)
            if (accesses_conflict(&ex->accesses[earlier->first_access + i], &ex->accesses[later->first_access + k]))
                return true;
    return false;
}

uint64_t trace_class(AbsProgram *program, const Execution *ex)
{
    const NameTable *tasks = program_abs_machine(program)->names;
    uint32_t count = ex->event_count, words = count / 64 + 1;
    uint64_t *pasts = calloc((size_t)count * words + 1, sizeof *pasts), *names = calloc(count + 1, sizeof *names), class = 0;
    for (uint32_t n = 0; n < count; n++) {
        const Event *event = &ex->events[n];
        uint64_t *past = pasts + (size_t)n * words, sum = 0;
        for (uint32_t i = n; i-- > 0;)
            if (!(past[i / 64] >> i % 64 & 1) && depends(ex, &ex->events[i], event))
                for (uint32_t w = 0; w < words; w++)
                    past[w] |= pasts[(size_t)i * words + w];
        for (uint32_t i = 0; i < n; i++)
            if (past[i / 64] >> i % 64 & 1)
                sum += trace_mix(names[i]);
        names[n] = trace_mix(sum + trace_mix(names_task_name(tasks, event->agent)->hash + event->index));
        for (uint32_t c = 0; c < event->choice_count; c++)
            names[n] = trace_mix(names[n] + 1 + ex->choices[event->first_choice + c].taken);
        past[n / 64] |= 1ull << n % 64;
        class += trace_mix(names[n] + 0x1234567);
    }
    free(pasts);
    free(names);
    return class >> 1;
}
