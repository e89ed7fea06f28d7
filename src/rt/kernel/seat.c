/* seat.c - see seat.h */
#include "rt/kernel/seat.h"

#include <sys/mman.h>

#include "rt/detect/bug.h"
#include "rt/kernel/process.h"

/* Who took each seat: agent number + 1. In verbose executions shared with the process that makes the reports. */
static uint16_t *takers;

_Static_assert(RT_MAX_AGENTS <= UINT16_MAX, "takers have room for agent numbers");

bool seat_init(Error *error)
{
    int flags = (rt.options.verbose ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, RT_SEATS * sizeof *takers, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED)
        return error_set(error, EXIT_INTERNAL, "cannot allocate memory for threads");
    takers = memory;
    return true;
}

/* ---- Codes of paths --------------------------------------------------------------- */

/* Appends the code of a digit; 0 if it becomes too long. A code has a leading 1, which shows its length. */
static uint32_t append_digit(uint32_t code, uint32_t nth)
{
    uint32_t ones = nth > 1 ? 32 - (uint32_t)__builtin_clz(nth - 1) : 0, rest = ones > 1 ? ones - 1 : 0;
    uint32_t length = ones + 1 + rest;
    if (!code || length > SEAT_BITS || code << length >> (SEAT_BITS + 1))
        return 0;
    uint32_t unary = (1u << ones) - 1, value = rest ? (nth - 1) & ((1u << rest) - 1) : 0;
    return code << length | unary << (1 + rest) | value;
}

/* 0 if the seat does not follow from a path, or the code is too long. */
static uint32_t code_of(uint32_t seat)
{
    if (seat < SEAT_PATHS)
        return append_digit(1, seat);
    return seat < SEAT_OTHERS ? seat - SEAT_PATHS : 0;
}

uint32_t seat_of_child(uint32_t creator, uint32_t nth, AgentId agent)
{
    if (creator == 0 && nth < SEAT_PATHS)
        return nth;
    uint32_t code = creator == 0 ? 0 : append_digit(code_of(creator), nth);
    return code ? SEAT_PATHS + code : seat_of_other(agent);
}

/* ---- Agents of an execution -------------------------------------------------------- */

void seat_take(Thread *thread, Thread *namer)
{
    thread->seat = namer ? seat_of_child(namer->seat, ++namer->seated, thread->id) : 0;
    bool first = !namer || (thread->node && namer->id == 0);
    thread->place = first ? 0 : thread->node ? seat_of_child(namer->place, namer->seated, thread->id) : thread->seat;
    takers[thread->seat] = (uint16_t)(thread->id + 1);
    if (thread->seat >= SEAT_OTHERS && process_is_possible())
        report_not_modelled("a thread of so many generations in a program that forks");
}

void seat_return(const Thread *thread) { takers[thread->seat] = (uint16_t)(thread->id + 1); }

AgentId seat_agent(uint32_t seat)
{
    return seat < RT_SEATS && takers[seat] ? takers[seat] - 1u : AGENT_NONE;
}

uint32_t seat_number(AgentId agent)
{
    const Thread *thread = thread_get(agent);
    return thread->strand == agent ? thread->seat : seat_of_other(agent);
}

AgentId seat_find(uint64_t number)
{
    if (number >= RT_SEATS)
        return AGENT_NONE;
    uint32_t seat = (uint32_t)number;
    AgentId agent = seat_agent(seat) != AGENT_NONE ? seat_agent(seat) : seat - SEAT_OTHERS;
    bool exists = agent < rt.ex->agent_count && thread_get(agent)->state != THREAD_ABSENT;
    return exists && seat_number(agent) == seat ? agent : AGENT_NONE;
}
