/* identity.c - see identity.h
 *
 * Design: each place is hashed by itself; sorting the hashes and removing duplicates makes the result
 * independent of the order of the places.
 */
#include "report/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/source.h"
#include "report/trace_internal.h"

static uint64_t hash_place(Program *program, uint64_t site)
{
    Place place;
    uint64_t hash = TRACE_HASH_START;
    if (!program->ops->place(program, site, &place) || !place.file)
        return hash;
    const char *file = source_base_name(place.file), *function = place.function ? place.function : "";
    char line[16];
    snprintf(line, sizeof line, "%u", place.line);
    hash = trace_hash_bytes(hash, file, strlen(file) + 1);
    hash = trace_hash_bytes(hash, line, strlen(line) + 1);
    return trace_hash_bytes(hash, function, strlen(function) + 1);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

uint64_t identity_of(Program *program, const Finding *finding)
{
    uint64_t places[FINDING_SITES];
    const char *kind = bug_kind_name(finding->kind);
    uint64_t hash = trace_hash_bytes(TRACE_HASH_START, kind, strlen(kind) + 1);
    for (uint32_t i = 0; i < finding->site_count; i++)
        places[i] = hash_place(program, finding->sites[i]);
    qsort(places, finding->site_count, sizeof places[0], compare);
    for (uint32_t i = 0; i < finding->site_count; i++)
        if (i == 0 || places[i] != places[i - 1])
            hash = trace_hash_bytes(hash, &places[i], sizeof places[i]);
    if (finding->variant)
        hash = trace_hash_bytes(hash, &finding->variant, sizeof finding->variant);
    hash ^= hash >> 29; /* readers see the first digits: let all bits influence them */
    hash *= 0xbf58476d1ce4e5b9ull;
    return hash ^ hash >> 32;
}

void identity_write(uint64_t identity, unsigned digits, char text[IDENTITY_TEXT])
{
    snprintf(text, IDENTITY_TEXT, "%016llx", (unsigned long long)identity);
    text[digits < 16 ? digits : 16] = '\0';
}
