/* race.h - data races among plain accesses, by C11 happens-before
 *
 * Each word of memory that instrumented code touched remembers, for this execution,
 * its last plain write and all plain reads since, per lane. A conflicting access that
 * is not ordered after one of them is a race. Clocks are not kept up to date at every
 * operation: operations that order are logged, and the log is worked off only when a
 * word was touched by two threads and nothing cheaper tells the order.
 *
 * Clock of an agent: its operations and the threads it created are counted together; the
 * n-th of them (from 1) has clock 2n, plain accesses between it and the next 2n+1. All that an
 * actor does has one clock: whoever handles a message for it goes on with its count, and is
 * known here by the actor's number (Thread.strand).
 */
#ifndef RT_DETECT_RACE_H
#define RT_DETECT_RACE_H

#include "rt/kernel/runtime.h"
#include "rt/memory/word.h"

typedef enum RaceKind { RACE_NONE, RACE_READ, RACE_WRITE, RACE_FREE } RaceKind;

/* A plain access to some lanes of a word. */
typedef struct RaceRecord {
    uint32_t site;     /* distance from race_site_base */
    uint32_t clock;
    uint16_t agent;
    uint8_t lanes;     /* 0 if empty */
    uint8_t kind;      /* RaceKind   */
} RaceRecord;

/* What is known about one word. Holds for execution `run` only. */
typedef struct RaceCell {
    uint32_t run;
    uint32_t more;     /* further records: index into a pool; in the upper byte the lanes
                          that were accessed atomically                                  */
    RaceRecord record[2]; /* a write and a read, either may be empty */
} RaceCell;

enum { RACE_INDEX = 0xffffff, RACE_LANES_SHIFT = 24 };

static inline uint8_t race_atomic_lanes(const RaceCell *cell) { return (uint8_t)(cell->more >> RACE_LANES_SHIFT); }

/* The cells of the arena and of the program's globals: the cell of an address is the one
 * with number address >> 3, counted from here (where there need not be any); and the range
 * of the globals. */
typedef struct RaceShadow {
    uint64_t arena_cells;
    uint64_t global_cells;
    uint64_t globals_begin, globals_size;
} RaceShadow;

extern RaceShadow race_shadow __attribute__((visibility("hidden")));

bool race_init(uint64_t globals_begin, uint64_t globals_end, Error *error);
void race_reset(void);
/* After 2^32 executions: no record may be taken for one of this execution. */
void race_clear(void);

static inline RaceCell *race_cell_from(uint64_t cells, uint64_t address)
{
    return (RaceCell *)(uintptr_t)(cells + (address >> 3) * sizeof(RaceCell));
}

/* NULL: memory that is not checked (of libraries). */
static inline RaceCell *race_cell(uint64_t address)
{
    if (LIKELY(in_arena(address)))
        return race_cell_from(race_shadow.arena_cells, address);
    if (address - race_shadow.globals_begin < race_shadow.globals_size)
        return race_cell_from(race_shadow.global_cells, address);
    return NULL;
}

/* A plain access of the running thread. */
void race_access(uint64_t address, uint64_t size, RaceKind kind);
void race_access_slow(RaceCell *cell, Word word, RaceKind kind);

static inline uint32_t race_now(void) { return 2 * (rt.agents[rt.self->id].steps + rt.self->children) + 1; }
/* Sites are constants of the program, near the runtime's own data. */
static inline uint64_t race_site_base(void) { return address_of(&sennit_rt_site) - (1ull << 31); }

/* The step being executed accesses memory atomically: it can race with plain accesses. */
void race_atomic_slow(RaceCell *cell, Word word, bool writes);
static inline void race_atomic(Word word, bool writes)
{
    RaceCell *cell = race_cell(word.address);
    if (!cell)
        return;
    uint8_t plain = cell->record[0].lanes | cell->record[1].lanes;
    if (cell->run == rt.run && !(cell->more & RACE_INDEX) && !(plain & word.lanes) &&
        !(word.lanes & ~race_atomic_lanes(cell)))
        return;
    race_atomic_slow(cell, word, writes);
}

/* ---- The log of what orders (race_clock.c) ----------------------------------- */

typedef enum RaceOp {
    LOG_LOAD,
    LOG_STORE,
    LOG_RMW,
    LOG_UPDATE,
    LOG_FENCE,
    LOG_RELEASE,
    LOG_ACQUIRE,
    LOG_CREATE
} RaceOp;

typedef struct RaceEntry {
    uint64_t object;   /* an address; LOG_CREATE: the child */
    uint32_t clock;
    uint16_t agent;
    uint8_t op;        /* RaceOp       */
    uint8_t order;     /* C11's order  */
} RaceEntry;

typedef struct RaceLog {
    RaceEntry *entries;
    uint32_t count;
} RaceLog;

extern RaceLog race_log __attribute__((visibility("hidden")));

enum { RACE_LOG_CAPACITY = 1 << 24 };
void race_log_work_off(void);

/* The running thread's newest operation. LOG_UPDATE is an RMW that commutes. */
static inline void race_log_add(RaceOp op, uint64_t object, uint32_t order)
{
    if (UNLIKELY(race_log.count == RACE_LOG_CAPACITY))
        race_log_work_off();
    race_log.entries[race_log.count++] = (RaceEntry){.object = object,
                                                     .clock = race_now() - 1,
                                                     .agent = (uint16_t)rt.self->strand,
                                                     .op = (uint8_t)op,
                                                     .order = (uint8_t)order};
}
void race_log_create(AgentId child);
/* The clock of a step of an agent. */
uint32_t race_clock_of(AgentId agent, uint32_t step);

bool race_clock_init(Error *error);
void race_clock_reset(void);
/* Does what `agent` did up to `clock` happen before what the running thread does now? */
bool race_ordered(AgentId agent, uint32_t clock);
/* Did updates that commute take part? Would it, if they acquired? (race_verify.c) */
bool race_clock_has_updates(void);
bool race_clock_ordered_by_updates(AgentId agent, uint32_t clock);
/* Does some step of `agent` from position `first` on come before the running thread's newest
 * step in every schedule of the class? */
bool race_is_forced(AgentId agent, uint32_t first);
/* Two accesses are not ordered by race_ordered: is that so in every schedule of the class? */
bool race_is_real(AgentId agent, uint32_t clock);

#endif
