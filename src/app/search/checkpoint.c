/* checkpoint.c - see checkpoint.h
 *
 *     sennit checkpoint 1
 *     KEY VALUE                 one line each
 *     stats NAME=NUMBER ...
 *     bug IDENTITY KIND SEEN SIZE, then SIZE bytes: the trace
 *     record SIZE, then SIZE bytes: what the subject recorded (subject.h); may occur several times
 *     jobs STRATEGY SIZE, then SIZE bytes: the tree
 *     end
 */
#include "app/search/checkpoint.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "core/stats.h"
#include "core/tree/jobs_wire.h"
#include "sennit_version.h"

static const char FIRST_LINE[] = "sennit checkpoint 1\n";

/* ---- Bounds --------------------------------------------------------------------- */

void checkpoint_write_bounds(const Options *options, Text *text)
{
    Options search;
    options_init(&search);
    search.keep_going = options->keep_going;
    search.strategies = options->strategies;
    search.reduction = options->reduction;
    search.preemptions = options->preemptions;
    search.seed = options->seed;
    options_write(&search, USE_SEARCH, text);
    text_add_string(text, " ");
    options_write(options, USE_RUN, text);
    options_release(&search);
}

/* The first word of `text` that is not one of `other`, or NULL. */
static const char *odd_word(const char *text, const char *other, size_t *size)
{
    for (const char *at = text; *at; at += *size + (at[*size] == ' ')) {
        *size = strcspn(at, " ");
        bool same = false;
        for (const char *word = other; *word && !same;) {
            size_t length = strcspn(word, " ");
            same = length == *size && memcmp(word, at, length) == 0;
            word += length + (word[length] == ' ');
        }
        if (!same && *size > 0)
            return at;
    }
    return NULL;
}

bool checkpoint_same_bounds(const char *then, const char *now, Error *error)
{
    size_t then_size = 0, now_size = 0;
    const char *was = odd_word(then, now, &then_size), *is = odd_word(now, then, &now_size);
    if (!was && !is)
        return true;
    if (was && is)
        return error_set(error, EXIT_USAGE, "the search was started with %.*s, not %.*s: start a new one",
                         (int)then_size, was, (int)now_size, is);
    return error_set(error, EXIT_USAGE, "the search was started %s %.*s: start a new one", was ? "with" : "without",
                     (int)(was ? then_size : now_size), was ? was : is);
}

/* ---- Writing ----------------------------------------------------------------------- */

static void write_line(Text *text, const char *key, const char *value)
{
    text_add(text, "%s %s\n", key, value);
}

void checkpoint_begin(const CheckpointHead *head, const ExploreStats *stats, Text *text)
{
    text_add_string(text, FIRST_LINE);
    write_line(text, "version", head->version);
    write_line(text, "program", head->program);
    write_line(text, "hash", head->hash);
    write_line(text, "directory", head->directory);
    write_line(text, "options", head->options);
    write_line(text, "bounds", head->bounds);
    if (head->ending)
        write_line(text, "ending", head->ending);
    for (uint32_t i = 0; i < head->argument_count; i++) {
        text_add(text, "argument %zu\n", strlen(head->arguments[i]));
        write_line(text, head->arguments[i], "");
    }
    text_add(text, "seconds %.3f\ncpu %.3f\nstats", head->seconds, head->cpu_seconds);
    stats_write(stats, text);
    text_add_string(text, "\n");
}

void checkpoint_add_bug(uint64_t identity, const char *kind, size_t kind_size, const char *trace, size_t trace_size,
                        Text *text)
{
    text_add(text, "bug %016llx %.*s %zu\n", (unsigned long long)identity, (int)kind_size, kind, trace_size);
    text_add_bytes(text, trace, trace_size);
    text_add_string(text, "\n");
}

static void add_record(const Text *record, Text *text)
{
    if (record->length == 0)
        return;
    text_add(text, "record %zu\n", record->length);
    text_add_bytes(text, record->data, record->length);
    text_add_string(text, "\n");
}

