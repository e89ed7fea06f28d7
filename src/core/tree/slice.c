/* slice.c - see slice.h */
#include "core/tree/slice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Reading {
    Jobs *jobs;
    Program *program;
    SliceJobs *held;
    const char *at, *end;
} Reading;

/* The next line, without its end; false if there is none. */
static bool next_line(Reading *reading, const char **line)
{
    const char *stop = memchr(reading->at, '\n', (size_t)(reading->end - reading->at));
    *line = reading->at;
    reading->at = stop ? stop + 1 : reading->end;
    return stop != NULL;
}

static bool read_domain(Reading *reading, const char *line, Error *error)
{
    unsigned long long name, parent;
    unsigned entry;
    size_t size;
    if (sscanf(line, "domain %llu %llu %u %zu", &name, &parent, &entry, &size) != 4 ||
        size > (size_t)(reading->end - reading->at))
        return error_set(error, EXIT_INTERNAL, "a slice is damaged");
    const char *entries = reading->at;
    reading->at += size;
    return jobs_replicate(reading->jobs, reading->program, name, parent, entry, entries, size, error);
}

static bool read_job(Reading *reading, const char *line, Error *error)
{
    unsigned long long domain, name;
    unsigned entry;
    if (sscanf(line, "job %llu %u %llu", &domain, &entry, &name) != 3)
        return error_set(error, EXIT_INTERNAL, "a slice is damaged");
    if (!jobs_assign(reading->jobs, domain, entry))
        return error_set(error, EXIT_INTERNAL, "a job is not in the tree");
    VEC_PUSH(reading->held, ((SliceJob){.domain = domain, .name = name, .entry = entry}));
    return true;
}

static bool read_drop(Reading *reading, const char *line, Error *error)
{
    unsigned long long domain;
    unsigned entry;
    SliceJobs *held = reading->held;
    uint32_t i = 0;
    if (sscanf(line, "drop %llu %u", &domain, &entry) == 2)
        while (i < held->count && (held->items[i].domain != domain || held->items[i].entry != entry))
            i++;
    else
        i = held->count;
    if (i == held->count)
        return error_set(error, EXIT_INTERNAL, "a job to be dropped is not held");
    Text none = {0};
    jobs_return(reading->jobs, reading->program, domain, entry, 0, true, &none);
    for (held->count--; i < held->count; i++)
        held->items[i] = held->items[i + 1];
    return true;
}

bool slice_read(const Text *slice, Jobs *jobs, Program *program, SliceJobs *held, SliceLimits *limits, Error *error)
{
    const char *line = text_borrow(slice);
    Reading reading = {.jobs = jobs, .program = program, .held = held, .at = line, .end = line + slice->length};
    bool good = next_line(&reading, &line) && sscanf(line, "%lf %" SCNu64, &limits->seconds, &limits->executions) == 2;
    if (!good)
        error_set(error, EXIT_INTERNAL, "a slice is damaged");
    while (good && next_line(&reading, &line))
        good = strncmp(line, "domain", 6) == 0 ? read_domain(&reading, line, error)
               : *line == 'd'                  ? read_drop(&reading, line, error)
                                               : read_job(&reading, line, error);
    return good;
}

void slice_write(SliceJobs *held, Jobs *jobs, Program *program, Text *out)
{
    static const char *const names[] = {[JOB_OVER] = "over", [JOB_UNTOUCHED] = "kept", [JOB_SPLIT] = "split"};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < held->count; i++) {
        SliceJob job = held->items[i];
        Text entries = {0};
        JobFate fate = jobs_return(jobs, program, job.domain, job.entry, job.name, false, &entries);
        text_add(out, "job %llu %u %llu %s %zu\n", (unsigned long long)job.domain, job.entry,
                 (unsigned long long)job.name, names[fate], entries.length);
        text_add_bytes(out, text_borrow(&entries), entries.length);
        if (fate == JOB_UNTOUCHED)
            held->items[kept++] = job;
        text_release(&entries);
    }
    held->count = kept;
}
