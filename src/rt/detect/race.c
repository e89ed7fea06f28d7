/* race.c - see race.h */
#include "rt/detect/race.h"

#include <sys/mman.h>

#include "base/vec.h"
#include "rt/abi/ops.h"
#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/detect/race_verify.h"
#include "rt/detect/shared.h"
#include "rt/detect/stack.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"

RaceShadow race_shadow;
RaceTouched race_touched;

/* A record that does not fit into its cell. */
typedef struct Extra {
    RaceRecord record;
    uint32_t next;      /* 0 ends the list */
} Extra;

enum { ALL_LANES = 0xff };

#define EXTRA_CAPACITY (RACE_INDEX + 1u)

static struct {
    Extra *items;
    uint32_t count;     /* the first one is not used */
} extras;

/* ---- Lifecycle -------------------------------------------------------------- */

static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    madvise(block, size, MADV_DONTDUMP);
    return block;
}

#define ARENA_CELLS_SIZE (ARENA_SPAN / 8 * sizeof(RaceCell))

static size_t global_cells_size(void) { return (race_shadow.globals_size / 8 + 2) * sizeof(RaceCell); }

bool race_init(uint64_t globals_begin, uint64_t globals_end, Error *error)
{
    uint64_t begin = globals_begin & ~7ull;
    race_shadow.globals_begin = begin;
    race_shadow.globals_size = globals_end - begin;
    RaceCell *arena = reserve(ARENA_CELLS_SIZE);
    RaceCell *globals = reserve(global_cells_size());
    extras.items = reserve(EXTRA_CAPACITY * sizeof *extras.items);
    race_touched.cells = reserve(RACE_MOST_TOUCHED * sizeof(RaceCell *));
    if (!arena || !globals || !extras.items || !race_touched.cells)
        return error_set(error, EXIT_INTERNAL, "no address space for the race detector (is it limited by ulimit -v?)");
    race_shadow.arena_cells = address_of(arena) - (ARENA_BASE >> 3) * sizeof(RaceCell);
    race_shadow.global_cells = address_of(globals) - (begin >> 3) * sizeof(RaceCell);
    return race_clock_init(error);
}

void race_reset(void)
{
    extras.count = 1;
    race_touched.count = 0;
    race_clock_reset();
}

static void save_cells(RtImage *image)
{
    image_add(image, &race_touched.count, sizeof race_touched.count);
    for (uint32_t i = 0; i < race_touched.count && !image_is_full(image); i++)
        image_add(image, race_touched.cells[i], sizeof(RaceCell));
}

bool race_save(RtImage *image)
{
    image_add(image, &extras.count, sizeof extras.count);
    image_add(image, extras.items, extras.count * sizeof *extras.items);
    save_cells(image);
    return race_touched.count < RACE_MOST_TOUCHED && race_clock_save(image);
}

void race_forget_all(void)
{
    for (uint32_t i = 0; i < race_touched.count; i++)
        race_touched.cells[i]->execution = 0;
}

/* Of memory that processes share? */
static bool is_shared_cell(const RaceCell *cell)
{
    uint64_t distance = address_of(cell) - race_shadow.arena_cells;
    return in_arena(distance / sizeof *cell << 3) && in_shared_heaps(distance / sizeof *cell << 3);
}

static VEC(RaceCell *) shared_cells;

/* Those of memory that processes share come last in the list. */
static void part_cells(void)
{
    uint32_t own = 0;
    shared_cells.count = 0;
    for (uint32_t i = 0; i < race_touched.count; i++) {
        RaceCell *cell = race_touched.cells[i];
        if (is_shared_cell(cell))
            VEC_PUSH(&shared_cells, cell);
        else
            race_touched.cells[own++] = cell;
    }
    race_touched.count = own;
}

static void add_shared_cells(void)
{
    for (uint32_t i = 0; i < shared_cells.count && race_touched.count < RACE_MOST_TOUCHED; i++)
        race_touched.cells[race_touched.count++] = shared_cells.items[i];
}

void race_save_cells(RtImage *image)
{
    if (race_touched.count == RACE_MOST_TOUCHED)
        report_not_modelled("fork in a program that uses more than 8 MB of memory");
    part_cells();
    save_cells(image);
    image_add(image, race_touched.cells, race_touched.count * sizeof *race_touched.cells);
    add_shared_cells();
}

void race_put_back_cells(const RtImage *image)
{
    part_cells();
    race_forget_all();
    race_touched.count = 0;
    image_put_back(image);
    add_shared_cells();
}

