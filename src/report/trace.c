/* trace.c - see trace.h: building traces and writing them */
#include "report/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/trace_internal.h"
#include "sennit_version.h"

/* ---- Strings that live as long as their trace ------------------------------ */

enum { POOL_BLOCK = 1 << 16 };

/* Strings repeat from step to step (files, functions, agents): the last ones are compared before a new copy is
 * made. */
enum { RECENT = 16 };

typedef struct PoolBlock {
    struct PoolBlock *next;
    char bytes[];
} PoolBlock;

struct TracePool {
    PoolBlock *blocks;
    size_t left;
    char *at;
    const char *recent[RECENT];
    unsigned next_recent;
};

static char *pool_alloc(struct TracePool *pool, size_t size)
{
    if (size > pool->left) {
        size_t capacity = size > POOL_BLOCK ? size : POOL_BLOCK;
        PoolBlock *block = mem_alloc(sizeof *block + capacity);
        block->next = pool->blocks;
        pool->blocks = block;
        pool->at = block->bytes;
        pool->left = capacity;
    }
    char *result = pool->at;
    pool->at += size;
    pool->left -= size;
    return result;
}

const char *trace_keep(Trace *trace, const char *string)
{
    struct TracePool *pool = trace->pool;
    if (!string)
        return NULL;
    for (unsigned i = 0; i < RECENT; i++)
        if (pool->recent[i] && strcmp(pool->recent[i], string) == 0)
            return pool->recent[i];
    size_t size = strlen(string) + 1;
    const char *copy = memcpy(pool_alloc(pool, size), string, size);
    pool->recent[pool->next_recent++ % RECENT] = copy;
    return copy;
}

/* ---- Lifecycle --------------------------------------------------------------- */

Trace *trace_create(void)
{
    Trace *trace = mem_alloc(sizeof *trace);
    trace->pool = mem_alloc(sizeof *trace->pool);
    trace->version = SENNIT_VERSION;
    trace->program = trace->hash = trace->directory = trace->options = "";
    trace->kind = trace->id = trace->summary = "";
    return trace;
}

void trace_destroy(Trace *trace)
{
    if (!trace)
        return;
    while (trace->pool->blocks) {
        PoolBlock *next = trace->pool->blocks->next;
        free(trace->pool->blocks);
        trace->pool->blocks = next;
    }
    free(trace->pool);
    free(trace->arguments);
    free(trace->inputs);
    free(trace->agents);
    free(trace->steps);
    free(trace->choices);
    free(trace);
}

/* ---- Building ------------------------------------------------------------------ */

TracePlace trace_place(Trace *trace, Program *program, uint64_t site)
{
    Place place;
    if (!program->ops->place(program, site, &place) || !place.file)
        return (TracePlace){0};
    return (TracePlace){trace_keep(trace, place.file), trace_keep(trace, place.function ? place.function : "?"),
                        place.line, place.column};
}

/* Room for one more element of an array that grows in powers of two. */
static void *grown(void *array, uint32_t count, size_t size)
{
    if (count & (count - 1) || (count != 0 && count < 8))
        return array;
    return mem_resize(array, (count ? (size_t)count * 2 : 8) * size);
}

TraceStep *trace_new_step(Trace *trace)
{
    trace->steps = grown(trace->steps, trace->step_count, sizeof *trace->steps);
    TraceStep *step = &trace->steps[trace->step_count++];
    *step = (TraceStep){.agent = "", .text = "", .first_choice = trace->choice_count};
    return step;
}

void trace_new_choice(Trace *trace, Choice choice)
{
    trace->choices = grown(trace->choices, trace->choice_count, sizeof *trace->choices);
    trace->choices[trace->choice_count++] = choice;
    trace->steps[trace->step_count - 1].choice_count++;
}

void trace_add_argument(Trace *trace, const char *argument)
{
    trace->arguments = grown(trace->arguments, trace->argument_count, sizeof *trace->arguments);
    trace->arguments[trace->argument_count++] = trace_keep(trace, argument);
}

void trace_add_input(Trace *trace, const char *name, const char *value)
{
    trace->inputs = grown(trace->inputs, trace->input_count, sizeof *trace->inputs);
    trace->inputs[trace->input_count++] = (TraceInput){trace_keep(trace, name), trace_keep(trace, value)};
}

void trace_add_agent(Trace *trace, const char *path, AgentId number)
{
    trace->agents = grown(trace->agents, trace->agent_count, sizeof *trace->agents);
    trace->agents[trace->agent_count++] = (TraceAgent){trace_keep(trace, path), number};
}

/* The value that a write replaces was left by an earlier step, where it is compared, or it is uninitialised,
 * and then arbitrary. */
static uint64_t value_seen(const Access *access) { return access->mode == MODE_WRITE ? 0 : (uint64_t)access->before; }