void checkpoint_end(Text *text) { text_add_string(text, "jobs 0 7\ntree d\n\nend\n"); }

static void write_head(const RunInfo *info, const ExploreStats *stats, double seconds, double cpu_seconds, Text *text)
{
    Text options = {0}, bounds = {0};
    options_write(&info->options, USE_SEARCH | USE_RUN, &options);
    checkpoint_write_bounds(&info->options, &bounds);
    CheckpointHead head = {.version = SENNIT_VERSION, .program = info->program, .hash = (char *)info->hash,
                           .directory = info->directory, .options = (char *)text_borrow(&options),
                           .bounds = (char *)text_borrow(&bounds), .arguments = info->arguments + 1,
                           .argument_count = info->argc > 0 ? (uint32_t)info->argc - 1 : 0, .seconds = seconds,
                           .cpu_seconds = cpu_seconds};
    checkpoint_begin(&head, stats, text);
    text_release(&options);
    text_release(&bounds);
}

static void write_bugs(const BugList *bugs, Text *text)
{
    for (uint32_t i = 0; i < buglist_count(bugs); i++) {
        const Bug *bug = &bugs->bugs[i];
        Text kind = {0};
        text_add(&kind, "%s %llu", bug->kind, (unsigned long long)bug->seen);
        checkpoint_add_bug(bug->identity, kind.data, kind.length, bug->trace, bug->trace_size, text);
        text_release(&kind);
    }
}

static void write_jobs(RunSearch *search, Text *text)
{
    for (uint32_t i = 0; i < STRATEGIES_MAX; i++) {
        Jobs *jobs = search_jobs(search, i);
        Text tree = {0};
        if (!jobs)
            continue;
        jobs_write(jobs, search_execution(search, 0)->program, &tree);
        text_add(text, "jobs %u %zu\n", i, tree.length);
        text_add_bytes(text, tree.data, tree.length);
        text_add_string(text, "\n");
        text_release(&tree);
    }
}

void checkpoint_write(RunSearch *search, const RunInfo *info, double seconds, double cpu_seconds, Text *text)
{
    ExploreStats stats = search_stats(search);
    write_head(info, &stats, seconds, cpu_seconds, text);
    write_bugs(search_bugs(search), text);
    if (search_record(search) && info->subject->record_write) {
        Text record = {0};
        info->subject->record_write(search_record(search), true, &record);
        add_record(&record, text);
        text_release(&record);
    }
    write_jobs(search, text);
    text_add_string(text, "end\n");
}

/* ---- Reading ------------------------------------------------------------------------- */

typedef struct CheckpointReader {
    const char *at, *end;
    Error *error;
} CheckpointReader;

static bool damaged(CheckpointReader *reader)
{
    return error_set(reader->error, EXIT_USAGE, "the checkpoint is damaged");
}

/* The next line without its line end; false at the end of the text. */
static bool next_line(CheckpointReader *reader, const char **line, size_t *size)
{
    const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    if (!end)
        return false;
    *line = reader->at;
    *size = (size_t)(end - reader->at);
    reader->at = end + 1;
    return true;
}

static bool take_bytes(CheckpointReader *reader, size_t size, const char **bytes)
{
    if (size >= (size_t)(reader->end - reader->at) || reader->at[size] != '\n')
        return false;
    *bytes = reader->at;
    reader->at += size + 1;
    return true;
}

static char *copy_bytes(const char *bytes, size_t size)
{
    char *copy = mem_alloc(size + 1);
    memcpy(copy, bytes, size);
    return copy;
}

static bool is_key(const char *line, size_t size, const char *key, const char **value)
{
    size_t length = strlen(key);
    if (size < length || memcmp(line, key, length) != 0 || (size > length && line[length] != ' '))
        return false;
    *value = line + length + (size > length);
    return true;
}

