/* race.h - data races among plain accesses, by C11 happens-before (race_clock.h)
 *
 * For each word of memory that instrumented code accessed, a cell records for this execution
 * its last plain write and all plain reads since, per lane. A conflicting access that is not
 * ordered after one of them is a race. The allocation of a heap block counts as a write of it:
 * calloc writes, and before malloc returns there is nothing to access.
 */
#ifndef RT_DETECT_RACE_H
#define RT_DETECT_RACE_H

#include <string.h>

#include "rt/detect/race_clock.h"
#include "rt/kernel/image.h"
#include "rt/memory/word.h"

typedef enum RaceKind { RACE_NONE, RACE_READ, RACE_WRITE, RACE_FREE, RACE_ALLOCATE } RaceKind;

/* A plain access to some lanes of a word. */
typedef struct RaceRecord {
    uint32_t site;     /* distance from race_site_base */
    uint32_t clock;
    uint16_t agent;
    uint8_t lanes;     /* 0 if empty */
    uint8_t kind;      /* RaceKind   */
} RaceRecord;

/* Agent, lanes and kind of a record as one number. They are written as they are read: a load of more than what was just
 * stored waits until the store is in the cache. */
static inline uint32_t race_tail(AgentId agent, uint8_t lanes, RaceKind kind)
{
    return (uint32_t)agent | (uint32_t)lanes << 16 | (uint32_t)kind << 24;
}
static inline uint32_t race_tail_of(const RaceRecord *record)
{
    uint32_t tail;
    memcpy(&tail, &record->agent, sizeof tail);
    return tail;
}
static inline void race_set_tail(RaceRecord *record, uint32_t tail) { memcpy(&record->agent, &tail, sizeof tail); }
static inline uint8_t race_tail_lanes(uint32_t tail) { return (uint8_t)(tail >> 16); }

/* What is known about one word, in one execution. */
typedef struct RaceCell {
    uint32_t execution; /* number of the execution in which this is valid */
    uint32_t more;     /* further records: index into a pool; in the upper byte the lanes
                          that were accessed atomically                                  */
    RaceRecord record[2]; /* a write and a read, either may be empty */
} RaceCell;

enum { RACE_INDEX = 0xffffff, RACE_LANES_SHIFT = 24 };

static inline uint8_t race_atomic_lanes(const RaceCell *cell) { return (uint8_t)(cell->more >> RACE_LANES_SHIFT); }

/* Where the cells of the arena and of the program's globals would begin if they began with
 * address 0: the cell of an address is the one with number address >> 3 from there; and the
 * range of the globals. */
typedef struct RaceShadow {
    uint64_t arena_cells;
    uint64_t global_cells;
    uint64_t globals_begin, globals_size;
} RaceShadow;

extern RaceShadow race_shadow __attribute__((visibility("hidden")));

/* The cells of this execution, in the order in which they became that. */
typedef struct RaceTouched {
    RaceCell **cells;
    uint32_t count;
} RaceTouched;

extern RaceTouched race_touched __attribute__((visibility("hidden")));

enum { RACE_MOST_TOUCHED = 1 << 20 };

/* The cell becomes one of this execution. More than fit into the list are too many for an image. */
static ALWAYS_INLINE void race_touch(RaceCell *cell)
{
    cell->execution = rt.execution;
    if (LIKELY(race_touched.count < RACE_MOST_TOUCHED))
        race_touched.cells[race_touched.count++] = cell;
    else
        image_void_all();
}

/* Reserves the cells; the globals lie in the range given. False if there is no address space. */
bool race_init(uint64_t globals_begin, uint64_t globals_end, Error *error);
/* An execution begins: nothing was accessed yet. */
void race_reset(void);
/* For an image of the execution; false: it is too large for one. And before it is put back. */
bool race_save(RtImage *image);
void race_forget_all(void);
/* For an image of a process: the cells alone. */
void race_save_cells(RtImage *image);
/* Puts back an image with them, in place of those that there are, but for those of memory that processes share. */
void race_put_back_cells(const RtImage *image);
/* Before execution numbers start again: no cell may be taken for one of this execution. */
void race_clear(void);

static inline RaceCell *race_cell_from(uint64_t cells, uint64_t address)
{
    return (RaceCell *)(uintptr_t)(cells + (address >> 3) * sizeof(RaceCell));
}

/* The cell of an address; NULL: memory that is not checked (of libraries). */
static inline RaceCell *race_cell(uint64_t address)
{
    if (LIKELY(in_arena(address)))
        return race_cell_from(race_shadow.arena_cells, address);
    if (address - race_shadow.globals_begin < race_shadow.globals_size)
        return race_cell_from(race_shadow.global_cells, address);
    return NULL;
}

/* Must the first access to a word be compared with the allocation of its block? The own writes come after it. */
static inline bool race_needs_allocation(uint64_t address, RaceKind kind)
{
    return in_heaps(address) && (kind == RACE_READ || heap_seat(address) != rt.self->seat);
}

/* A plain access of the running thread: reports the races it has, and records it. */
void race_access(uint64_t address, uint64_t size, RaceKind kind);
/* The same for an access that is part of the step being executed: what acquires what the step releases is ordered. */
void race_access_in_step(uint64_t address, uint64_t size, RaceKind kind);
/* The same for a part of one word, whose cell is given. */
void race_access_slow(RaceCell *cell, Word word, RaceKind kind);
/* What an access of the running thread to a whole word leaves behind; and leaves it in the cells of memory that nothing
 * has accessed in this execution. */
RaceRecord race_record(RaceKind kind);
void race_place(uint64_t address, uint64_t size, const RaceRecord *record);

/* What sites are counted from: they are constants of the program, near the runtime's own data. */
static inline uint64_t race_site_base(void) { return address_of(&sennit_rt_site) - (1ull << 31); }

/* The step being executed accesses memory atomically: it can race with plain accesses. */
void race_atomic_slow(RaceCell *cell, Word word, bool writes);
static inline void race_atomic(Word word, bool writes)
{
    RaceCell *cell = race_cell(word.address);
    if (!cell)
        return;
    uint8_t plain = cell->record[0].lanes | cell->record[1].lanes;
    if (cell->execution == rt.execution && !(cell->more & RACE_INDEX) && !(plain & word.lanes) &&
        !(word.lanes & ~race_atomic_lanes(cell)))
        return;
    race_atomic_slow(cell, word, writes);
}

#endif
