/* keys.c - see keys.h */
#include "rt/sync/keys.h"

#include <limits.h>

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/process.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/memory/memory.h"
#include "rt/sync/plain.h"

enum { KEYS_PER_THREAD = PTHREAD_KEYS_MAX, KEY_SIZE = 8 };

struct Key {
    Key *next;
    unsigned number;
    void (*destructor)(void *value);
    int64_t deleted;
    Block *block;     /* stands for the key: uses of a deleted one, or unordered with that, are bugs */
};

struct KeyValue {
    KeyValue *next;   /* oldest first */
    Key *key;
    void *value;
};

/* ---- Before main ----------------------------------------------------------- */

/* A key created by a constructor. Constructors run once per process, so every execution starts
 * with their keys: they are the first ones of main, with the same numbers. */
typedef struct EarlyKey {
    void (*destructor)(void *value);
    const void *value;
    bool deleted;
} EarlyKey;

static EarlyKey early[KEYS_PER_THREAD];
static unsigned early_count;

static int create_early(unsigned *number, void (*destructor)(void *value))
{
    if (early_count == KEYS_PER_THREAD)
        return EAGAIN;
    early[early_count].destructor = destructor;
    *number = early_count++;
    return 0;
}

static EarlyKey *find_early(unsigned number)
{
    return number < early_count && !early[number].deleted ? &early[number] : NULL;
}

static int delete_early(unsigned number)
{
    EarlyKey *key = find_early(number);
    if (!key)
        return EINVAL;
    key->deleted = true;
    return 0;
}

static int set_early(unsigned number, const void *value)
{
    EarlyKey *key = find_early(number);
    if (!key)
        return EINVAL;
    key->value = value;
    return 0;
}

/* ---- Keys ------------------------------------------------------------------ */

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
    if (!thread_inside())
        return create_early(number, destructor);
    ThreadRecord *self = lifetime_self();
    if (self->key_count == KEYS_PER_THREAD)
        return EAGAIN;
    Key *key = transient_alloc(sizeof *key);
    *key = (Key){.next = self->keys, .number = seat_number(self->agent) * KEYS_PER_THREAD + self->key_count++,
                 .destructor = destructor, .block = memory_allocate_kind(BLOCK_KEY, KEY_SIZE, KEY_SIZE)};
    self->keys = key;
    PLAIN_STORE(number, key->number);
    return 0;
}

static void use(const Key *key)
{
    if (key->block)
        plain_use((const void *)(uintptr_t)key->block->address, KEY_SIZE);
}

static void end(const Key *key)
{
    if (!key->block)
        return;
    if (!rt.plain_visible)
        race_access(key->block->address, KEY_SIZE, RACE_FREE);
    memory_mark_freed(key->block);
}

int keys_delete(unsigned number)
{
    if (!thread_inside())
        return delete_early(number);
    Key *key = find_key(number);
    if (!key)
        return EINVAL;
    if (process_count() > 1)
        report_not_modelled("pthread_key_delete beside other processes");
    step_begin(OP_KEY_DELETE, resource(key));
    step_wait();
    int64_t before = key->deleted;
    key->deleted = 1;
    step_value(0, before, 1);
    if (!before)
        end(key);
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
    if (!thread_inside())
        return set_early(number, value);
    Key *key = find_key(number);
    if (!key)
        return EINVAL;
    use(key);
    KeyValue **link = find_value(lifetime_self(), key);
    if (!*link) {
        *link = transient_alloc(sizeof **link);
        (*link)->key = key;
    }
    (*link)->value = (void *)(uintptr_t)value;
    shadow_keep(&(*link)->value, shadow);
    return 0;
}

void *keys_get(unsigned number, const void *callee)
{
    if (!thread_inside()) {
        const EarlyKey *key = find_early(number);
        return key ? (void *)(uintptr_t)key->value : NULL;
    }
    const Key *key = find_key(number);
    if (!key)
        return NULL;
    use(key);
    KeyValue **link = find_value(lifetime_self(), key);
    if (!*link)
        return NULL;
    if (tracking.on)
        shadow_give_result(callee, shadow_memory_get(address_of(&(*link)->value), &(*link)->value, 64));
    return (*link)->value;
}

KeyValue *keys_copy_values(const KeyValue *values)
{
    KeyValue *first = NULL, **last = &first;
    for (; values; values = values->next) {
        *last = transient_alloc(sizeof **last);
        **last = (KeyValue){.key = values->key, .value = values->value};
        last = &(*last)->next;
    }
    return first;
}

bool keys_made_early(void) { return early_count; }

void keys_begin(void)
{
    for (unsigned i = 0, number; i < early_count; i++) {
        keys_create(&number, early[i].destructor);
        lifetime_self()->keys->deleted = early[i].deleted;
        if (early[i].deleted)
            end(lifetime_self()->keys);
        else if (early[i].value)
            keys_set(number, early[i].value, 0);
    }
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

/* Is there a value to destroy? It may be symbolic. */
static bool is_set(const KeyValue *entry)
{
    uint32_t shadow = tracking.on ? shadow_memory_get(address_of(&entry->value), &entry->value, 64) : 0;
    if (shadow)
        branch_decide(expr_binary(tracking.pool, EXPR_NE, shadow_expr(shadow), expr_const(tracking.pool, 64, 0)),
                        entry->value != NULL);
    return entry->value != NULL;
}

/* Calls the destructors once; false if there were none. */
static bool call_destructors(ThreadRecord *self)
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
        shadow_pass(CALLEE(entry->key->destructor), &entry->value);
        entry->value = NULL;
        entry->key->destructor(value);
        called = true;
    }
    return called;
}

/* Values left after the last iteration are lost: they must not count as reachable. */
static void forget_values(ThreadRecord *self)
{
    for (KeyValue *entry = self->values; entry; entry = entry->next)
        entry->value = NULL;
}

void keys_destroy_values(void)
{
    ThreadRecord *self = lifetime_self();
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && call_destructors(self); i++)
        continue;
    forget_values(self);
}
