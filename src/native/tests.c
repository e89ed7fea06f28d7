/* tests.c - see tests.h
 *
 * --select=branch keeps a test when it goes some way at a branch that no test before it
 * went; in the end those are dropped whose ways others go too (greedily, largest first).
 */
#include "native/tests.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "report/identity.h"
#include "rt/program_c.h"

typedef VEC(uint32_t) NumberList;

/* A test that was written; in the region. */
typedef struct TestEntry {
    uint32_t number;
    uint8_t *ways;          /* with --select=branch: the ways it goes at branches; NULL: it crashed */
} TestEntry;

struct Record {
    const RunInfo *info;
    Region *region;
    Program *program;
    bool wanted;
    bool selects;
    uint32_t way_count;
    uint8_t *seen;          /* ways that some test goes                     */
    uint64_t most;          /* tests to write                               */
    _Atomic uint32_t count; /* written                                      */
    _Atomic uint32_t left;  /* not written, because there were too many     */
    _Atomic bool failed;
    TestEntry *entries;     /* `most` of them                               */
    uint32_t kept;          /* after the selection                          */
    uint8_t *told[RT_MARKS];/* what other processes know of coverage        */
    char problem[400];
};

/* ---- Files ----------------------------------------------------------------------- */

void tests_name(const char *directory, uint32_t number, Text *path)
{
    text_reset(path);
    text_add(path, "%s/test%06u.trace", directory, number);
}

bool tests_write_file(const char *path, const char *bytes, size_t size, Error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && text_write_all(fd, bytes, size);
    int problem = errno;
    if (fd >= 0 && close(fd) < 0 && good) {
        problem = errno;
        good = false;
    }
    return good || error_set(error, EXIT_USAGE, "%s: %s", path, strerror(problem));
}

/* Tests of an earlier run would look like results of this one. */
static void remove_old(const char *directory)
{
    DIR *listing = opendir(directory);
    struct dirent *entry;
    unsigned number;
    int end;
    while (listing && (entry = readdir(listing)))
        if (end = 0, sscanf(entry->d_name, "test%u.trace%n", &number, &end) == 1 && end && !entry->d_name[end])
            unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing)
        closedir(listing);
}

static bool make_directory(const char *directory, Error *error)
{
    char *path = mem_copy_string(directory);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    bool good = (mkdir(path, 0777) == 0 || errno == EEXIST) && access(path, W_OK | X_OK) == 0;
    if (!good)
        error_set(error, EXIT_USAGE, "%s: %s", directory, strerror(errno));
    free(path);
    return good;
}

/* ---- Lifecycle --------------------------------------------------------------------- */

Record *tests_create(Region *region, Program *program, const RunInfo *info, const Style *style, Error *error)
{
    const Options *options = &info->options;
    Record *record = region_alloc(region, sizeof *record);
    (void)style;
    *record = (Record){.info = info, .region = region, .program = program, .wanted = *options->tests != '\0',
                       .selects = options->select == SELECT_BRANCH, .most = options->max_tests};
    for (unsigned i = 0; i < RT_MARKS; i++)
        record->told[i] = region_alloc(region, program_c_marks(i).size + 1);
    if (!record->wanted)
        return record;
    if (!record->most || record->most > 10000000)
        record->most = 10000000;
    if (!make_directory(options->tests, error))
        return NULL;
    if (!*options->resume)
        remove_old(options->tests);
    record->entries = region_alloc(region, record->most * sizeof *record->entries);
    record->way_count = program_c_count_cover().outcomes;
    record->seen = region_alloc(region, record->way_count + 1);
    if (record->selects)
        program_c_cover_each();
    return record;
}

/* ---- In a worker ---------------------------------------------------------------------- */

/* An execution that was cut off, or is of no interest, is no test. */
static bool is_test(const Execution *ex)
{
    if (ex->finding_count > 0)
        return true;
    return ex->end == END_COMPLETE && !ex->assumed_away;
}

