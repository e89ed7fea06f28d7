/* sem_named.c - named semaphores (sem.h)
 *
 * A name has a home slot, found by hashing; the slots behind it hold further semaphores of
 * the same name (after an unlink) and, rarely, of other names. All operations on the names
 * of one home write one resource. The address of a semaphore is that of its slot: it does
 * not depend on which name was opened first, unless names collide.
 */
#include <fcntl.h>
#include <string.h>

#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/kernel/transient.h"
#include "rt/sync/sem.h"

enum { SLOTS = 1024 };

typedef struct Named {
    char *name;     /* NULL once unlinked */
    bool used;
} Named;

static sem_t slot_objects[SLOTS]; /* only their addresses matter */
static Named *slots;              /* of execution `slots_execution`     */
static uint32_t slots_execution;

bool semaphore_is_named(uint64_t address)
{
    return address - address_of(slot_objects) < sizeof slot_objects;
}

static Named *current_slots(void)
{
    if (slots_execution != rt.execution) {
        slots = transient_alloc(SLOTS * sizeof *slots);
        slots_execution = rt.execution;
    }
    return slots;
}

static uint32_t home_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash % SLOTS;
}

/* What names the resource of the names of one home, and their point of synchronisation: opening a
 * semaphore is ordered after its creation. */
static uint64_t names_of(uint32_t home)
{
    return resource_of(RES_OTHER, (const char *)&slot_objects[home] + 16);
}

static void begin_step(OpKind op, uint32_t home)
{
    step_begin(op, names_of(home));
    step_wait();
    race_acquire(names_of(home));
}

static void end_step(uint32_t home)
{
    race_release(names_of(home));
    step_done();
}

static uint32_t find_slot(const char *name, uint32_t home)
{
    Named *all = current_slots();
    for (uint32_t i = 0; i < SLOTS; i++) {
        const Named *named = &all[(home + i) % SLOTS];
        if (!named->used)
            return SLOTS;
        if (named->name && strcmp(named->name, name) == 0)
            return (home + i) % SLOTS;
    }
    return SLOTS;
}

static uint32_t make_slot(const char *name, uint32_t home)
{
    Named *all = current_slots();
    for (uint32_t i = 0; i < SLOTS; i++) {
        Named *named = &all[(home + i) % SLOTS];
        if (named->used)
            continue;
        size_t size = strlen(name) + 1;
        named->used = true;
        named->name = memcpy(transient_alloc(size), name, size);
        return (home + i) % SLOTS;
    }
    return SLOTS;
}

static int name_error(const char *name)
{
    return *name == '\0' ? EINVAL : strlen(name) > 251 ? ENAMETOOLONG : 0;
}

sem_t *semaphore_open(const char *name, int flags, unsigned value, int *error)
{
    uint32_t home = home_of(name);
    *error = name_error(name);
    if (*error)
        return NULL;
    begin_step(OP_SEM_OPEN, home);
    uint32_t slot = find_slot(name, home);
    if (slot < SLOTS && (flags & O_CREAT) && (flags & O_EXCL))
        *error = EEXIST;
    else if (slot == SLOTS && !(flags & O_CREAT))
        *error = ENOENT;
    else if (slot == SLOTS && value > SEM_VALUE_MAX)
        *error = EINVAL;
    else if (slot == SLOTS && (slot = make_slot(name, home)) == SLOTS)
        *error = ENOSPC;
    if (!*error && !object_find(RES_SEM, &slot_objects[slot]))
        semaphore_make(&slot_objects[slot], value);
    end_step(home);
    return *error ? NULL : &slot_objects[slot];
}

int semaphore_unlink(const char *name)
{
    uint32_t home = home_of(name);
    begin_step(OP_SEM_UNLINK, home);
    uint32_t slot = find_slot(name, home);
    if (slot < SLOTS)
        current_slots()[slot].name = NULL;
    end_step(home);
    return slot < SLOTS ? 0 : ENOENT;
}
