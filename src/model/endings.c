/* endings.c - see endings.h */
#include "model/endings.h"

#include <string.h>

#include "base/map.h"

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

static uint32_t kinds_of(const Execution *ex)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < ex->finding_count; i++)
        kinds |= 1u << ex->findings[i].kind;
    return kinds;
}

uint64_t endings_hash(const AbsProgram *program, const Execution *ex)
{
    return map_mix(program_abs_objects_hash(program), kinds_of(ex));
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

static void keep_execution(Endings *endings, const EndState *state, const Execution *ex)
{
    if (endings->kept == ENDINGS_EXECUTIONS) {
        endings->not_kept++;
        return;
    }
    KeptExecution *kept = region_alloc(endings->region, sizeof *kept);
    *kept = (KeptExecution){.state = state, .schedule = schedule_take(endings->region, ex, ex->event_count)};
    if (endings->last_kept)
        endings->last_kept->next = kept;
    else
        endings->first_kept = kept;
    endings->last_kept = kept;
    endings->kept++;
}

static void count_executions(Endings *endings, EndState *state, uint64_t executions)
{
    state->executions += executions;
    endings->executions += executions;
    endings->fine += state->kinds ? 0 : executions;
    for (uint32_t kind = 0; state->kinds >> kind; kind++)
        endings->kinds[kind] += state->kinds >> kind & 1 ? executions : 0;
}

void endings_add(Endings *endings, const AbsProgram *program, const Execution *ex)
{
    uint64_t hash = endings_hash(program, ex);
    sharelock_acquire(&endings->lock);
    EndState *state = find_state(endings, hash);
    if (!state) {
        state = add_state(endings, hash, kinds_of(ex));
        if (state->number <= ENDINGS_STATES)
            state->schedule = schedule_take(endings->region, ex, ex->event_count);
    }
    count_executions(endings, state, 1);
    if (endings->keep_all)
        keep_execution(endings, state, ex);
    sharelock_release(&endings->lock);
}

/* ---- For other processes ------------------------------------------------------------ */

/* "state HASH KINDS EXECUTIONS SIZE", then the schedule if nobody has heard of the state. */
void endings_write(Endings *endings, Program *program, bool all, Text *out)
{
    for (EndState *state = endings->first; state; state = state->next) {
        uint64_t told = all ? 0 : state->told;
        Text schedule = {0};
        if (state->executions == told)
            continue;
        if (told == 0 && state->schedule)
            schedule_write(state->schedule, program, &schedule);
        else if (told == 0 && state->text)
            text_add_bytes(&schedule, state->text, state->text_size);
        text_add(out, "state %016llx %x %llu %zu\n", (unsigned long long)state->hash, state->kinds,
                 (unsigned long long)(state->executions - told), schedule.length);
        text_add_bytes(out, text_borrow(&schedule), schedule.length);
        text_release(&schedule);
        if (!all)
            state->told = state->executions;
    }
}

bool endings_read_state(Endings *endings, uint64_t hash, uint32_t kinds, uint64_t executions, const char *text, size_t size)
{
    EndState *state = find_state(endings, hash);
    if (!state)
        state = add_state(endings, hash, kinds);
    if (size && !state->schedule && !state->text && state->number <= ENDINGS_STATES) {
        state->text = memcpy(region_alloc(endings->region, size), text, size);
        state->text_size = size;
    }
    count_executions(endings, state, executions);
    return state->kinds == kinds;
}

void endings_resolve(Endings *endings, Program *program, Execution *ex, Execution *probe)
{
    for (EndState *state = endings->first; state; state = state->next)
        if (!state->schedule && state->text)
            state->schedule = schedule_read(endings->region, program, ex, probe, state->text, state->text_size);
}
