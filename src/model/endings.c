/* endings.c - see endings.h */
#include "model/endings.h"

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

static EndState *add_state(Endings *endings, uint64_t hash, const Execution *ex)
{
    EndState *state = region_alloc(endings->region, sizeof *state);
    EndState **bucket = &endings->buckets[hash % ENDINGS_BUCKETS];
    *state = (EndState){.hash = hash, .kinds = kinds_of(ex), .number = ++endings->count, .same_bucket = *bucket};
    if (state->number <= ENDINGS_STATES)
        state->schedule = schedule_take(endings->region, ex, ex->event_count);
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

void endings_add(Endings *endings, const AbsProgram *program, const Execution *ex)
{
    uint64_t hash = endings_hash(program, ex);
    uint32_t kinds = kinds_of(ex);
    sharelock_acquire(&endings->lock);
    EndState *state = find_state(endings, hash);
    if (!state)
        state = add_state(endings, hash, ex);
    state->executions++;
    if (endings->keep_all)
        keep_execution(endings, state, ex);
    endings->executions++;
    endings->fine += kinds == 0;
    for (uint32_t kind = 0; kinds >> kind; kind++)
        endings->kinds[kind] += kinds >> kind & 1;
    sharelock_release(&endings->lock);
}
