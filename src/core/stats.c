/* stats.c - see stats.h */
#include "core/stats.h"

#include <stdlib.h>
#include <string.h>

const char stats_names[] = ""
#define X(name) #name " "
#define CUT(kind, word, name, what) "cut_" #word " "
#define MOST(name) X(name)
#include "core/stats.def"
#undef X
#undef CUT
#undef MOST
    ;

void stats_add(ExploreStats *sum, const ExploreStats *part)
{
#define X(name) sum->name += part->name;
#define CUT(kind, word, name, what) X(cuts[CUT_##kind])
#define MOST(name) sum->name = part->name > sum->name ? part->name : sum->name;
#include "core/stats.def"
#undef X
#undef CUT
#undef MOST
}

ExploreStats stats_since(const ExploreStats *now, const ExploreStats *before)
{
    ExploreStats part = *now;
#define X(name) part.name -= before->name;
#define CUT(kind, word, name, what) X(cuts[CUT_##kind])
#define MOST(name)
#include "core/stats.def"
#undef X
#undef CUT
#undef MOST
    return part;
}

void stats_write(const ExploreStats *stats, Text *text)
{
#define WRITE(word, count) \
    if (count) \
        text_add(text, " " word "=%llu", (unsigned long long)(count));
#define X(name) WRITE(#name, stats->name)
#define CUT(kind, word, name, what) WRITE("cut_" #word, stats->cuts[CUT_##kind])
#define MOST(name) X(name)
#include "core/stats.def"
#undef WRITE
#undef X
#undef CUT
#undef MOST
}

static bool set(ExploreStats *stats, const char *word, size_t size, uint64_t value)
{
#define READ(text, count, type) \
    if (size == sizeof text - 1 && memcmp(word, text, size) == 0) { \
        count = (type)value; \
        return true; \
    }
#define X(name) READ(#name, stats->name, uint64_t)
#define CUT(kind, label, name, what) READ("cut_" #label, stats->cuts[CUT_##kind], uint64_t)
#define MOST(name) READ(#name, stats->name, uint32_t)
#include "core/stats.def"
#undef READ
#undef X
#undef CUT
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
