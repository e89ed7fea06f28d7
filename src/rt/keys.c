/* keys.c - see keys.h */
#include "rt/keys.h"

#include <limits.h>

#include "rt/tracking.h"

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

int keys_set(unsigned number, const void *value, uint32_t shadow)
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
    shadow_keep(&(*link)->value, shadow);
    return 0;
}

void *keys_get(unsigned number, const void *model)
{
    const Key *key = find_key(number);
    KeyValue **link = key ? find_value(lifetime_self(), key) : NULL;
    if (!link || !*link)
        return NULL;
    if (tracking.on)
        shadow_give_result(model, shadow_memory_get(address_of(&(*link)->value), &(*link)->value, 64));
    return (*link)->value;
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

/* Is there anything to destroy? The value may be a number that depends on inputs. */
static bool is_set(const KeyValue *entry)
{
    uint32_t shadow = tracking.on ? shadow_memory_get(address_of(&entry->value), &entry->value, 64) : 0;
    if (shadow)
        tracking_decide(expr_binary(tracking.pool, EXPR_NE, shadow_expr(shadow), expr_const(tracking.pool, 64, 0)), entry->value != NULL);
    return entry->value != NULL;
}

/* False if there was nothing to do. */
static bool destroy_round(ThreadRecord *self)
{
    const SennitSite *site = sennit_rt_site;
    bool called = false;
    for (KeyValue *entry = self->values; entry; entry = entry->next) {
        if (!entry->key->destructor || !is_set(entry))
            continue;
        sennit_rt_site = site;
        if (!still_exists(entry->key))
            continue;
        void *value = entry->value;
        shadow_pass(MODEL(entry->key->destructor), &entry->value);
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
