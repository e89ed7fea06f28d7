/* endings.c - see endings.h */
#include "subject/abs/endings.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "core/tree/schedule_wire.h"

static const size_t REGION_SIZE = (size_t)16 << 30;

Endings *endings_create(bool keep_all)
{
    Region *region = region_create(REGION_SIZE);
    if (!region)
        return NULL;
    Endings *endings = region_alloc(region, sizeof *endings);
    endings->region = region;
    endings->keep_all = keep_all;
    return endings;
}

uint32_t endings_kinds(const Execution *ex)
{
    uint32_t kinds = execution_is_cut(ex) ? ENDINGS_CUT : 0;
    for (uint32_t i = 0; i < ex->finding_count; i++)
        kinds |= 1u << ex->findings[i].kind;
    return kinds;
}

uint64_t endings_hash(const AbsProgram *program, const Execution *ex)
{
    return map_mix(program_abs_objects_hash(program), endings_kinds(ex));
}

static EndState *find_state(Endings *endings, uint64_t hash)
{
    EndState *state = endings->buckets[hash % ENDINGS_BUCKETS];
    while (state && state->hash != hash)
        state = state->same_bucket;
    return state;
}

static EndState *add_state(Endings *endings, uint64_t hash, uint32_t kinds)
{
    EndState *state = region_alloc(endings->region, sizeof *state);
    EndState **bucket = &endings->buckets[hash % ENDINGS_BUCKETS];
    *state = (EndState){.hash = hash, .kinds = kinds, .number = ++endings->count, .same_bucket = *bucket};
    *bucket = state;
    if (endings->last)
        endings->last->next = state;
    else
        endings->first = state;
    endings->last = state;
    return state;
}

static KeptExecution *keep_execution(Endings *endings, const EndState *state, ExecutionTag tag)
{
    if (endings->kept == ENDINGS_EXECUTIONS) {
        endings->not_kept++;
        return NULL;
    }
    KeptExecution *kept = region_alloc(endings->region, sizeof *kept);
    *kept = (KeptExecution){.state = state, .tag = tag};
    if (endings->last_kept)
        endings->last_kept->next = kept;
    else
        endings->first_kept = kept;
    endings->last_kept = kept;
    endings->kept++;
    return kept;
}

static void count_executions(Endings *endings, EndState *state, uint64_t executions)
{
    state->executions += executions;
    endings->executions += executions;
    endings->fine += state->kinds ? 0 : executions;
    endings->cut += state->kinds == ENDINGS_CUT ? executions : 0;
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++)
        endings->kinds[kind] += state->kinds >> kind & 1 ? executions : 0;
}

void endings_add(Endings *endings, const AbsProgram *program, const Execution *ex, ExecutionTag tag)
{
    uint64_t hash = endings_hash(program, ex);
    sharelock_acquire(&endings->lock);
    EndState *state = find_state(endings, hash);
    if (!state) {
        state = add_state(endings, hash, endings_kinds(ex));
        if (state->number <= ENDINGS_STATES)
            state->schedule = schedule_take(endings->region, ex, ex->event_count);
    }
    count_executions(endings, state, 1);
    KeptExecution *kept = endings->keep_all ? keep_execution(endings, state, tag) : NULL;
    if (kept)
        kept->schedule = schedule_take(endings->region, ex, ex->event_count);
    sharelock_release(&endings->lock);
}

void endings_forget(Endings *endings, ExecutionTag last)
{
    for (KeptExecution *kept = endings->first_kept; kept; kept = kept->next)
        if (kept->tag.part == last.part && kept->tag.serial > last.serial)
            kept->schedule = NULL;
}

/* ---- For other processes ------------------------------------------------------------ */

/* The schedule as text: as it was read, or written now; the caller releases it. */
static Text wire_of(const Schedule *schedule, const char *text, size_t size, Program *program)
{
    Text wire = {0};
    if (schedule)
        schedule_write(schedule, program, &wire);
    else if (text)
        text_add_bytes(&wire, text, size);
    return wire;
}

