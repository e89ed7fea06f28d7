/* tests.c - see tests.h
 *
 * --select=branch keeps a test if it takes an outcome of a branch that no earlier test takes; at the end,
 * tests are dropped whose outcomes others take as well (greedily, largest first).
 */
#include "subject/c/tests.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "report/identity.h"
#include "rt/detect/cover.h"
#include "subject/c/record_c.h"

typedef VEC(uint32_t) NumberList;

/* ---- Files ----------------------------------------------------------------------- */

void tests_name(const char *directory, uint32_t number, Text *path)
{
    text_reset(path);
    text_add(path, "%s/test%06u.trace", directory, number);
}

bool tests_write_file(const char *path, const char *bytes, size_t size, Error *error)
{
    return file_write(path, O_TRUNC, bytes, size) || error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Tests of an earlier run would look like results of this one. The list must be sorted. */
static void remove_others(const char *directory, const NumberList *kept)
{
    DIR *listing = opendir(directory);
    struct dirent *entry;
    uint32_t number;
    int end;
    while (listing && (entry = readdir(listing)))
        if (end = 0, sscanf(entry->d_name, "test%u.trace%n", &number, &end) == 1 && end && !entry->d_name[end] &&
            !(kept->count && bsearch(&number, kept->items, kept->count, sizeof number, by_number)))
            unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing)
        closedir(listing);
}

static bool make_directory(const char *directory, Error *error)
{
    return (file_make_directory(directory) && access(directory, W_OK | X_OK) == 0) ||
           error_set(error, EXIT_USAGE, "%s: %s", directory, strerror(errno));
}

/* ---- Lifecycle --------------------------------------------------------------------- */

SearchRecord *tests_create(Region *region, Program *program, const RunInfo *info, const Style *style, Error *error)
{
    (void)program;
    const Options *options = &info->options;
    CRecord *record = region_alloc(region, sizeof *record);
    (void)style;
    *record = (CRecord){.info = info, .region = region, .wanted = *options->tests != '\0',
                        .selects = options->select == SELECT_BRANCH, .most = options->max_tests};
    for (unsigned i = 0; i < RT_MARKS; i++)
        record->sent.marks[i] = region_alloc(region, program_c_marks(i).size + 1);
    if (!record->wanted)
        return (SearchRecord *)record;
    if (!record->most || record->most > 10000000)
        record->most = 10000000;
    if (!make_directory(options->tests, error))
        return NULL;
    if (!*options->resume)
        remove_others(options->tests, &(NumberList){0});
    record->entries = region_alloc(region, record->most * sizeof *record->entries);
    record->way_count = cover_count().outcomes;
    record->seen = region_alloc(region, record->way_count + 1);
    if (record->selects)
        cover_separate();
    return (SearchRecord *)record;
}

/* ---- In a worker ---------------------------------------------------------------------- */

/* An execution that was cut, or violates an assumption, is not a test. */
static bool is_test(const Execution *ex)
{
    if (ex->finding_count > 0)
        return true;
    return ex->end == END_COMPLETE && !ex->assumed_away && !execution_is_cut(ex);
}

static bool takes_new_outcomes(CRecord *record, const uint8_t *ways)
{
    bool fresh = false;
    for (uint32_t i = 0; i < record->way_count; i++)
        if (ways[i] && !record->seen[i]) {
            record->seen[i] = 1;
            fresh = true;
        }
    return fresh;
}

enum { END_TEXT = 80 };

static const char *end_text(const Execution *ex, char text[END_TEXT])
{
    snprintf(text, END_TEXT, "ends with status %d", ex->status);
    return text;
}

void tests_describe_end(Program *program, const Execution *ex, Trace *trace)
{
    char text[END_TEXT];
    (void)program;
    trace->kind = TESTS_KIND;
    trace->id = "0";
    trace->summary = trace_keep(trace, end_text(ex, text));
}