static uint32_t digest_event(const Event *event, const Access *accesses)
{
    uint64_t hash = trace_hash_bytes(TRACE_HASH_START, &event->op, sizeof event->op);
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &accesses[i];
        uint64_t parts[] = {access->resource, value_seen(access), (uint64_t)access->after,
                            (uint64_t)access->mode << 8 | access->lanes};
        hash = trace_hash_bytes(hash, parts, sizeof parts);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

void trace_add_step(Trace *trace, Program *program, const Execution *ex, uint32_t position)
{
    char buffer[520];
    const Event *event = &ex->events[position];
    TraceStep *step = trace_new_step(trace);
    program->ops->agent_path(program, event->agent, buffer, sizeof buffer);
    step->agent = trace_keep(trace, buffer);
    size_t used = 0;
    if (program->ops->agent_owner) {
        program->ops->agent_owner(program, event->agent, buffer, sizeof buffer / 2);
        used = strlen(strcat(buffer, ": "));
    }
    program->ops->step_text(program, event->op, &ex->accesses[event->first_access], event->access_count, buffer + used,
                            sizeof buffer - used);
    step->text = trace_keep(trace, buffer);
    step->place = trace_place(trace, program, event->site);
    step->digest = digest_event(event, &ex->accesses[event->first_access]);
    for (uint32_t i = 0; i < event->choice_count; i++)
        trace_new_choice(trace, ex->choices[event->first_choice + i]);
}

static void keep_input(void *trace, const char *name, const char *value)
{
    trace_add_input(trace, name, value);
}

/* Do numbers follow from names? A search meets the children of main in their order, unless there are others. */
static bool numbers_follow(const Execution *ex)
{
    for (AgentId agent = 1; agent < ex->agent_count; agent++)
        if (ex->agents[agent].creator != 0 || ex->agents[agent].nth != agent)
            return false;
    return true;
}

static void add_agents(Trace *trace, Program *program, const Execution *ex)
{
    char path[512];
    for (AgentId agent = 1; agent < ex->agent_count; agent++)
        if (ex->agents[agent].creator != AGENT_NONE) {
            program->ops->agent_path(program, agent, path, sizeof path);
            trace_add_agent(trace, path, agent);
        }
}

void trace_add_steps(Trace *trace, Program *program, const Execution *ex, uint32_t length)
{
    if (program->ops->agent_number && !trace->agent_count && !numbers_follow(ex))
        add_agents(trace, program, ex);
    if (program->ops->each_input)
        program->ops->each_input(program, ex, keep_input, trace);
    for (uint32_t i = 0; i < length; i++)
        trace_add_step(trace, program, ex, i);
}

void trace_set_bug(Trace *trace, Program *program, const Finding *finding, const char *id)
{
    trace->kind = bug_kind_name(finding->kind);
    trace->id = trace_keep(trace, id);
    trace->summary = trace_keep(trace, finding->text);
    trace->place_count = 0;
    for (uint32_t i = 0; i < finding->site_count; i++)
        trace->places[trace->place_count++] = trace_place(trace, program, finding->sites[i]);
}

/* ---- Comparing ------------------------------------------------------------------ */

static bool same_string(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool trace_same_decision(const Trace *a, const TraceStep *x, const Trace *b, const TraceStep *y)
{
    if (!same_string(x->agent, y->agent) || x->place.line != y->place.line ||
        !same_string(x->place.file, y->place.file) || x->choice_count != y->choice_count)
        return false;
    for (uint32_t i = 0; i < x->choice_count; i++) {
        Choice c = a->choices[x->first_choice + i], d = b->choices[y->first_choice + i];
        if (c.taken != d.taken || c.options != d.options)
            return false;
    }
    return true;
}

bool trace_same_step(const Trace *a, const TraceStep *x, const Trace *b, const TraceStep *y)
{
    return x->digest == y->digest && trace_same_decision(a, x, b, y);
}

/* ---- Writing ---------------------------------------------------------------------- */

/* Words have no blanks, texts no line ends: both are written as \xNN, like \ itself. */
static void write_escaped(Text *out, const char *string, bool word)
{
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c < 0x20 || c == 0x7f || c == '\\' || (word && c == ' '))
            text_add(out, "\\x%02x", c);
        else
            text_add_bytes(out, string, 1);
    }
}

static void write_line(Text *out, const char *key, const char *value)
{
    text_add(out, "%s ", key);
    write_escaped(out, value, false);
    text_add_string(out, "\n");
}

static void write_place(Text *out, const TracePlace *place, int width)
{
    size_t start = out->length;
    if (place->file) {
        write_escaped(out, place->file, true);
        text_add(out, ":%u:%u ", place->line, place->column);
        write_escaped(out, place->function, true);
    } else {
        text_add_string(out, "- -");
    }
    text_add_fill(out, ' ', width - (int)(out->length - start));
}

