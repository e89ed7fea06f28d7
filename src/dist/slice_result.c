/* slice_result.c - see slice_result.h */
#include "dist/slice_result.h"

#include <stdio.h>
#include <string.h>

#include "core/stats.h"

void sliceresult_release(SliceResult *result)
{
    storecommit_release(&result->commit);
    VEC_FREE(&result->untouched);
}

static bool take_bytes(const char **at, const char *end, size_t size, Text *text)
{
    if (size > (size_t)(end - *at))
        return false;
    text_add_bytes(text, *at, size);
    *at += size;
    return true;
}

static uint64_t token_of(const StoreJobs *held, uint64_t domain, uint32_t entry)
{
    for (uint32_t i = 0; i < held->count; i++)
        if (held->items[i].domain == domain && held->items[i].entry == entry)
            return held->items[i].token;
    return 0;
}

static bool read_job(const StoreJobs *held, SliceResult *result, const char *line, const char **at, const char *end)
{
    unsigned long long domain, name;
    unsigned entry;
    char fate[16];
    size_t size;
    StoreReturn back = {0};
    if (sscanf(line, "job %llu %u %llu %15s %zu", &domain, &entry, &name, fate, &size) != 5)
        return false;
    back.job = (StoreJob){.domain = domain, .entry = entry, .token = token_of(held, domain, entry)};
    back.fate = strcmp(fate, "over") == 0 ? STORE_OVER : strcmp(fate, "split") == 0 ? STORE_SPLIT : STORE_RELEASED;
    if (back.fate == STORE_RELEASED) {
        VEC_PUSH(&result->untouched, back.job);
        return true;
    }
    bool good = take_bytes(at, end, size, &back.entries);
    VEC_PUSH(&result->commit.returns, back);
    return good;
}

static bool read_bug(SliceResult *result, const char *line, const char **at, const char *end)
{
    unsigned long long identity, seen;
    char kind[64];
    size_t size;
    StoreBug bug = {0};
    if (sscanf(line, "bug %llx %63s %llu %zu", &identity, kind, &seen, &size) != 4)
        return false;
    bug.identity = identity;
    text_add(&bug.text, "%s %llu\n", kind, seen);
    bool good = take_bytes(at, end, size, &bug.text);
    VEC_PUSH(&result->commit.bugs, bug);
    return good;
}

/* "reached ENOUGH WORD ..." */
static bool read_reached(SliceResult *result, const char *line, const char *end, uint64_t enough)
{
    const char *words = memchr(line + strlen("reached "), ' ', (size_t)(end - line) - strlen("reached "));
    result->commit.enough = enough;
    if (words)
        text_add_bytes(&result->commit.reached, words, (size_t)(end - words));
    return true;
}

bool sliceresult_read(SliceResult *result, const Text *text, const StoreJobs *held)
{
    const char *at = text_borrow(text), *end = at + text->length;
    size_t size;
    unsigned long long enough;
    bool good = true;
    while (good && at < end) {
        const char *line = at, *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            return false;
        at = stop + 1;
        if (strncmp(line, "job ", 4) == 0)
            good = read_job(held, result, line, &at, end);
        else if (strncmp(line, "bug ", 4) == 0)
            good = read_bug(result, line, &at, end);
        else if (sscanf(line, "record %zu", &size) == 1)
            good = take_bytes(&at, end, size, &result->commit.record);
        else if (sscanf(line, "reached %llu", &enough) == 1)
            good = read_reached(result, line, stop, enough);
        else if (strncmp(line, "stats", 5) == 0)
            good = stats_read(&result->commit.stats, line + 5, (size_t)(stop - line - 5));
        else if (strncmp(line, "note ", 5) == 0)
            snprintf(result->note, sizeof result->note, "%.*s", (int)(stop - line - 5), line + 5);
        else
            good = sscanf(line, "cpu %lf", &result->commit.cpu_seconds) == 1 ||
                   sscanf(line, "bytes %zu", &result->bytes) == 1 || sscanf(line, "ending %31s", result->ending) == 1;
    }
    return good;
}