static bool goes_new_ways(Record *record, const uint8_t *ways)
{
    bool fresh = false;
    for (uint32_t i = 0; i < record->way_count; i++)
        if (ways[i] && !record->seen[i]) {
            record->seen[i] = 1;
            fresh = true;
        }
    return fresh;
}

static void describe_outcome(const Record *record, const Execution *ex, uint32_t number, Trace *trace)
{
    char text[80], id[IDENTITY_TEXT];
    const Finding *finding = ex->finding_count ? &ex->findings[0] : NULL;
    trace_add_steps(trace, ex->program, ex, finding ? finding->position : ex->event_count);
    if (finding) {
        identity_write(identity_of(ex->program, finding), IDENTITY_DIGITS, id);
        trace_set_bug(trace, ex->program, finding, id);
        return;
    }
    snprintf(text, sizeof text, "ends with status %d", program_c_exit_status(record->program));
    snprintf(id, sizeof id, "%u", number);
    trace->kind = "test";
    trace->id = trace_keep(trace, id);
    trace->summary = trace_keep(trace, text);
}

static void write_test(Record *record, const Execution *ex, uint32_t number)
{
    Trace *trace = trace_create();
    Text text = {0}, path = {0};
    Error error;
    runinfo_describe(record->info, trace);
    describe_outcome(record, ex, number, trace);
    trace_write(trace, &text);
    tests_name(record->info->options.tests, number, &path);
    if (!tests_write_file(path.data, text.data, text.length, &error) && !atomic_exchange(&record->failed, true))
        snprintf(record->problem, sizeof record->problem, "%.390s", error.text);
    text_release(&text);
    text_release(&path);
    trace_destroy(trace);
}

Ending tests_note(Record *record, const Execution *ex)
{
    if (!record->wanted || !is_test(ex))
        return ENDING_DONE;
    uint8_t *ways = NULL;
    if (record->selects && ex->end != END_CRASHED) {
        ways = mem_alloc(record->way_count + 1);
        program_c_ways_taken(ways);
    }
    if (!ways || goes_new_ways(record, ways)) {
        uint32_t number = atomic_fetch_add(&record->count, 1) + 1;
        if (number <= record->most) {
            TestEntry *entry = &record->entries[number - 1];
            entry->number = number;
            entry->ways = ways ? memcpy(region_alloc(record->region, record->way_count + 1), ways, record->way_count) : NULL;
            write_test(record, ex, number);
        } else {
            atomic_fetch_sub(&record->count, 1);
            atomic_fetch_add(&record->left, 1);
        }
    }
    free(ways);
    return ENDING_DONE;
}

/* ---- For other processes ------------------------------------------------------------------- */

/* "marks KIND PLACE PLACE ..." */
void tests_write_marks(Record *record, bool all, Text *out)
{
    for (unsigned kind = 0; kind < RT_MARKS; kind++) {
        RtMarks marks = program_c_marks(kind);
        const char *before = kind ? "marks 1" : "marks 0";
        for (size_t i = 0; i < marks.size; i++) {
            if (!marks.bytes[i] || (!all && record->told[kind][i]))
                continue;
            text_add(out, "%s %zu", before, i);
            before = "";
            record->told[kind][i] |= !all;
        }
        if (!*before)
            text_add_string(out, "\n");
    }
}

bool tests_read_marks(Record *record, const char *text, size_t size)
{
    (void)record;
    const char *at = text, *end = text + size;
    while (at < end) {
        unsigned kind;
        if (sscanf(at, "marks %u", &kind) != 1 || kind >= RT_MARKS)
            return false;
        RtMarks marks = program_c_marks(kind);
        char *next;
        for (at += strlen("marks 0"); at < end && *at == ' '; at = next) {
            size_t place = strtoull(at, &next, 10);
            if (place >= marks.size)
                return false;
            marks.bytes[place] = 1;
        }
        if (at >= end || *at++ != '\n')
            return false;
    }
    return true;
}

