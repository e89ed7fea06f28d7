/* shared.c - see shared.h
 *
 * A table of bytes for all executions of the search. Main does not count where there are actors: it waits while they
 * run.
 */
#include "rt/detect/shared.h"

#include "base/map.h"
#include "rt/actors/actor.h"
#include "rt/detect/names.h"
#include "rt/detect/unseen.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/runtime.h"
#include "rt/weak/order.h"

enum { SLOTS = 1 << 16, SEVERAL = 0xffff };

typedef struct SharedByte {
    uint64_t address;    /* 0: free                       */
    uint16_t strand;     /* that accesses it; or SEVERAL  */
    bool written, noted;
} SharedByte;

static SharedByte *bytes;
static bool all_order; /* threads learn of each other only through operations that order them */

/* Operations whose results tell of other threads without ordering what those did. */
static const char *const inform[] = {
    "pthread_mutex_trylock", "pthread_spin_trylock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock",
    "mtx_trylock", "sem_trywait", "sem_getvalue", "pthread_tryjoin_np", "sennit_spawn"};

static bool some_inform(void)
{
    for (unsigned i = 0; i < sizeof inform / sizeof *inform; i++)
        if (calls_contain(inform[i]))
            return true;
    return false;
}

void shared_init(Region *region)
{
    bytes = region_alloc(region, SLOTS * sizeof *bytes);
    all_order = !order_weak_in_program() && !rt.options.volatile_atomic && !some_inform();
}

/* NULL: the table is full. */
static SharedByte *find(uint64_t address)
{
    uint64_t at = map_mix(address, 1) % SLOTS;
    for (unsigned i = 0; i < SLOTS / 2; i++, at = (at + 1) % SLOTS) {
        if (!bytes[at].address)
            bytes[at] = (SharedByte){.address = address, .strand = (uint16_t)rt.self->strand};
        if (bytes[at].address == address)
            return &bytes[at];
    }
    return NULL;
}

static void note_byte(uint64_t address, Word word, bool writes)
{
    char what[64] = "memory";
    SharedByte *byte = find(address);
    if (byte && byte->strand != rt.self->strand)
        byte->strand = SEVERAL;
    if (byte) {
        byte->written |= writes;
        if (byte->noted || byte->strand != SEVERAL || !byte->written)
            return;
        byte->noted = true;
        name_resource(word_resource(word.address), word.lanes, what, sizeof what);
    }
    unseen_note(UNSEEN_SHARED, what, NULL);
}

/* ---- What changes memory ---- */

static uint32_t written; /* events when memory was written last */

void shared_reset(void) { written = 0; }
bool shared_written_since(uint32_t events) { return written > events; }

static bool is_own_variable(uint64_t address)
{
    return address >= stack_bottom(rt.self->seat) && address < stack_bottom(rt.self->seat) + STACK_STRIDE;
}

void shared_look(void)
{
    if (sennit_rt_noise)
        written = rt.ex->event_count;
    sennit_rt_noise = 0;
}

static bool is_main_of_actors(void) { return rt.self->strand == 0 && actor_first(); }

static void add_to_segment(Word word, bool writes)
{
    fingerprint_add(&rt.self->segment, word.address << 9 | (uint64_t)word.lanes << 1 | writes);
}

void shared_note(Word word, bool writes)
{
    add_to_segment(word, writes);
    if (writes && !is_own_variable(word.address))
        written = rt.ex->event_count;
    if (all_order || is_main_of_actors())
        return;
    for (unsigned i = 0; i < word.size; i++)
        note_byte(word.address + i, word, writes);
}