static void describe_outcome(const Execution *ex, Trace *trace)
{
    char id[IDENTITY_TEXT];
    const Finding *finding = ex->finding_count ? &ex->findings[0] : NULL;
    trace_add_steps(trace, ex->program, ex, finding ? finding->position : ex->event_count);
    if (finding) {
        identity_write(identity_of(ex->program, finding), IDENTITY_DIGITS, id);
        trace_set_bug(trace, ex->program, finding, id);
        return;
    }
    tests_describe_end(ex->program, ex, trace);
}

/* The trace gets the number of its test as id; a bug has its own. */
static void set_id(Trace *trace, uint32_t number)
{
    char id[IDENTITY_TEXT];
    if (strcmp(trace->kind, TESTS_KIND) != 0)
        return;
    snprintf(id, sizeof id, "%u", number);
    trace->id = trace_keep(trace, id);
}

void record_c_write_test(CRecord *record, TestEntry *entry, Trace *trace)
{
    Text text = {0}, path = {0};
    Error error;
    uint32_t number = (uint32_t)(entry - record->entries) + 1;
    set_id(trace, number);
    trace_write(trace, &text);
    tests_name(record->info->options.tests, number, &path);
    if (!tests_write_file(path.data, text.data, text.length, &error) && !atomic_exchange(&record->failed, true))
        snprintf(record->problem, sizeof record->problem, "%.390s", error.text);
    atomic_signal_fence(memory_order_seq_cst);
    entry->number = number;
    text_release(&text);
    text_release(&path);
}

TestEntry *record_c_new_test(CRecord *record, ExecutionTag tag, const uint8_t *ways)
{
    uint32_t number = atomic_fetch_add(&record->count, 1) + 1;
    if (number > record->most) {
        atomic_fetch_sub(&record->count, 1);
        atomic_fetch_add(&record->left, 1);
        return NULL;
    }
    TestEntry *entry = &record->entries[number - 1];
    entry->tag = tag;
    entry->ways = ways ? memcpy(region_alloc(record->region, record->way_count + 1), ways, record->way_count) : NULL;
    return entry;
}

static void add_test(CRecord *record, const Execution *ex, ExecutionTag tag, const uint8_t *ways)
{
    TestEntry *entry = record_c_new_test(record, tag, ways);
    if (!entry)
        return;
    Trace *trace = trace_create();
    runinfo_describe(record->info, trace);
    describe_outcome(ex, trace);
    record_c_write_test(record, entry, trace);
    trace_destroy(trace);
}

Ending tests_note(SearchRecord *self, const Execution *ex, ExecutionTag tag)
{
    CRecord *record = (CRecord *)self;
    if (!record->wanted || !is_test(ex))
        return ENDING_DONE;
    uint8_t *ways = NULL;
    if (record->selects && ex->end != END_CRASHED) {
        ways = mem_alloc(record->way_count + 1);
        cover_outcomes(ways);
    }
    if (!ways || takes_new_outcomes(record, ways))
        add_test(record, ex, tag, ways);
    free(ways);
    return ENDING_DONE;
}

/* The outcomes of an invalid test count as new again, unless another test takes them. */
static void unsee(CRecord *record, const uint8_t *ways)
{
    for (uint32_t i = 0; i < record->way_count; i++) {
        bool seen = false;
        for (uint32_t k = 0; ways[i] && !seen && k < record->count; k++)
            seen = record->entries[k].number && record->entries[k].ways && record->entries[k].ways[i];
        if (ways[i] && !seen)
            record->seen[i] = 0;
    }
}

void tests_forget(SearchRecord *self, ExecutionTag last)
{
    CRecord *record = (CRecord *)self;
    Text path = {0};
    for (uint32_t i = 0; record->wanted && i < record->count; i++) {
        TestEntry *entry = &record->entries[i];
        uint8_t *ways = entry->ways;
        if ((!entry->number && !ways) || entry->tag.part != last.part || entry->tag.serial <= last.serial)
            continue;
        tests_name(record->info->options.tests, i + 1, &path);
        unlink(path.data);
        entry->number = 0;
        entry->ways = NULL;
        if (ways)
            unsee(record, ways);
    }
    text_release(&path);
}