void race_clear(void)
{
    madvise(race_cell_from(race_shadow.arena_cells, ARENA_BASE), ARENA_CELLS_SIZE, MADV_DONTNEED);
    madvise(race_cell_from(race_shadow.global_cells, race_shadow.globals_begin), global_cells_size(), MADV_DONTNEED);
}

/* ---- Reporting ----------------------------------------------------------------- */

static const char *verb_of(RaceKind kind, bool is_atomic)
{
    if (is_atomic)
        return kind == RACE_WRITE ? "atomic write" : "atomic read";
    return kind == RACE_FREE ? "free" : kind == RACE_ALLOCATE ? "allocate" : kind == RACE_WRITE ? "write" : "read";
}

/* One side of a race. */
typedef struct RaceSide {
    AgentId agent;
    uint32_t clock;
    uint64_t site;
    RaceKind kind;
    bool is_atomic;
} RaceSide;

static bool is_volatile(const Finding *race)
{
    for (unsigned i = 0; i < race->site_count; i++) {
        const SennitSite *site = (const SennitSite *)(uintptr_t)race->sites[i];
        if (site && site->is_volatile)
            return true;
    }
    return false;
}

static void describe(Finding *race, const RaceSide *now, const RaceSide *other, Word word)
{
    char what[80], who[48], whom[48];
    name_resource(word_resource(word.address), word.lanes, what, sizeof what);
    name_agent(now->agent, who, sizeof who);
    name_agent(other->agent, whom, sizeof whom);
    snprintf(race->text, sizeof race->text, "%s of %s by %s is not ordered with the %s by %s",
             verb_of(now->kind, now->is_atomic), what, who,
             other->kind == RACE_ALLOCATE ? "allocation" : verb_of(other->kind, other->is_atomic), whom);
    size_t used = strlen(race->text);
    if (is_volatile(race))
        snprintf(race->text + used, sizeof race->text - used, " (--plain=volatile-atomic: volatile is atomic)");
}

/* Freeing memory that another thread uses is the same bug whichever of the two comes first, so
 * it has the same places as if the use came second. */
static void add_allocation(Finding *race, uint64_t address)
{
    const Block *block = memory_find_block(address);
    if (block && block->site)
        bug_add_site(race, block->site);
}

/* The threads continue: which of the two accesses comes second is not a property of the class. The cells of globals
 * include those of the runtime's variables that the linker puts between them; what it does there is no race. */
static void report(const RaceSide *now, const RaceSide *other, Word word)
{
    if (UNLIKELY(globals_are_hidden(word.address)))
        return;
    uint32_t count = rt.ex->finding_count;
    bool frees = (now->kind == RACE_FREE && other->kind != RACE_ALLOCATE) || other->kind == RACE_FREE;
    Finding *race = bug_add(frees ? BUG_USE_AFTER_FREE : BUG_DATA_RACE);
    bug_add_agent(race, other->agent);
    bug_add_site(race, other->site);
    race->address = word.address;
    race->verbs[0] = verb_of(now->kind, now->is_atomic);
    race->verbs[1] = verb_of(other->kind, other->is_atomic);
    if (frees)
        add_allocation(race, word.address);
    if (bug_repeats(race)) {
        rt.ex->finding_count = count;
        return;
    }
    race->steps[1] = 1 + race_steps_at(other->agent, other->clock);
    describe(race, now, other, word);
    uint64_t place = other->kind == RACE_ALLOCATE ? memory_find_block(word.address)->address : word.address;
    stack_copy_access(race, 1, other->agent, other->clock, place >> 3);
    bug_noted();
}

/* ---- Atomic accesses to the same word ----------------------------------------------- */

static bool is_atomic_op(unsigned op)
{
    return (op >= OP_ATOMIC_LOAD && op <= OP_ASSUME) || op == OP_SECTION_BEGIN || op == OP_OBSERVE;
}

/* Atomic accesses leave no records: the rare plain access to such a word searches the events. */
static void check_atomics(Word word, RaceKind kind)
{
    const Execution *ex = rt.ex;
    for (uint32_t e = ex->event_count; e-- > 0;) {
        const Event *event = &ex->events[e];
        AgentId strand = thread_get(event->agent)->strand;
        if (strand == rt.self->strand || !is_atomic_op(event->op))
            continue;
        for (unsigned i = 0; i < event->access_count; i++) {
            const Access *access = &ex->accesses[event->first_access + i];
            bool writes = access->mode != MODE_READ;
            if (access->resource >> 56 != RES_MEMORY || word_address(access->resource) != (word.address & ~7ull) ||
                access->mode == MODE_NONE || !(access->lanes & word.lanes) || (kind == RACE_READ && !writes))
                continue;
            uint32_t clock = race_clock_of(event->agent, event->index);
            if (race_ordered(strand, clock) || !race_is_real(strand, clock))
                continue;
            report(&(RaceSide){rt.self->id, race_now(), 0, kind, false},
                   &(RaceSide){event->agent, clock, event->site, writes ? RACE_WRITE : RACE_READ, true}, word);
        }
    }
}

