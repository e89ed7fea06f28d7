/* durable.c - see durable.h */
#include "rt/actors/durable.h"

#include "rt/actors/actor_mail.h"
#include "rt/kernel/transient.h"
#include "rt/sync/plain.h"

struct Durable {
    Durable *next;
    unsigned char *bytes;
    size_t size;
    bool synced; /* kept by sennit_sync */
    unsigned char kept[];
};

static void keep(Durable *durable)
{
    plain_use(durable->bytes, durable->size);
    actor_copy(durable->kept, durable->bytes, durable->size);
}

void durable_add(Actor *actor, void *bytes, size_t size, bool synced)
{
    Durable *durable = actor->durable;
    while (durable && !(durable->bytes == bytes && durable->size == size && durable->synced == synced))
        durable = durable->next;
    if (durable) /* an actor that started again declares the same once more */
        return;
    durable = transient_alloc(sizeof *durable + size);
    *durable = (Durable){.next = actor->durable, .bytes = bytes, .size = size, .synced = synced};
    actor->durable = durable;
    keep(durable);
}

void durable_sync(Actor *actor)
{
    for (Durable *durable = actor->durable; durable; durable = durable->next)
        if (durable->synced)
            keep(durable);
}

void durable_restore(Actor *actor)
{
    for (Durable *durable = actor->durable; durable; durable = durable->next) {
        plain_overwrite(durable->bytes, durable->size);
        actor_copy(durable->bytes, durable->kept, durable->size);
    }
}

void durable_add_state(Fingerprint *print, const Actor *actor)
{
    for (const Durable *durable = actor->durable; durable; durable = durable->next) {
        fingerprint_add(print, address_of(durable->bytes) << 1 | durable->synced);
        fingerprint_add_bytes(print, durable->kept, durable->size);
    }
}
