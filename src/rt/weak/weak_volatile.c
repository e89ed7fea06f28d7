/* weak_volatile.c - see weak_volatile.h */
#include "rt/weak/weak_volatile.h"

#include "rt/detect/bug.h"
#include "rt/inputs/tracking.h"
#include "rt/memory/globals.h"
#include "rt/weak/message.h"
#include "rt/weak/order.h"
#include "rt/weak/weak_step.h"

/* The access whose instruction may not have been executed yet. */
static struct {
    WeakLocation *location; /* NULL: there is none                    */
    WeakMessage *written;   /* by a store, its value not known; else NULL */
    Word word;
    uint64_t shown;         /* in memory for a load                   */
} open;

void weak_volatile_reset(void) { open.location = NULL; }

static void set_memory(Word word, uint64_t value)
{
    globals_note_write(word.address, word.size);
    word_store(word.address, value, word.size);
}

static void load(const WeakTarget *target)
{
    uint64_t value = weak_load(target).value;
    WeakLocation *location = message_find(target->word);
    if (value == message_value(location->last))
        return;
    open.location = location;
    open.written = NULL;
    open.word = target->word;
    open.shown = value;
    rt.self->special |= SPECIAL_STORE;
    set_memory(target->word, value);
}

static void store(const WeakTarget *target)
{
    open.written = weak_store_open(target);
    open.location = message_find(target->word);
    open.word = target->word;
    rt.self->special |= SPECIAL_STORE;
}

void weak_volatile_access(Thread *self, uint64_t address, uint64_t size, bool writes)
{
    if (tracking.on)
        report_refused("a volatile object as an atomic one, in a program with inputs, needs --memory=sc");
    if (size > 8 || (size & (size - 1)) || address % size)
        report_refused("a volatile access that is not one to an aligned word needs --memory=sc");
    if (self->special & SPECIAL_STORE)
        weak_volatile_settle();
    WeakTarget target = weak_target((const void *)(uintptr_t)address, size, C_RELAXED, sennit_rt_site);
    (writes ? store : load)(&target);
}

static void settle_store(uint64_t value)
{
    const Event *event = &rt.ex->events[open.written->event];
    rt.ex->accesses[event->first_access].after = (int64_t)value;
    message_set(open.written, value);
}

/* Plain code of the same thread may have written what a load has shown: then that stays. */
void weak_volatile_settle(void)
{
    uint64_t value = word_load(open.word.address, open.word.size);
    WeakLocation *location = open.location;
    rt.self->special &= (uint16_t)~SPECIAL_STORE;
    open.location = NULL;
    if (open.written)
        settle_store(value);
    if (open.written ? location->last != open.written : value == open.shown)
        set_memory(open.word, message_value(location->last));
}
