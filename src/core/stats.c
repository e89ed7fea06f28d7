/* stats.c - see stats.h */
#include "core/stats.h"

#include <stdlib.h>
#include <string.h>

const char stats_names[] = ""
#define X(name) #name " "
#define MOST(name) X(name)
#include "core/stats.def"
#undef X
#undef MOST
    ;

void stats_add(ExploreStats *sum, const ExploreStats *part)
{
#define X(name) sum->name += part->name;
#define MOST(name) sum->name = part->name > sum->name ? part->name : sum->name;
#include "core/stats.def"
#undef X
#undef MOST
}

ExploreStats stats_since(const ExploreStats *now, const ExploreStats *before)
{
    ExploreStats part = *now;
#define X(name) part.name -= before->name;
#define MOST(name)
#include "core/stats.def"
#undef X
#undef MOST
    return part;
}

void stats_write(const ExploreStats *stats, Text *text)
{
#define X(name) \
    if (stats->name) \
        text_add(text, " " #name "=%llu", (unsigned long long)stats->name);
#define MOST(name) X(name)
#include "core/stats.def"
#undef X
#undef MOST
}

static bool set(ExploreStats *stats, const char *word, size_t size, uint64_t value)
{
#define X(name) \
    if (size == sizeof #name - 1 && memcmp(word, #name, size) == 0) { \
        stats->name = value; \
        return true; \
    }
#define MOST(name) \
    if (size == sizeof #name - 1 && memcmp(word, #name, size) == 0) { \
        stats->name = (uint32_t)value; \
        return true; \
    }
#include "core/stats.def"
#undef X
#undef MOST
    return false;
}

bool stats_read(ExploreStats *stats, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    *stats = (ExploreStats){0};
    while (at < end) {
        while (at < end && *at == ' ')
            at++;
        const char *word = at;
        while (at < end && *at != '=' && *at != ' ')
            at++;
        if (at == word)
            break;
        if (at == end || *at != '=')
            return false;
        char *rest;
        unsigned long long value = strtoull(at + 1, &rest, 10);
        if (rest == at + 1 || !set(stats, word, (size_t)(at - word), value))
            return false;
        at = rest;
    }
    return true;
}
