/* unseen.c - see unseen.h */
#include "rt/detect/unseen.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rt/detect/opaque.h"
#include "rt/kernel/runtime.h"

extern const SennitUnseen __start_sennit_unseen[] __attribute__((weak));
extern const SennitUnseen __stop_sennit_unseen[] __attribute__((weak));
extern uint8_t __start_sennit_unseen_marks[] __attribute__((weak));
extern uint8_t __stop_sennit_unseen_marks[] __attribute__((weak));

enum { MAX_NOTES = 128, NAME_SIZE = 64 };

typedef struct UnseenNote {
    UnseenKind kind;
    bool ready;       /* the other members are set */
    uint64_t site;
    char name[NAME_SIZE];
} UnseenNote;

/* In the region. */
typedef struct UnseenNotes {
    uint32_t count;   /* taken; may exceed MAX_NOTES */
    UnseenNote notes[MAX_NOTES];
} UnseenNotes;

static struct {
    UnseenNotes *notes;
    uint8_t *map;     /* in the region: the marks of all processes */
    size_t size;      /* of the map                                */
} unseen;

void unseen_init(Region *region)
{
    unseen.notes = region_alloc(region, sizeof *unseen.notes);
    unseen.size = (size_t)(address_of(__stop_sennit_unseen_marks) - address_of(__start_sennit_unseen_marks));
    if (unseen.size)
        unseen.map = region_alloc(region, unseen.size);
}

/* ---- Marks ----------------------------------------------------------------------------------- */

static void collect_byte(size_t i)
{
    if (UNLIKELY(__start_sennit_unseen_marks[i] > unseen.map[i]))
        unseen.map[i] = 1;
}

void unseen_collect(void)
{
    size_t i = 0;
    for (; i + 8 <= unseen.size; i += 8) {
        uint64_t set, known;
        memcpy(&set, __start_sennit_unseen_marks + i, 8);
        memcpy(&known, unseen.map + i, 8);
        for (size_t k = i; UNLIKELY(set & ~known) && k < i + 8; k++)
            collect_byte(k);
    }
    for (; i < unseen.size; i++)
        collect_byte(i);
}

uint8_t *unseen_map(size_t *size)
{
    *size = unseen.size;
    return unseen.map;
}

/* ---- Notes ------------------------------------------------------------------------------------- */

static uint32_t note_count(void)
{
    uint32_t count = __atomic_load_n(&unseen.notes->count, __ATOMIC_ACQUIRE);
    return count < MAX_NOTES ? count : MAX_NOTES;
}

static bool is_ready(const UnseenNote *note) { return __atomic_load_n(&note->ready, __ATOMIC_ACQUIRE); }

static bool is_same(const UnseenNote *note, UnseenKind kind, const char *name, uint64_t site)
{
    return note->site == site && note->kind == kind && strncmp(note->name, name, NAME_SIZE - 1) == 0;
}

void unseen_add(UnseenKind kind, const char *name, uint64_t site)
{
    for (uint32_t i = 0; i < note_count(); i++)
        if (is_ready(&unseen.notes->notes[i]) && is_same(&unseen.notes->notes[i], kind, name, site))
            return;
    uint32_t place = __atomic_fetch_add(&unseen.notes->count, 1, __ATOMIC_ACQ_REL);
    if (place >= MAX_NOTES) {
        __atomic_store_n(&unseen.notes->count, MAX_NOTES, __ATOMIC_RELEASE);
        return;
    }
    UnseenNote *note = &unseen.notes->notes[place];
    *note = (UnseenNote){.kind = kind, .site = site};
    snprintf(note->name, sizeof note->name, "%s", name);
    __atomic_store_n(&note->ready, true, __ATOMIC_RELEASE);
}

void unseen_note(UnseenKind kind, const char *name, const SennitSite *site)
{
    unseen_add(kind, name, site_name(site));
}

/* Two processes may have noted the same at once. */
static bool is_repeated(uint32_t number)
{
    const UnseenNote *note = &unseen.notes->notes[number];
    for (uint32_t i = 0; i < number; i++)
        if (is_ready(&unseen.notes->notes[i]) && is_same(&unseen.notes->notes[i], note->kind, note->name, note->site))
            return true;
    return false;
}

void unseen_each_note(UnseenEach *each, void *context)
{
    for (uint32_t i = 0; i < note_count(); i++) {
        const UnseenNote *note = &unseen.notes->notes[i];
        if (is_ready(note) && !is_repeated(i))
            each(context, note->kind, note->name, note->site);
    }
}

/* ---- Both ----------------------------------------------------------------------------------------- */

/* What one module does not define, another one may. */
static bool is_unseen(const OpaqueNames *names, const SennitUnseen *point)
{
    switch ((UnseenKind)point->kind) {
    case UNSEEN_CALL: return opaque_contains(names, point->name);
    case UNSEEN_MEMORY: return !opaque_defines(names, point->name);
    default: return true;
    }
}

void unseen_each(UnseenEach *each, void *context)
{
    OpaqueNames *names = opaque_names();
    unseen_each_note(each, context);
    for (const SennitUnseen *point = __start_sennit_unseen; point < __stop_sennit_unseen; point++) {
        bool set = unseen.map[point->mark - __start_sennit_unseen_marks];
        if (set && is_unseen(names, point))
            each(context, (UnseenKind)point->kind, point->name, site_name(point->site));
    }
    opaque_release(names);
}