static bool read_argument(CheckpointReader *reader, CheckpointHead *head, const char *value)
{
    const char *bytes;
    size_t size = strtoull(value, NULL, 10);
    if (size + 2 > (size_t)(reader->end - reader->at) || reader->at[size] != ' ' || reader->at[size + 1] != '\n')
        return false;
    bytes = reader->at;
    reader->at += size + 2;
    head->arguments = mem_resize(head->arguments, (head->argument_count + 2) * sizeof *head->arguments);
    head->arguments[head->argument_count++] = copy_bytes(bytes, size);
    head->arguments[head->argument_count] = NULL;
    return true;
}

static bool read_head_line(CheckpointReader *reader, CheckpointHead *head, const char *line, size_t size)
{
    struct { const char *key; char **place; } texts[] = {
        {"version", &head->version}, {"program", &head->program}, {"hash", &head->hash},
        {"directory", &head->directory}, {"options", &head->options}, {"bounds", &head->bounds},
        {"ending", &head->ending}};
    const char *value;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (is_key(line, size, texts[i].key, &value)) {
            free(*texts[i].place);
            *texts[i].place = copy_bytes(value, (size_t)(line + size - value));
            return true;
        }
    if (is_key(line, size, "argument", &value))
        return read_argument(reader, head, value);
    if (is_key(line, size, "seconds", &value))
        return (head->seconds = strtod(value, NULL)) >= 0;
    return is_key(line, size, "cpu", &value) && (head->cpu_seconds = strtod(value, NULL)) >= 0;
}

/* Reads up to the line with the counts, which is not taken. */
static bool read_head(CheckpointReader *reader, CheckpointHead *head)
{
    const char *line, *value;
    size_t size;
    head->arguments = mem_alloc(sizeof *head->arguments);
    if (!next_line(reader, &line, &size) || size + 1 != strlen(FIRST_LINE) || memcmp(line, FIRST_LINE, size) != 0)
        return error_set(reader->error, EXIT_USAGE, "not a checkpoint");
    for (;;) {
        const char *before = reader->at;
        if (!next_line(reader, &line, &size))
            return damaged(reader);
        if (is_key(line, size, "stats", &value)) {
            reader->at = before;
            break;
        }
        if (!read_head_line(reader, head, line, size))
            return damaged(reader);
    }
    if (!head->version || !head->program || !head->hash || !head->directory || !head->options || !head->bounds)
        return damaged(reader);
    return true;
}

void checkpointhead_release(CheckpointHead *head)
{
    free(head->version);
    free(head->program);
    free(head->hash);
    free(head->directory);
    free(head->options);
    free(head->bounds);
    free(head->ending);
    for (uint32_t i = 0; i < head->argument_count; i++)
        free(head->arguments[i]);
    free(head->arguments);
    *head = (CheckpointHead){0};
}

static bool read_file(const char *path, Text *text, Error *error)
{
    if (!file_read(path, text))
        return error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (text->length < 4 || memcmp(text->data + text->length - 4, "end\n", 4) != 0)
        return error_set(error, EXIT_USAGE, "%s: the checkpoint is incomplete", path);
    return true;
}

bool checkpoint_read_head(const char *path, CheckpointHead *head, Error *error)
{
    Text text = {0};
    *head = (CheckpointHead){0};
    bool good = read_file(path, &text, error);
    CheckpointReader reader = {.at = text_borrow(&text), .end = text_borrow(&text) + text.length, .error = error};
    good = good && read_head(&reader, head);
    text_release(&text);
    return good;
}

/* ---- Resuming -------------------------------------------------------------------------- */

static bool read_bug(CheckpointReader *reader, RunSearch *search, const char *value)
{
    unsigned long long identity, seen;
    char kind[64];
    const char *trace;
    size_t size;
    if (sscanf(value, "%llx %63s %llu %zu", &identity, kind, &seen, &size) != 4 || !take_bytes(reader, size, &trace))
        return false;
    return buglist_restore(search_bugs(search), identity, kind, seen, trace, size);
}

