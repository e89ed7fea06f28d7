/* keys.c - see keys.h */
#include "rt/keys.h"

#include <limits.h>

enum { KEYS_PER_THREAD = PTHREAD_KEYS_MAX };

struct Key {
    Key *next;
    unsigned number;
    void (*destructor)(void *value);
    int64_t deleted;
};

struct KeyValue {
    KeyValue *next;   /* oldest first */
    Key *key;
    void *value;
};

static Key *find_key(unsigned number)
{
    const ThreadRecord *creator = lifetime_find((pthread_t)(number / KEYS_PER_THREAD) + 1);
    if (!creator)
        return NULL;
    Key *key = creator->keys;
    while (key && key->number != number)
        key = key->next;
    return key;
}

static uint64_t resource(const Key *key)
{
    return resource_make(RES_OTHER, key->number);
}

int keys_create(unsigned *number, void (*destructor)(void *value))
{
    ThreadRecord *self = lifetime_self();
    if (self->key_count == KEYS_PER_THREAD)
        return EAGAIN;
    Key *key = run_alloc(sizeof *key);
    *key = (Key){.next = self->keys, .number = self->agent * KEYS_PER_THREAD + self->key_count++,
                 .destructor = destructor};
    self->keys = key;
    *number = key->number;
    return 0;
}

int keys_delete(unsigned number)
{
    Key *key = find_key(number);
    if (!key)
        return EINVAL;
    step_begin(OP_KEY_DELETE, resource(key));
    step_wait();
    int64_t before = key->deleted;
    key->deleted = 1;
    step_value(0, before, 1);
    step_done();
    return before ? EINVAL : 0;
}

/* ---- Values ------------------------------------------------------------- */

/* The link that holds the value of a key, or the end of the list. */
static KeyValue **find_value(ThreadRecord *thread, const Key *key)
{
    KeyValue **link = &thread->values;
    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

int keys_set(unsigned number, const void *value)
{
    Key *key = find_key(number);
    if (!key)
        return EINVAL;
    KeyValue **link = find_value(lifetime_self(), key);
    if (!*link) {
        *link = run_alloc(sizeof **link);
        (*link)->key = key;
    }
    (*link)->value = (void *)(uintptr_t)value;
    return 0;
}

void *keys_get(unsigned number)
{
    const Key *key = find_key(number);
    KeyValue **link = key ? find_value(lifetime_self(), key) : NULL;
    return link && *link ? (*link)->value : NULL;
}

/* ---- Destructors ---------------------------------------------------------- */

/* A step, since another thread may delete the key. */
static bool still_exists(const Key *key)
{
    step_begin(OP_KEY_DESTROY, resource(key))->mode = MODE_READ;
    step_wait();
    step_value(0, key->deleted, key->deleted);
    step_done();
    return !key->deleted;
}

/* False if there was nothing to do. */
static bool destroy_round(ThreadRecord *self)
{
    const SennitSite *site = sennit_rt_site;
    bool called = false;
    for (KeyValue *entry = self->values; entry; entry = entry->next) {
        if (!entry->value || !entry->key->destructor)
            continue;
        sennit_rt_site = site;
        if (!still_exists(entry->key))
            continue;
        void *value = entry->value;
        entry->value = NULL;
        entry->key->destructor(value);
        called = true;
    }
    return called;
}

/* What is left after the last round is lost: nothing points to it any more. */
static void forget_values(ThreadRecord *self)
{
    for (KeyValue *entry = self->values; entry; entry = entry->next)
        entry->value = NULL;
}

void keys_destroy_values(void)
{
    ThreadRecord *self = lifetime_self();
    int round = 0;
    while (round < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_round(self))
        round++;
    forget_values(self);
}