/* ---- Selection ----------------------------------------------------------------------------- */

static uint32_t count_new(const CRecord *record, const TestEntry *entry, const uint8_t *covered)
{
    uint32_t count = 0;
    for (uint32_t i = 0; entry->number && entry->ways && i < record->way_count; i++)
        count += entry->ways[i] && !covered[i];
    return count;
}

static void choose_tests(CRecord *record, uint32_t count, NumberList *chosen)
{
    uint8_t *covered = mem_alloc(record->way_count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (record->entries[i].number && (!record->selects || !record->entries[i].ways))
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

/* Removes tests that are not chosen; but not if the search can be resumed, which may need them. */
static void drop_others(const CRecord *record, uint32_t count, const NumberList *chosen, bool resumable)
{
    NumberList all = {0};
    for (uint32_t i = 0; resumable && i < count; i++)
        if (record->entries[i].number)
            VEC_PUSH(&all, record->entries[i].number);
    remove_others(record->info->options.tests, resumable ? &all : chosen);
    VEC_FREE(&all);
}

/* ---- In the supervisor ------------------------------------------------------------------------ */

static void note_problem(CRecord *record, const Error *error)
{
    if (!record->failed)
        snprintf(record->problem, sizeof record->problem, "%.390s", error->text);
    record->failed = true;
}

void tests_report(SearchRecord *self, const Summary *summary, const Style *style, Text *out)
{
    CRecord *record = (CRecord *)self;
    NumberList chosen = {0};
    Error error;
    uint32_t count = record->count;
    (void)style;
    if (!record->wanted)
        return;
    choose_tests(record, count, &chosen);
    drop_others(record, count, &chosen, summary_is_resumable(summary));
    if (!record->failed &&
        !tests_write_driver(record->info, record->info->options.tests, chosen.items, chosen.count, &error))
        note_problem(record, &error);
    if (record->failed)
        options_say(&record->info->options, "tests could not be written: %s", record->problem);
    else
        text_add(out, "%u test%s in %s (sennit replay FILE, or cmake and ctest there)%s\n\n", chosen.count,
                 chosen.count == 1 ? "" : "s", record->info->options.tests,
                 record->left ? "; others were left out (--max-tests)" : "");
    VEC_FREE(&chosen);
}

void tests_save(SearchRecord *self, RunDir *directory)
{
    CRecord *record = (CRecord *)self;
    if (!record->wanted || !directory->path)
        return;
    char *target = realpath(record->info->options.tests, NULL), *own = realpath(directory->path, NULL);
    Text link = {0}, relative = {0};
    text_add(&link, "%s/tests", directory->path);
    struct stat status;
    if (lstat(link.data, &status) == 0 && S_ISLNK(status.st_mode))
        unlink(link.data);
    if (target && own)
        path_add_relative(own, target, &relative);
    if (target && own && strcmp(own, target) != 0 && symlink(relative.data, link.data) < 0 && errno != EEXIST)
        options_say(&record->info->options, "%s: %s", link.data, strerror(errno));
    text_release(&link);
    text_release(&relative);
    free(target);
    free(own);
}

/* ---- Replay -------------------------------------------------------------------------------------- */

bool tests_show_end(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info, const Style *style,
                    Text *out)
{
    char text[END_TEXT];
    (void)program, (void)info, (void)style;
    if (ex->finding_count > 0 || strcmp(end_text(ex, text), trace->summary) != 0)
        return false;
    for (uint32_t i = 0; i < trace->input_count; i++)
        text_add(out, "  %s = %s\n", trace->inputs[i].name, trace->inputs[i].value);
    text_add(out, "The program %s, as recorded.\n", text);
    return true;
}
