/* actor_name.c - see actor_name.h */
#include "rt/actors/actor_name.h"

#include <inttypes.h>
#include <string.h>

#include "rt/detect/names.h"
#include "rt/libc/api.h"

/* Described types, in the order of their descriptions; filled before main. */
static const sennit_kind *kinds;

void sennit_rt_sennit_describe(sennit_kind *kind)
{
    const sennit_kind **link = &kinds;
    for (; *link; link = (const sennit_kind **)(uintptr_t)&(*link)->next)
        if (*link == kind)
            return;
    *link = kind;
}

static const sennit_kind *kind_of(const Message *message)
{
    const sennit_kind *found = NULL;
    for (const sennit_kind *kind = kinds; kind; kind = kind->next) {
        if (kind->size != message->size)
            continue;
        if (kind->tag == message->tag)
            return kind;
        if (!found && kind->tag == SENNIT_ANY_TAG)
            found = kind;
    }
    return found;
}

/* A number of up to 8 bytes. */
static void show_number(const unsigned char *bytes, size_t size, bool is_signed, char *text, size_t room)
{
    uint64_t value = 0;
    memcpy(&value, bytes, size < 8 ? size : 8);
    unsigned shift = size < 8 ? 64 - 8 * (unsigned)size : 0;
    if (is_signed)
        snprintf(text, room, "%" PRId64, (int64_t)(value << shift) >> shift);
    else
        snprintf(text, room, "%" PRIu64, value);
}

/* The name of the value, NULL if it has none. */
static const char *name_of(const sennit_field *field, const unsigned char *bytes)
{
    uint64_t value = 0, i = 0;
    memcpy(&value, bytes, field->size < 8 ? field->size : 8);
    while (field->names && field->names[i] && i < value)
        i++;
    return field->names ? field->names[i] : NULL;
}

static void show_fields(const sennit_kind *kind, const Message *message, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s(", kind->name);
    for (size_t i = 0; i < kind->count && used < size; i++) {
        const sennit_field *field = &kind->fields[i];
        const char *name = name_of(field, message->bytes + field->offset);
        char number[32];
        show_number(message->bytes + field->offset, field->size, field->is_signed, number, sizeof number);
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? " " : "", field->name, name ? name : number);
    }
    if (used < size)
        snprintf(text + used, size - used, ")");
}

void actor_name_message(const Message *message, char *text, size_t size)
{
    const sennit_kind *kind = kind_of(message);
    if (message->only)
        snprintf(text, size, "time-out");
    else if (message->timer)
        snprintf(text, size, "timer %d", message->tag);
    else if (kind)
        show_fields(kind, message, text, size);
    else if (message->size && message->size <= 8)
        show_number(message->bytes, message->size, true, text, size);
    else if (message->tag)
        snprintf(text, size, "message %d", message->tag);
    else
        snprintf(text, size, "message of %u bytes", message->size);
}

void actor_name_step(uint16_t op, const Access *access, char *text, size_t size)
{
    char who[48], from[48], what[96];
    name_agent((AgentId)access->resource, who, sizeof who);
    if (op == OP_ACTOR_RECEIVE) {
        const Message *message = (const Message *)(uintptr_t)access->operand;
        actor_name_message(message, what, sizeof what);
        name_agent(message->sender, from, sizeof from);
        snprintf(text, size, "%s receives %s from %s", who, what, from);
    } else {
        const char *does = op == OP_ACTOR_START ? "starts" : op == OP_ACTOR_READY ? "is ready" : "times out";
        snprintf(text, size, "%s %s", who, does);
    }
}