/* ---- Records --------------------------------------------------------------------------- */

/* An iteration over the records of a cell: the two in it, then the list. */
typedef struct Walk {
    RaceCell *cell;
    unsigned inside;
    uint32_t extra;
} Walk;

static RaceRecord *walk_next(Walk *walk)
{
    if (walk->inside < 2)
        return &walk->cell->record[walk->inside++];
    if (!walk->extra)
        return NULL;
    Extra *extra = &extras.items[walk->extra];
    walk->extra = extra->next;
    return &extra->record;
}

static Walk walk_start(RaceCell *cell) { return (Walk){cell, 0, cell->more & RACE_INDEX}; }

static bool kinds_conflict(RaceKind a, RaceKind b) { return a != RACE_READ || b != RACE_READ; }

static void check_record(const RaceRecord *record, Word word, RaceKind kind, bool is_atomic)
{
    if (!(record->lanes & word.lanes) ||
        !kinds_conflict((RaceKind)record->kind, kind) || race_ordered(record->agent, record->clock) ||
        !race_is_real(record->agent, record->clock))
        return;
    report(&(RaceSide){rt.self->id, race_now(), 0, kind, is_atomic},
           &(RaceSide){record->agent, record->clock, record->site + race_site_base(), (RaceKind)record->kind, false},
           word);
}

static void record_allocation(RaceCell *cell, uint64_t address)
{
    const Block *block = memory_find_block(address);
    if (block && block->kind == BLOCK_HEAP && !block->mapped && address - block->address < block_room(block))
        cell->record[0] = (RaceRecord){(uint32_t)(block->site - race_site_base()), block->clock,
                                       (uint16_t)block->agent, ALL_LANES, RACE_ALLOCATE};
}

static void begin_cell(RaceCell *cell, uint64_t address, RaceKind kind)
{
    race_touch(cell);
    cell->more = 0;
    race_set_tail(&cell->record[0], 0);
    race_set_tail(&cell->record[1], 0);
    if (race_needs_allocation(address, kind))
        record_allocation(cell, address);
}

/* A write replaces everything that it was checked against; a read replaces the thread's own reads. */
static void drop_covered(RaceCell *cell, Word word, RaceKind kind)
{
    Walk walk = walk_start(cell);
    RaceRecord *record;
    while ((record = walk_next(&walk)) != NULL) {
        if (kind == RACE_READ && (record->kind != RACE_READ || record->agent != rt.self->strand))
            continue;
        race_set_tail(record, race_tail_of(record) & ~race_tail(0, word.lanes, RACE_NONE));
    }
}

/* An empty record in the list of the cell. */
static RaceRecord *free_extra(RaceCell *cell)
{
    for (uint32_t i = cell->more & RACE_INDEX; i; i = extras.items[i].next)
        if (!extras.items[i].record.lanes)
            return &extras.items[i].record;
    if (extras.count == EXTRA_CAPACITY)
        return NULL;
    uint32_t index = extras.count++;
    extras.items[index].next = cell->more & RACE_INDEX;
    cell->more = index | (cell->more & ~(uint32_t)RACE_INDEX);
    return &extras.items[index].record;
}

/* A record of the running thread at this place, not yet in memory. */
typedef struct Mine {
    uint32_t site, clock, tail;
} Mine;

static ALWAYS_INLINE Mine record_of(RaceKind kind, uint8_t lanes, uint32_t clock)
{
    return (Mine){(uint32_t)(site_name(sennit_rt_site) - race_site_base()), clock,
                  race_tail(rt.self->strand, lanes, kind)};
}

static ALWAYS_INLINE void put(RaceRecord *record, Mine mine)
{
    record->site = mine.site;
    record->clock = mine.clock;
    race_set_tail(record, mine.tail);
}

/* The newest access gets the place in the cell; the record that was there moves to the list, or is
 * dropped if the pool is full. */
