/* shared.c - see shared.h
 *
 * A table of bytes for all executions of the search. Main does not count: it waits while actors run.
 */
#include "rt/detect/shared.h"

#include "base/map.h"
#include "rt/detect/names.h"
#include "rt/detect/unseen.h"
#include "rt/kernel/runtime.h"

enum { SLOTS = 1 << 16, SEVERAL = 0xffff };

typedef struct SharedByte {
    uint64_t address;    /* 0: free                       */
    uint16_t strand;     /* that accesses it; or SEVERAL  */
    bool written, noted;
} SharedByte;

static SharedByte *bytes;

void shared_init(Region *region) { bytes = region_alloc(region, SLOTS * sizeof *bytes); }

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

void shared_note(Word word, bool writes)
{
    if (rt.self->strand == 0)
        return;
    for (unsigned i = 0; i < word.size; i++)
        note_byte(word.address + i, word, writes);
}
