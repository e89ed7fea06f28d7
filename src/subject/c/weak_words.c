/* weak_words.c - see weak_words.h */
#include "subject/c/weak_words.h"

#include "report/source.h"
#include "rt/detect/names.h"

enum { NAME = 128 };

const Access *weakwords_access(const WeakWords *words, uint32_t position)
{
    const Event *event = &words->ex->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &words->ex->accesses[event->first_access + i];
        if (access->order != ORDER_STRONG && access->mode != MODE_NONE)
            return access;
    }
    return NULL;
}

void weakwords_add_place(const WeakWords *words, uint32_t position, Text *out)
{
    Place place;
    if (words->program->ops->place(words->program, words->ex->events[position].site, &place) && place.file)
        text_add(out, "%s:%u", source_base_name(place.file), place.line);
    else
        text_add_string(out, "an unknown place");
}

void weakwords_add_agent(const WeakWords *words, uint32_t position, Text *out)
{
    char name[NAME];
    words->program->ops->agent_name(words->program, words->ex->events[position].agent, name, sizeof name);
    text_add_string(out, name);
}

void weakwords_add_object(const WeakWords *words, uint32_t position, Text *out)
{
    char name[NAME];
    const Access *access = weakwords_access(words, position);
    name_resource_briefly(access->resource, access->lanes, name, sizeof name);
    text_add_string(out, name);
}

void weakwords_add_value(const WeakWords *words, uint32_t position, int64_t value, Text *out)
{
    char text[NAME];
    const Event *event = &words->ex->events[position];
    const Access *access = weakwords_access(words, position);
    uint32_t count = (uint32_t)(&words->ex->accesses[event->first_access + event->access_count] - access);
    name_value(access, count, value, text, sizeof text);
    text_add_string(out, text);
}

void weakwords_add_operation(const WeakWords *words, uint32_t position, Text *out)
{
    const Access *access = weakwords_access(words, position);
    if (access) {
        bool updates = access->order & ORDER_UPDATES;
        text_add(out, "%s of ", access->mode == MODE_READ ? "load" : updates ? "update" : "store");
        weakwords_add_object(words, position, out);
    } else {
        text_add_string(out, "fence");
    }
    text_add_string(out, " (");
    weakwords_add_place(words, position, out);
    text_add_string(out, ")");
}

const char *weakwords_order(unsigned order)
{
    static const char *const names[] = {[ORDER_STRONG] = "seq_cst", [ORDER_RELAXED] = "relaxed",
                                        [ORDER_ACQUIRE] = "acquire", [ORDER_RELEASE] = "release",
                                        [ORDER_ACQ_REL] = "acq_rel", [ORDER_SEQ_CST] = "seq_cst"};
    return names[order];
}
