/* record_c_wire.c - the record of the executions of a C program as text, for other processes
 *
 * One line each; some are followed by bytes:
 *     marks KIND PLACE PLACE ...       lines, branches, goals, unseen code that was reached
 *     solver NUMBER ...                app/run/solving.h
 *     taken SITE COUNT WHAT            values that were concretised
 *     unseen KIND SITE NAME            what was not seen
 *     symmetric COUNT
 *     fault KIND COUNT
 *     test SIZE [WAYS]                 then SIZE bytes: a trace, which is numbered where it is read
 *     number N [WAYS]                  a test whose trace is already in the directory
 *     tests COUNT LEFT                 numbers assigned so far; tests beyond the maximum
 * WAYS are numbers of outcomes of branches, separated by commas. A store gets what is new, with traces; a
 * checkpoint gets everything, and the traces stay in the directory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run/solving.h"
#include "base/file.h"
#include "base/mem.h"
#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_mail.h"
#include "rt/detect/unseen.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/tracking.h"
#include "subject/c/record_c.h"

/* ---- Writing ------------------------------------------------------------------------ */

static void write_marks(CRecord *record, bool all, Text *out)
{
    for (unsigned kind = 0; kind < RT_MARKS; kind++) {
        RtMarks marks = program_c_marks(kind);
        bool any = false;
        for (size_t i = 0; i < marks.size; i++) {
            if (!marks.bytes[i] || (!all && record->sent.marks[kind][i]))
                continue;
            if (!any)
                text_add(out, "marks %u", kind);
            any = true;
            text_add(out, " %zu", i);
            record->sent.marks[kind][i] |= !all;
        }
        if (any)
            text_add_string(out, "\n");
    }
}

typedef struct UnseenNews {
    uint32_t count, sent; /* so far in this call; before it */
    Text *out;
} UnseenNews;

static void write_unseen(void *context, UnseenKind kind, const char *name, uint64_t site)
{
    UnseenNews *news = context;
    if (news->count++ >= news->sent)
        text_add(news->out, "unseen %u %llu %s\n", (unsigned)kind, (unsigned long long)site, name);
}

typedef struct ConcretisedNews {
    Map *sent; /* NULL: all are written */
    Text *out;
} ConcretisedNews;

static void write_concretised(void *context, uint64_t site, const char *what, uint64_t count)
{
    ConcretisedNews *list = context;
    uint64_t *sent = list->sent ? map_insert(list->sent, site, NULL) : NULL, before = sent ? *sent : 0;
    if (count > before)
        text_add(list->out, "taken %llu %llu %s\n", (unsigned long long)site, (unsigned long long)(count - before),
                 what);
    if (sent)
        *sent = count;
}

static void write_faults(CRecord *record, bool all, Text *out)
{
    for (Fault fault = 0; fault < FAULT_COUNT; fault++) {
        uint64_t count = actor_fault_total(fault) - (all ? 0 : record->sent.faults[fault]);
        if (count)
            text_add(out, "fault %u %llu\n", (unsigned)fault, (unsigned long long)count);
        if (!all)
            record->sent.faults[fault] += count;
    }
}

static void write_inputs(CRecord *record, bool all, Text *out)
{
    SymStats stats;
    ConcretisedNews list = {.sent = all ? NULL : &record->sent.concretised, .out = out};
    uint64_t symmetric = actor_mail_symmetric() - (all ? 0 : record->sent.symmetric);
    if (symmetric)
        text_add(out, "symmetric %llu\n", (unsigned long long)symmetric);
    if (!all)
        record->sent.symmetric += symmetric;
    write_faults(record, all, out);
    if (tracking_stats(&stats))
        solving_write(&stats, all ? NULL : &record->sent.solving, out);
    concretise_each(write_concretised, &list);
}

static void write_ways(const CRecord *record, const uint8_t *ways, Text *out)
{
    const char *before = " ";
    for (uint32_t i = 0; ways && i < record->way_count; i++)
        if (ways[i]) {
            text_add(out, "%s%u", before, i);
            before = ",";
        }
    text_add_string(out, "\n");
}

/* Moves a trace from the directory into the text. */
static void move_trace(CRecord *record, const TestEntry *entry, Text *out)
{
    Text path = {0}, trace = {0};
    tests_name(record->info->options.tests, entry->number, &path);
    if (!file_read(path.data, &trace) && !atomic_exchange(&record->failed, true))
        snprintf(record->problem, sizeof record->problem, "%.300s: %s", path.data, strerror(errno));
    unlink(path.data);
    text_add(out, "test %zu", trace.length);
    write_ways(record, entry->ways, out);
    text_add_bytes(out, text_borrow(&trace), trace.length);
    text_release(&path);
    text_release(&trace);
}

static void write_new_tests(CRecord *record, Text *out)
{
    SentRecord *sent = &record->sent;
    for (; sent->tests < record->count; sent->tests++)
        if (record->entries[sent->tests].number)
            move_trace(record, &record->entries[sent->tests], out);
    if (record->left > sent->left)
        text_add(out, "tests 0 %u\n", record->left - sent->left);
    sent->left = record->left;
}

static void write_all_tests(const CRecord *record, Text *out)
{
    for (uint32_t i = 0; i < record->count; i++)
        if (record->entries[i].number) {
            text_add(out, "number %u", record->entries[i].number);
            write_ways(record, record->entries[i].ways, out);
        }
    text_add(out, "tests %u %u\n", record->count, record->left);
}

