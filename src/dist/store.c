/* store.c - see store.h: what all stores have in common */
#include "dist/store.h"

#include <stdlib.h>
#include <string.h>

void storecommit_release(StoreCommit *commit)
{
    for (uint32_t i = 0; i < commit->returns.count; i++)
        text_release(&commit->returns.items[i].entries);
    for (uint32_t i = 0; i < commit->bugs.count; i++)
        text_release(&commit->bugs.items[i].text);
    text_release(&commit->record);
    text_release(&commit->reached);
    VEC_FREE(&commit->returns);
    VEC_FREE(&commit->bugs);
    *commit = (StoreCommit){0};
}

void store_add_record(Text *records, const char *record, size_t size)
{
    text_add(records, "record %zu\n", size);
    text_add_bytes(records, record, size);
    text_add_string(records, "\n");
}

/* "parent state agent..." (core/tree/jobs_wire.c) */
static bool is_open(const char *line)
{
    const char *state = strchr(line, ' ');
    return state && state[1] == 'o';
}

static uint32_t count_lines(const char *entries)
{
    uint32_t count = 0;
    for (const char *end; (end = strchr(entries, '\n')); entries = end + 1)
        count++;
    return count;
}

/* The children of an entry have equal parts of its share. Entries may refer to parents that are not in the text: their
 * shares are unknown. */
void store_share_out(const char *entries, uint32_t count, double *shares)
{
    uint32_t *children = mem_alloc((count + 1) * sizeof *children), entry = 1;
    for (const char *line = entries; *line; line = strchr(line, '\n') + 1) {
        unsigned long parent = strtoul(line, NULL, 10);
        if (parent <= count)
            children[parent]++;
    }
    for (const char *line = entries; *line; line = strchr(line, '\n') + 1, entry++) {
        unsigned long parent = strtoul(line, NULL, 10);
        shares[entry] = parent < entry ? shares[parent] / children[parent] : 0;
    }
    free(children);
}

uint32_t store_scan_entries(const char *entries, uint32_t first, StoreEntries *open)
{
    uint32_t count = count_lines(entries), entry = 0;
    if (!open)
        return count;
    double *shares = mem_alloc((count + 1) * sizeof *shares);
    shares[0] = 1;
    if (first == 1)
        store_share_out(entries, count, shares);
    for (const char *line = entries; *line; line = strchr(line, '\n') + 1, entry++)
        if (is_open(line))
            VEC_PUSH(open, ((StoreEntry){.entry = first + entry, .share = shares[entry + 1]}));
    free(shares);
    return count;
}