/* ---- Selection ----------------------------------------------------------------------------- */

static uint32_t count_new(const Record *record, const TestEntry *entry, const uint8_t *covered)
{
    uint32_t count = 0;
    for (uint32_t i = 0; entry->ways && i < record->way_count; i++)
        count += entry->ways[i] && !covered[i];
    return count;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void choose_tests(Record *record, uint32_t count, NumberList *chosen)
{
    uint8_t *covered = mem_alloc(record->way_count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (!record->selects || !record->entries[i].ways)
            VEC_PUSH(chosen, record->entries[i].number);
    while (record->selects) {
        const TestEntry *best = NULL;
        uint32_t most = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t gain = count_new(record, &record->entries[i], covered);
            if (gain > most) {
                most = gain;
                best = &record->entries[i];
            }
        }
        if (!best)
            break;
        VEC_PUSH(chosen, best->number);
        for (uint32_t i = 0; i < record->way_count; i++)
            covered[i] |= best->ways[i];
    }
    if (chosen->count)
        qsort(chosen->items, chosen->count, sizeof *chosen->items, by_number);
    free(covered);
}

static void drop_others(const Record *record, uint32_t count, const NumberList *chosen)
{
    Text path = {0};
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (at < chosen->count && chosen->items[at] == i + 1) {
            at++;
            continue;
        }
        tests_name(record->info->options.tests, i + 1, &path);
        unlink(path.data);
    }
    text_release(&path);
}

/* ---- In the supervisor ------------------------------------------------------------------------ */

void tests_summarise(Record *record, Summary *summary)
{
    (void)record, (void)summary;
}

static void note_problem(Record *record, const Error *error)
{
    if (!record->failed)
        snprintf(record->problem, sizeof record->problem, "%.390s", error->text);
    record->failed = true;
}

void tests_report(Record *record, const Summary *summary, const Style *style, Text *out)
{
    NumberList chosen = {0};
    Error error;
    uint32_t count = record->count;
    (void)summary, (void)style;
    if (!record->wanted)
        return;
    choose_tests(record, count, &chosen);
    drop_others(record, count, &chosen);
    record->kept = chosen.count;
    if (!record->failed && !tests_write_driver(record->info, record->info->options.tests, chosen.items, chosen.count, &error))
        note_problem(record, &error);
    if (record->failed)
        fprintf(stderr, "sennit: tests could not be written: %s\n", record->problem);
    else
        text_add(out, "%u test%s in %s (sennit replay FILE, or cmake and ctest there)%s\n\n", record->kept,
                 record->kept == 1 ? "" : "s", record->info->options.tests,
                 record->left ? "; there are more (--max-tests)" : "");
    VEC_FREE(&chosen);
}

void tests_save(Record *record, RunDir *directory)
{
    if (!record->wanted || !directory->path)
        return;
    char *target = realpath(record->info->options.tests, NULL);
    Text link = {0};
    text_add(&link, "%s/tests", directory->path);
    struct stat status;
    if (lstat(link.data, &status) == 0 && S_ISLNK(status.st_mode))
        unlink(link.data);
    if (target && symlink(target, link.data) < 0 && errno != EEXIST)
        fprintf(stderr, "sennit: %s: %s\n", link.data, strerror(errno));
    text_release(&link);
    free(target);
}

/* ---- Replay -------------------------------------------------------------------------------------- */

bool tests_show_end(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info, const Style *style,
                    Text *out)
{
    char text[80];
    (void)info, (void)style;
    snprintf(text, sizeof text, "ends with status %d", program_c_exit_status(program));
    if (ex->finding_count > 0 || strcmp(text, trace->summary) != 0)
        return false;
    for (uint32_t i = 0; i < trace->input_count; i++)
        text_add(out, "  %s = %s\n", trace->inputs[i].name, trace->inputs[i].value);
    text_add(out, "The program %s, as recorded.\n", text);
    return true;
}
