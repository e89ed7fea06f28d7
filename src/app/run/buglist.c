/* buglist.c - see buglist.h */
#include "app/run/buglist.h"

#include <string.h>

#include "base/map.h"
#include "core/schedule.h"

BugList *buglist_create(Region *region)
{
    BugList *list = region_alloc(region, sizeof *list);
    list->region = region;
    return list;
}

uint32_t buglist_count(const BugList *list)
{
    return atomic_load_explicit(&list->count, memory_order_acquire);
}

static Bug *find(BugList *list, uint64_t identity)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->bugs[i].identity == identity)
            return &list->bugs[i];
    return NULL;
}

/* The shortest name that no other bug of the list has. */
static void name_bug(const BugList *list, Bug *bug)
{
    unsigned digits = IDENTITY_DIGITS;
    bool taken = true;
    for (; taken && digits <= 16; digits += 4) {
        identity_write(bug->identity, digits, bug->id);
        taken = false;
        for (uint32_t i = 0; i < list->count; i++)
            taken |= strcmp(list->bugs[i].id, bug->id) == 0;
    }
}

static void keep_trace(BugList *list, Bug *bug, const RunInfo *info, const Execution *ex, const Finding *finding)
{
    Trace *trace = trace_create();
    Text text = {0};
    runinfo_describe(info, trace);
    trace_add_steps(trace, ex->program, ex, finding->position);
    trace_set_bug(trace, ex->program, finding, bug->id);
    trace->preemptions = execution_preemptions(ex, finding->position);
    trace->unminimised = trace->preemptions > 0 || ex->memory != MEMORY_SC;
    trace_write(trace, &text);
    bug->trace = memcpy(region_alloc(list->region, text.length), text.data, text.length);
    bug->trace_size = text.length;
    text_release(&text);
    trace_destroy(trace);
}

/* Equal for findings of the same kind at the same sites. A search finds the same bug many times: computing
 * its identity each time would cost more than the executions. */
static uint64_t key_of(const Finding *finding)
{
    uint64_t key = (uint64_t)finding->kind + 1;
    for (uint32_t i = 0; i < finding->site_count; i++)
        key += map_mix(finding->kind, finding->sites[i]); /* an unordered set */
    return finding->variant ? map_mix(key, finding->variant) : key;
}

static Bug *find_by_sites(BugList *list, uint64_t key)
{
    uint32_t slot = (uint32_t)(key % BUGLIST_RECENT);
    return list->recent[slot].key == key && list->recent[slot].bug ? &list->bugs[list->recent[slot].bug - 1] : NULL;
}

static Bug *find_finding(BugList *list, Program *program, const Finding *finding, uint64_t *identity)
{
    uint64_t key = key_of(finding);
    Bug *bug = find_by_sites(list, key);
    if (bug)
        return bug;
    *identity = identity_of(program, finding);
    bug = find(list, *identity);
    if (bug) {
        list->recent[key % BUGLIST_RECENT].key = key;
        list->recent[key % BUGLIST_RECENT].bug = (uint32_t)(bug - list->bugs) + 1;
    }
    return bug;
}

static Bug *add_finding(BugList *list, const RunInfo *info, const Execution *ex, const Finding *finding)
{
    uint64_t identity = 0;
    Bug *bug = find_finding(list, ex->program, finding, &identity);
    if (bug) {
        bug->seen++;
        return bug;
    }
    if (list->count == BUGLIST_MAX) {
        list->dropped++;
        return NULL;
    }
    bug = &list->bugs[list->count];
    *bug = (Bug){.identity = identity, .kind = bug_kind_name(finding->kind), .seen = 1};
    name_bug(list, bug);
    keep_trace(list, bug, info, ex, finding);
    atomic_fetch_add_explicit(&list->count, 1, memory_order_release);
    return bug;
}

Bug *buglist_add_finding(BugList *list, const RunInfo *info, const Execution *ex, const Finding *finding)
{
    sharelock_acquire(&list->lock); /* a worker that died may have left an incomplete entry, which is not counted */
    Bug *bug = add_finding(list, info, ex, finding);
    sharelock_release(&list->lock);
    return bug;
}

static const char *find_kind(const char *name)
{
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++)
        if (strcmp(bug_kind_name((BugKind)kind), name) == 0)
            return bug_kind_name((BugKind)kind);
    return NULL;
}

static bool restore(BugList *list, uint64_t identity, const char *kind, uint64_t seen, const char *trace, size_t size)
{
    const char *known = find_kind(kind);
    Bug *bug = find(list, identity);
    if (bug)
        bug->seen += seen;
    if (bug || !known || list->count == BUGLIST_MAX)
        return known != NULL;
    bug = &list->bugs[list->count];
    *bug = (Bug){.identity = identity, .kind = known, .seen = seen, .trace_size = size};
    name_bug(list, bug);
    bug->trace = memcpy(region_alloc(list->region, size), trace, size);
    atomic_fetch_add_explicit(&list->count, 1, memory_order_release);
    return true;
}

bool buglist_restore(BugList *list, uint64_t identity, const char *kind, uint64_t seen, const char *trace, size_t size)
{
    sharelock_acquire(&list->lock);
    bool good = restore(list, identity, kind, seen, trace, size);
    sharelock_release(&list->lock);
    return good;
}

void buglist_add(BugList *list, const RunInfo *info, const Execution *ex, bool sampled)
{
    sharelock_acquire(&list->lock); /* a worker that died may have left an incomplete entry, which is not counted */
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        uint32_t before = list->count;
        Bug *bug = add_finding(list, info, ex, &ex->findings[i]);
        if (bug && list->count > before)
            bug->sampled = sampled;
    }
    sharelock_release(&list->lock);
}