static void write_state(EndState *state, Program *program, bool all, Text *out)
{
    uint64_t sent = all ? 0 : state->sent;
    if (state->executions == sent)
        return;
    Text schedule = sent == 0 ? wire_of(state->schedule, state->text, state->text_size, program) : (Text){0};
    text_add(out, "state %016llx %x %llu %zu\n", (unsigned long long)state->hash, state->kinds,
             (unsigned long long)(state->executions - sent), schedule.length);
    text_add_bytes(out, text_borrow(&schedule), schedule.length);
    text_release(&schedule);
    if (!all)
        state->sent = state->executions;
}

static void write_kept(Endings *endings, Program *program, bool all, Text *out)
{
    KeptExecution *kept = all || !endings->last_sent ? endings->first_kept : endings->last_sent->next;
    for (; kept; kept = kept->next) {
        Text schedule = wire_of(kept->schedule, kept->text, kept->text_size, program);
        if (schedule.length) {
            text_add(out, "kept %016llx %zu\n", (unsigned long long)kept->state->hash, schedule.length);
            text_add_bytes(out, schedule.data, schedule.length);
        }
        text_release(&schedule);
    }
    uint64_t unkept = endings->not_kept - (all ? 0 : endings->not_kept_sent);
    if (unkept)
        text_add(out, "unkept %llu\n", (unsigned long long)unkept);
    if (!all) {
        endings->last_sent = endings->last_kept;
        endings->not_kept_sent = endings->not_kept;
    }
}

void endings_write(Endings *endings, Program *program, bool all, Text *out)
{
    for (EndState *state = endings->first; state; state = state->next)
        write_state(state, program, all, out);
    write_kept(endings, program, all, out);
}

static char *copy_bytes(Endings *endings, const char *bytes, size_t size)
{
    return memcpy(region_alloc(endings->region, size), bytes, size);
}

static bool read_state(Endings *endings, uint64_t hash, uint32_t kinds, uint64_t executions, const char *text,
                       size_t size)
{
    EndState *state = find_state(endings, hash);
    if (!state)
        state = add_state(endings, hash, kinds);
    if (size && !state->schedule && !state->text && state->number <= ENDINGS_STATES) {
        state->text = copy_bytes(endings, text, size);
        state->text_size = size;
    }
    count_executions(endings, state, executions);
    return state->kinds == kinds;
}

static bool read_kept(Endings *endings, uint64_t hash, const char *text, size_t size)
{
    const EndState *state = find_state(endings, hash);
    KeptExecution *kept = state ? keep_execution(endings, state, (ExecutionTag){.part = UINT32_MAX}) : NULL;
    if (kept) {
        kept->text = copy_bytes(endings, text, size);
        kept->text_size = size;
    }
    return state != NULL;
}

bool endings_read(Endings *endings, const char *line, const char **at, const char *end)
{
    unsigned long long hash, count;
    unsigned kinds;
    size_t size;
    const char *bytes = *at;
    if (sscanf(line, "unkept %llu", &count) == 1) {
        endings->not_kept += count;
        return true;
    }
    bool state = sscanf(line, "state %llx %x %llu %zu", &hash, &kinds, &count, &size) == 4;
    if ((!state && sscanf(line, "kept %llx %zu", &hash, &size) != 2) || size > (size_t)(end - bytes))
        return false;
    *at += size;
    return state ? read_state(endings, hash, kinds, count, bytes, size) : read_kept(endings, hash, bytes, size);
}

void endings_resolve(Endings *endings, Program *program, Execution *ex, Execution *probe)
{
    for (EndState *state = endings->first; state; state = state->next)
        if (!state->schedule && state->text)
            state->schedule = schedule_read(endings->region, program, ex, probe, state->text, state->text_size);
    for (KeptExecution *kept = endings->first_kept; kept; kept = kept->next)
        if (!kept->schedule && kept->text)
            kept->schedule = schedule_read(endings->region, program, ex, probe, kept->text, kept->text_size);
}
