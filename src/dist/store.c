/* store.c - see store.h: what does not depend on the server */
#include "dist/store.h"

#include <string.h>

void storecommit_release(StoreCommit *commit)
{
    for (uint32_t i = 0; i < commit->returns.count; i++)
        text_release(&commit->returns.items[i].entries);
    for (uint32_t i = 0; i < commit->bugs.count; i++)
        text_release(&commit->bugs.items[i].text);
    VEC_FREE(&commit->returns);
    VEC_FREE(&commit->bugs);
    *commit = (StoreCommit){0};
}

/* "parent state agent..." (core/jobs_wire.c) */
static bool is_open(const char *line)
{
    const char *state = strchr(line, ' ');
    return state && state[1] == 'o';
}

uint32_t store_scan_entries(const char *entries, uint32_t first, StoreEntries *open)
{
    uint32_t count = 0;
    for (const char *line = entries, *end; (end = strchr(line, '\n')); line = end + 1, count++)
        if (is_open(line) && open)
            VEC_PUSH(open, first + count);
    return count;
}