static void write_choices(Text *out, const Trace *trace, const TraceStep *step)
{
    size_t start = out->length;
    for (uint32_t i = 0; i < step->choice_count; i++) {
        Choice choice = trace->choices[step->first_choice + i];
        text_add(out, "%s%u/%u", i ? "," : "", choice.taken, choice.options);
    }
    if (step->choice_count == 0)
        text_add_string(out, "-");
    text_add_fill(out, ' ', 4 - (int)(out->length - start));
}

static void write_step(Text *out, const Trace *trace, uint32_t position)
{
    const TraceStep *step = &trace->steps[position];
    text_add(out, "step %-4u %-7s ", position + 1, step->agent);
    write_place(out, &step->place, 28);
    text_add_string(out, " ");
    write_choices(out, trace, step);
    text_add(out, " %08x ", step->digest);
    write_escaped(out, step->text, false);
    text_add_string(out, "\n");
}

static void write_input(const TraceInput *input, Text *out)
{
    text_add_string(out, "input ");
    write_escaped(out, input->name, true);
    text_add(out, " %s\n", input->value); /* all its bytes are printable */
}

static void write_header(const Trace *trace, Text *out)
{
    text_add(out, "sennit-trace %d\n", TRACE_FORMAT);
    write_line(out, "version", trace->version);
    write_line(out, "program", trace->program);
    write_line(out, "hash", trace->hash);
    write_line(out, "directory", trace->directory);
    for (uint32_t i = 0; i < trace->argument_count; i++)
        write_line(out, "argument", trace->arguments[i]);
    write_line(out, "options", trace->options);
    for (uint32_t i = 0; i < trace->input_count; i++)
        write_input(&trace->inputs[i], out);
    for (uint32_t i = 0; i < trace->agent_count; i++)
        text_add(out, "agent %s %u\n", trace->agents[i].path, trace->agents[i].number);
    text_add(out, "preemptions %u\n", trace->preemptions);
    if (trace->unminimised)
        text_add_string(out, "minimised no\n");
    if (trace->sequential != SEQUENTIAL_UNKNOWN)
        text_add(out, "sequential %s\n", trace->sequential == SEQUENTIAL_YES ? "yes" : "no");
    text_add(out, "steps %u\n", trace->step_count);
    text_add_string(out, "# step, agent, place, function, choices taken, digest of values, what it did\n");
}

void trace_write(const Trace *trace, Text *out)
{
    size_t start = out->length;
    write_header(trace, out);
    for (uint32_t i = 0; i < trace->step_count; i++)
        write_step(out, trace, i);
    text_add(out, "bug %s %s\n", trace->kind, trace->id);
    write_line(out, "summary", trace->summary);
    for (uint32_t i = 0; i < trace->place_count; i++) {
        text_add_string(out, "place ");
        write_place(out, &trace->places[i], 0);
        text_add_string(out, "\n");
    }
    uint64_t sum = trace_hash_bytes(TRACE_HASH_START, out->data + start, out->length - start);
    text_add(out, "check %016llx\n", (unsigned long long)sum);
}

/* ---- Hashes ------------------------------------------------------------------------ */

uint64_t trace_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *s = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ s[i]) * 0x100000001b3ull;
    return hash;
}

/* Four sums side by side, each of every fourth word: a single one would wait for its product at every word. */
static void hash_block(uint64_t sums[4], const char *block, size_t size)
{
    uint64_t words[4];
    for (size_t at = 0; at < size; at += sizeof words) {
        size_t rest = size - at;
        memset(words, 0, sizeof words);
        memcpy(words, block + at, rest < sizeof words ? rest : sizeof words);
        for (int i = 0; i < 4; i++)
            sums[i] = (sums[i] ^ words[i] ^ words[i] >> 32) * 0x9e3779b97f4a7c15ull;
    }
}

/* Fills the block but for the end of the file; -1 if that fails. */
static ssize_t read_block(int fd, char *block, size_t room)
{
    size_t size = 0;
    ssize_t got;
    while (size < room && (got = read(fd, block + size, room - size)) != 0) {
        if (got < 0)
            return -1;
        size += (size_t)got;
    }
    return (ssize_t)size;
}

bool trace_hash_file(const char *path, char hash[17], Error *error)
{
    char block[1 << 16];
    uint64_t sums[4] = {TRACE_HASH_START};
    ssize_t size;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    while ((size = read_block(fd, block, sizeof block)) > 0)
        hash_block(sums, block, (size_t)size);
    int problem = errno;
    close(fd);
    if (size < 0)
        return error_set(error, EXIT_USAGE, "%s: %s", path, strerror(problem));
    uint64_t sum = trace_hash_bytes(TRACE_HASH_START, sums, sizeof sums);
    snprintf(hash, 17, "%016llx", (unsigned long long)sum);
    return true;
}