void record_c_write(SearchRecord *self, bool all, Text *out)
{
    CRecord *record = (CRecord *)self;
    write_marks(record, all, out);
    write_inputs(record, all, out);
    UnseenNews news = {.sent = all ? 0 : record->sent.unseen, .out = out};
    unseen_each_note(write_unseen, &news);
    if (!all)
        record->sent.unseen = news.count;
    if (record->wanted && all)
        write_all_tests(record, out);
    else if (record->wanted)
        write_new_tests(record, out);
}

/* ---- Reading -------------------------------------------------------------------------- */

static bool read_marks(const char *at)
{
    char *next;
    unsigned long kind = strtoul(at, &next, 10);
    if (next == at || kind >= RT_MARKS)
        return false;
    RtMarks marks = program_c_marks((unsigned)kind);
    for (at = next; *at == ' '; at = next) {
        size_t place = strtoull(at, &next, 10);
        if (next == at || place >= marks.size)
            return false;
        marks.bytes[place] = 1;
    }
    return *at == '\n';
}

static bool read_concretised(const char *at)
{
    unsigned long long site, count;
    char what[40];
    if (sscanf(at, "%llu %llu %39[^\n]", &site, &count, what) != 3)
        return false;
    concretise_add(site, what, count);
    return true;
}

static bool read_unseen(const char *at)
{
    unsigned kind;
    unsigned long long site;
    char name[64];
    if (sscanf(at, "%u %llu %63[^\n]", &kind, &site, name) != 3 || kind >= UNSEEN_KINDS)
        return false;
    unseen_add((UnseenKind)kind, name, site);
    return true;
}

static bool read_solving(const char *line)
{
    SymStats stats;
    bool good = solving_read(&stats, line);
    if (good)
        tracking_add_stats(&stats);
    return good;
}

/* The outcomes taken, to be freed by the caller; NULL if there are none. */
static bool read_ways(CRecord *record, const char *at, uint8_t **ways)
{
    *ways = NULL;
    while (*at == ' ' || *at == ',') {
        char *next;
        unsigned long way = strtoul(++at, &next, 10);
        if (next == at || way >= record->way_count)
            return false;
        if (!*ways)
            *ways = mem_alloc(record->way_count + 1);
        (*ways)[way] = record->seen[way] = 1;
        at = next;
    }
    return *at == '\n';
}

/* The trace was written by another process, perhaps for a copy of the program elsewhere. */
static bool adopt_trace(CRecord *record, TestEntry *entry, const char *bytes, size_t size)
{
    Error error;
    Trace *trace = trace_parse(bytes, size, "a test", &error);
    if (!trace)
        return false;
    trace->argument_count = 0;
    runinfo_describe(record->info, trace);
    record_c_write_test(record, entry, trace);
    trace_destroy(trace);
    return true;
}

static bool read_test(CRecord *record, const char *line, const char **at, const char *end)
{
    char *rest;
    size_t size = strtoull(line, &rest, 10);
    uint8_t *ways;
    if (rest == line || size > (size_t)(end - *at) || !read_ways(record, rest, &ways))
        return false;
    TestEntry *entry = record_c_new_test(record, (ExecutionTag){.part = UINT32_MAX}, ways);
    bool good = !entry || adopt_trace(record, entry, *at, size);
    *at += size;
    free(ways);
    return good;
}

static bool read_number(CRecord *record, const char *line)
{
    char *rest;
    unsigned long number = strtoul(line, &rest, 10);
    uint8_t *ways;
    if (number == 0 || number > record->most || !read_ways(record, rest, &ways))
        return false;
    TestEntry *entry = &record->entries[number - 1];
    *entry = (TestEntry){.number = (uint32_t)number, .tag = {.part = UINT32_MAX}};
    if (ways)
        entry->ways = memcpy(region_alloc(record->region, record->way_count + 1), ways, record->way_count);
    free(ways);
    return true;
}

static bool read_totals(CRecord *record, const char *line)
{
    unsigned count, left;
    if (sscanf(line, "%u %u", &count, &left) != 2 || count > record->most)
        return false;
    if (count > record->count)
        record->count = count;
    record->left += left;
    return true;
}

static bool begins(const char *line, const char *word) { return strncmp(line, word, strlen(word)) == 0; }

static bool read_line(CRecord *record, const char *line, const char **at, const char *end)
{
    unsigned long long count;
    unsigned fault;
    if (begins(line, "marks "))
        return read_marks(line + 6);
    if (begins(line, "solver "))
        return read_solving(line);
    if (begins(line, "taken "))
        return read_concretised(line + 6);
    if (begins(line, "unseen "))
        return read_unseen(line + 7);
    if (sscanf(line, "fault %u %llu", &fault, &count) == 2 && fault < FAULT_COUNT) {
        actor_fault_add((Fault)fault, count);
        return true;
    }
    if (sscanf(line, "symmetric %llu", &count) == 1) {
        actor_mail_add_symmetric(count);
        return true;
    }
    if (!record->wanted)
        return false;
    return begins(line, "test ")     ? read_test(record, line + 5, at, end)
           : begins(line, "number ") ? read_number(record, line + 7)
                                     : begins(line, "tests ") && read_totals(record, line + 6);
}

bool record_c_read(SearchRecord *self, const char *text, size_t size)
{
    CRecord *record = (CRecord *)self;
    const char *at = text, *end = text + size, *stop;
    bool good = true;
    while (good && at < end && (stop = memchr(at, '\n', (size_t)(end - at)))) {
        const char *line = at;
        at = stop + 1;
        good = read_line(record, line, &at, end);
    }
    return good && at == end;
}