static ALWAYS_INLINE void insert(RaceCell *cell, Mine mine, RaceKind kind)
{
    RaceRecord *place = &cell->record[kind == RACE_READ];
    if (race_tail_lanes(race_tail_of(place))) {
        RaceRecord *extra = free_extra(cell);
        if (extra)
            put(extra, (Mine){place->site, place->clock, race_tail_of(place)});
    }
    put(place, mine);
}

/* Neighbouring bytes accessed by one operation share a record. */
static ALWAYS_INLINE bool extend_own(RaceCell *cell, Mine mine)
{
    const uint32_t lanes = race_tail(0, ALL_LANES, RACE_NONE);
    Walk walk = walk_start(cell);
    RaceRecord *record;
    while ((record = walk_next(&walk)) != NULL) {
        uint32_t tail = race_tail_of(record);
        if (!(tail & lanes) || ((tail ^ mine.tail) & ~lanes) || record->clock != mine.clock ||
            record->site != mine.site)
            continue;
        race_set_tail(record, tail | mine.tail);
        return true;
    }
    return false;
}

/* A fast path for memory that several threads only read, often many times. There was no write since
 * the thread's last read, or its record would be gone: there is nothing to check. */
static bool repeat_read(RaceCell *cell, Word word, uint32_t clock)
{
    Walk walk = walk_start(cell);
    RaceRecord *record;
    while ((record = walk_next(&walk)) != NULL)
        if (record->agent == rt.self->strand && record->kind == RACE_READ && record->lanes == word.lanes) {
            record->clock = clock;
            record->site = (uint32_t)(site_name(sennit_rt_site) - race_site_base());
            return true;
        }
    return false;
}

RaceRecord race_record(RaceKind kind)
{
    RaceRecord record;
    put(&record, record_of(kind, ALL_LANES, race_now()));
    return record;
}

static void access_at(RaceCell *cell, Word word, RaceKind kind, uint32_t clock)
{
    if (UNLIKELY(rt.options.states))
        shared_note(word, kind != RACE_READ);
    if (kind == RACE_READ && cell->execution == rt.execution && !race_atomic_lanes(cell) && !rt.options.verbose &&
        repeat_read(cell, word, clock))
        return;
    Mine mine = record_of(kind, word.lanes, clock);
    if (cell->execution != rt.execution)
        begin_cell(cell, word.address, kind);
    Walk walk = walk_start(cell);
    const RaceRecord *record;
    while ((record = walk_next(&walk)) != NULL)
        check_record(record, word, kind, false);
    if (race_atomic_lanes(cell) & word.lanes)
        check_atomics(word, kind);
    drop_covered(cell, word, kind);
    if (!extend_own(cell, mine))
        insert(cell, mine, kind);
    if (UNLIKELY(rt.options.verbose))
        stack_record_access(rt.self->strand, clock, word.address >> 3);
}

void race_access_slow(RaceCell *cell, Word word, RaceKind kind) { access_at(cell, word, kind, race_now()); }

static void access_range(uint64_t address, uint64_t size, RaceKind kind, uint32_t clock)
{
    while (size) {
        Word word = word_first(address, size);
        RaceCell *cell = race_cell(word.address);
        if (cell)
            access_at(cell, word, kind, clock);
        address += word.size;
        size -= word.size;
    }
}

void race_access(uint64_t address, uint64_t size, RaceKind kind) { access_range(address, size, kind, race_now()); }

/* The step itself has the clock before that of the accesses behind it. */
void race_access_in_step(uint64_t address, uint64_t size, RaceKind kind)
{
    access_range(address, size, kind, race_now() - 1);
}

void race_place(uint64_t address, uint64_t size, const RaceRecord *record)
{
    while (size) {
        Word word = word_first(address, size);
        RaceCell *cell = race_cell(word.address);
        RaceRecord *place = &cell->record[record->kind == RACE_READ];
        begin_cell(cell, word.address, (RaceKind)record->kind);
        *place = *record;
        place->lanes = word.lanes;
        address += word.size;
        size -= word.size;
    }
}

void race_atomic_slow(RaceCell *cell, Word word, bool writes)
{
    if (cell->execution != rt.execution)
        begin_cell(cell, word.address, RACE_READ);
    Walk walk = walk_start(cell);
    const RaceRecord *record;
    while ((record = walk_next(&walk)) != NULL)
        check_record(record, word, writes ? RACE_WRITE : RACE_READ, true);
    cell->more |= (uint32_t)word.lanes << RACE_LANES_SHIFT;
}
