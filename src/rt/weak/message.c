/* message.c - see message.h */
#include "rt/weak/message.h"

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/object.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/weak/wide.h"

/* A thread's newest message in a location. */
struct WeakWriter {
    WeakWriter *next;
    AgentId strand;
    WeakMessage *newest;
};

/* The locations in one word. */
typedef struct WeakWord {
    WeakLocation *first;
    uint8_t strong;      /* lanes that steps access which are not weak */
    bool second;         /* it is the second one of a location of 16 bytes */
} WeakWord;

static const void *key_of(Word word) { return (const void *)(uintptr_t)(word.address & ~7ull); }

static WeakWord *get_word(Word word) { return object_state(RES_MEMORY, key_of(word), sizeof(WeakWord), NULL); }

static WeakWord *get_second(Word word) { return get_word((Word){.address = word.address + 8}); }

static _Noreturn void refuse_mixed(void)
{
    report_refused("atomic accesses to an object that an atomic section or a visible plain access uses too need "
                   "--memory=sc");
}

static _Noreturn void refuse_sizes(void)
{
    report_refused("atomic accesses of different sizes to the same memory need --memory=sc");
}

static void check_overlap(const WeakWord *in, uint8_t lanes)
{
    for (const WeakLocation *location = in->first; location; location = location->next)
        if (location->lanes & lanes)
            refuse_sizes();
    if (in->second)
        refuse_sizes();
    if (in->strong & lanes)
        refuse_mixed();
}

void message_refuse_strong(Word word)
{
    WeakWord *in = get_word(word);
    for (const WeakLocation *location = in->first; location; location = location->next)
        if (location->lanes & word.lanes)
            refuse_mixed();
    if (in->second)
        refuse_mixed();
    in->strong |= word.lanes;
}

static uint32_t shadow_in_memory(Word word)
{
    const void *bytes = (const void *)(uintptr_t)word.address;
    return tracking.on && word.size <= 8 ? shadow_memory_get(word.address, bytes, 8 * word.size) : 0;
}

WeakLocation *message_find(Word word)
{
    const WeakWord *in = object_find(RES_MEMORY, key_of(word));
    WeakLocation *location = in ? in->first : NULL;
    while (location && (location->lanes != word.lanes || location->size != word.size))
        location = location->next;
    return location;
}

static WeakLocation *make(Word word)
{
    WeakWord *in = get_word(word);
    check_overlap(in, word.lanes);
    if (word.size > 8) {
        check_overlap(get_second(word), LANES_ALL);
        get_second(word)->second = true;
    }
    WeakLocation *location = transient_alloc(sizeof *location);
    *location = (WeakLocation){.next = in->first,
                               .resource = word_resource(word.address),
                               .lanes = word.lanes,
                               .size = (uint8_t)word.size};
    return in->first = location;
}

static void begin(WeakLocation *location, Word word)
{
    WeakMessage *initial = transient_alloc(sizeof *initial);
    *initial = (WeakMessage){
        .hidden = ~wide_load_word(word), .event = MESSAGE_INITIAL, .strand = AGENT_NONE};
    location->last = initial;
    location->count = 1;
    location->writers = NULL;
}

/* Has plain code written it? */
static bool is_overwritten(const WeakLocation *location, Word word)
{
    return message_value(location->last) != wide_load_word(word);
}

static uint64_t next_name(const WeakLocation *location)
{
    uint64_t name = location->resource + (1ull << WORD_ADDRESS_BITS);
    if (name >> 56 != RES_MEMORY)
        report_not_modelled("an atomic object that is initialised thousands of times in one execution");
    return name;
}

uint64_t message_name(Word word)
{
    const WeakLocation *location = message_find(word);
    if (!location)
        return word_resource(word.address);
    return is_overwritten(location, word) ? next_name(location) : location->resource;
}

/* The last message has the shadow that memory has. */
WeakLocation *message_location(Word word)
{
    WeakLocation *location = message_find(word);
    if (!location) {
        location = make(word);
        begin(location, word);
    } else if (is_overwritten(location, word)) {
        location->resource = next_name(location);
        begin(location, word);
    }
    location->last->shadow = shadow_in_memory(word);
    return location;
}

WeakMessage *message_before_last(const WeakLocation *location, uint32_t k)
{
    WeakMessage *message = location->last;
    while (k-- > 0)
        message = message->older;
    return message;
}

static WeakWriter *writer_of(WeakLocation *location, AgentId strand)
{
    for (WeakWriter *writer = location->writers; writer; writer = writer->next)
        if (writer->strand == strand)
            return writer;
    WeakWriter *writer = transient_alloc(sizeof *writer);
    *writer = (WeakWriter){.next = location->writers, .strand = strand};
    return location->writers = writer;
}

WeakMessage *message_add(WeakLocation *location, WeakMessage *older, uint64_t value, uint32_t shadow)
{
    WeakWriter *writer = writer_of(location, rt.self->strand);
    WeakMessage *message = transient_alloc(sizeof *message), **place = &location->last;
    while (*place != older)
        place = &(*place)->older;
    *message = (WeakMessage){.older = older,
                             .own = writer->newest,
                             .hidden = ~value,
                             .shadow = shadow,
                             .event = rt.ex->event_count - 1,
                             .strand = rt.self->strand};
    writer->newest = message;
    *place = message;
    location->count++;
    return message;
}