static bool read_jobs(CheckpointReader *reader, RunSearch *search, const char *value)
{
    unsigned number;
    size_t size;
    const char *tree;
    if (sscanf(value, "%u %zu", &number, &size) != 2 || number >= STRATEGIES_MAX || !take_bytes(reader, size, &tree))
        return false;
    Jobs *jobs = search_jobs(search, number);
    return jobs && jobs_read(jobs, search_execution(search, 0)->program, tree, size, reader->error);
}

static bool read_record(CheckpointReader *reader, const RunInfo *info, RunSearch *search, const char *value)
{
    const char *bytes;
    size_t size = strtoull(value, NULL, 10);
    return take_bytes(reader, size, &bytes) && (!search_record(search) || !info->subject->record_read ||
                                                info->subject->record_read(search_record(search), bytes, size));
}

static bool read_rest(CheckpointReader *reader, const RunInfo *info, RunSearch *search)
{
    const char *line, *value;
    size_t size;
    while (next_line(reader, &line, &size)) {
        ExploreStats stats = {0};
        if (size == 3 && memcmp(line, "end", 3) == 0)
            return true;
        if (is_key(line, size, "stats", &value)) {
            if (!stats_read(&stats, value, (size_t)(line + size - value)))
                return damaged(reader);
            search_restore(search, &stats);
        } else if (is_key(line, size, "record", &value)) {
            if (!read_record(reader, info, search, value))
                return damaged(reader);
        } else if (is_key(line, size, "bug", &value)
                       ? !read_bug(reader, search, value)
                       : !is_key(line, size, "jobs", &value) || !read_jobs(reader, search, value)) {
            return damaged(reader);
        }
    }
    return damaged(reader);
}

/* Is it the same program, with the same arguments and the same bounds? */
static bool fits(const CheckpointHead *head, const RunInfo *info, Error *error)
{
    if (strcmp(head->version, SENNIT_VERSION) != 0)
        return error_set(error, EXIT_USAGE, "the search was started with Sennit %s, this is %s: start a new one",
                         head->version, SENNIT_VERSION);
    if (strcmp(head->hash, info->hash) != 0)
        return error_set(error, EXIT_USAGE,
                         "%s has changed since the search was started (hash %s, now %s): start a new one",
                         info->program, head->hash, info->hash);
    bool same = head->argument_count + 1 == (uint32_t)info->argc;
    for (uint32_t i = 0; same && i < head->argument_count; i++)
        same = strcmp(head->arguments[i], info->arguments[i + 1]) == 0;
    if (!same)
        return error_set(error, EXIT_USAGE,
                         "the search was started with other program arguments: start a new one");
    Text bounds = {0};
    Options options = info->options; /* a shared search leaves the choice of the model to the program */
    if (info->memory_chosen && !strstr(head->bounds, "--memory="))
        options.memory = MEMORY_AUTO;
    checkpoint_write_bounds(&options, &bounds);
    same = checkpoint_same_bounds(head->bounds, text_borrow(&bounds), error);
    text_release(&bounds);
    return same;
}

bool checkpoint_load(const char *path, const RunInfo *info, RunSearch *search, CheckpointHead *head, Error *error)
{
    Text text = {0};
    Error inner = {.code = EXIT_USAGE};
    *head = (CheckpointHead){0};
    bool good = read_file(path, &text, error);
    CheckpointReader reader = {.at = text_borrow(&text), .end = text_borrow(&text) + text.length, .error = &inner};
    if (good) {
        good = read_head(&reader, head) && fits(head, info, &inner) && read_rest(&reader, info, search);
        if (!good)
            error_set(error, inner.code, "%s: %s", path, inner.text);
    }
    text_release(&text);
    return good;
}
