/* memory_jobs.c - see memory_internal.h: the queue, leases, and what jobs were split into */
#include <stdio.h>
#include <string.h>

#include "dist/memory_internal.h"

/* ---- Queue and leases ---------------------------------------------------------------------- */

/* Entries as texts: Redis sorts "10" before "9". */
static int compare_entries(uint32_t a, uint32_t b)
{
    char x[12], y[12];
    snprintf(x, sizeof x, "%u", a);
    snprintf(y, sizeof y, "%u", b);
    return strcmp(x, y);
}

static bool comes_before(const Memory *memory, uint32_t a, uint32_t b)
{
    const Item *x = &memory->items.items[a], *y = &memory->items.items[b];
    return x->rank != y->rank       ? x->rank < y->rank
           : x->domain != y->domain ? x->domain < y->domain
                                    : compare_entries(x->entry, y->entry) < 0;
}

static void swap_in_queue(Memory *memory, uint32_t i, uint32_t k)
{
    uint32_t held = memory->queue.items[i];
    memory->queue.items[i] = memory->queue.items[k];
    memory->queue.items[k] = held;
}

void memory_enqueue(Memory *memory, uint32_t item, double rank)
{
    memory->items.items[item].standing = QUEUED;
    memory->items.items[item].rank = rank;
    VEC_PUSH(&memory->queue, item);
    uint32_t *queue = memory->queue.items;
    for (uint32_t i = memory->queue.count - 1; i > 0 && comes_before(memory, queue[i], queue[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap_in_queue(memory, i, (i - 1) / 2);
}

static uint32_t dequeue(Memory *memory)
{
    uint32_t *queue = memory->queue.items, first = queue[0], count = --memory->queue.count;
    queue[0] = queue[count];
    for (uint32_t i = 0, least;; i = least) {
        least = i;
        for (uint32_t kid = 2 * i + 1; kid <= 2 * i + 2 && kid < count; kid++)
            if (comes_before(memory, queue[kid], queue[least]))
                least = kid;
        if (least == i)
            return first;
        swap_in_queue(memory, i, least);
    }
}

static const double FRONT = -2;

void memory_expire_leases(Memory *memory, double time)
{
    if (time < memory->next_expiry)
        return;
    uint32_t kept = 0;
    memory->next_expiry = 1e300;
    for (uint32_t i = 0; i < memory->leased.count; i++) {
        uint32_t number = memory->leased.items[i];
        Item *item = &memory->items.items[number];
        if (item->standing != LEASED)
            continue;
        if (item->expires <= time) {
            memory_enqueue(memory, number, FRONT);
        } else {
            memory->leased.items[kept++] = number;
            if (item->expires < memory->next_expiry)
                memory->next_expiry = item->expires;
        }
    }
    memory->leased.count = kept;
}

static void extend_lease(Memory *memory, Item *item, double expires)
{
    item->expires = expires;
    if (expires < memory->next_expiry)
        memory->next_expiry = expires;
}

static void lease(Memory *memory, uint32_t number, double expires, StoreJobs *jobs)
{
    Item *item = &memory->items.items[number];
    item->standing = LEASED;
    item->token = ++memory->token;
    extend_lease(memory, item, expires);
    VEC_PUSH(&memory->leased, number);
    VEC_PUSH(jobs, ((StoreJob){.domain = item->domain, .entry = item->entry, .token = item->token}));
}

void memory_lease_next(Memory *memory, double expires, StoreJobs *jobs)
{
    lease(memory, dequeue(memory), expires, jobs);
}

/* ---- Domains ------------------------------------------------------------------------------------ */

Domain *memory_find_domain(const Memory *memory, uint64_t name)
{
    uint64_t *place = map_find(&memory->by_name, name);
    return place && *place ? &memory->domains.items[*place - 1] : NULL;
}

/* The root job is entry 0 of domain 0, the first item. */
static Item *find_item(const Memory *memory, const StoreJob *job)
{
    if (job->domain == 0 && job->entry == 0)
        return &memory->items.items[0];
    const Domain *domain = memory_find_domain(memory, job->domain);
    uint32_t number = domain && job->entry < domain->items.count ? domain->items.items[job->entry] : 0;
    return number ? &memory->items.items[number - 1] : NULL;
}

/* The first `keep` jobs are left to the caller. */
static void add_entries(Memory *memory, Domain *domain, const char *entries, const StoreEntries *open, uint32_t count,
                        uint32_t keep)
{
    uint32_t first = domain->starts.count + 1, entry = first;
    size_t before = domain->entries.length;
    text_add_string(&domain->entries, entries);
    for (const char *line = entries; *line; line = strchr(line, '\n') + 1, entry++)
        VEC_PUSH(&domain->starts, before + (size_t)(line - entries));
    VEC_RESERVE(&domain->items, first + count);
    while (domain->items.count < first + count)
        domain->items.items[domain->items.count++] = 0;
    for (uint32_t i = 0; i < open->count; i++) {
        Item item = {.domain = domain->name, .entry = open->items[i].entry, .share = open->items[i].share};
        VEC_PUSH(&memory->items, item);
        domain->items.items[item.entry] = memory->items.count;
        if (i >= keep)
            memory_enqueue(memory, memory->items.count - 1, -item.share); /* the large ones first */
    }
    domain->live += open->count;
    domain->jobs_ever += open->count;
    memory->open += open->count;
}

static void split_job(Memory *memory, const Item *job, uint64_t name, const char *entries, uint32_t keep)
{
    StoreEntries open = {0};
    uint32_t count = store_scan_entries(entries, 1, &open);
    Domain domain = {.name = name, .parent = job->domain, .entry = job->entry, .share = job->share};
    double left = 0, share = job->share;
    for (uint32_t i = 0; i < open.count; i++) {
        left += open.items[i].share;
        open.items[i].share *= share;
    }
    memory->over += share * (1 - left);
    VEC_PUSH(&memory->domains, domain);
    *map_insert(&memory->by_name, name, NULL) = memory->domains.count;
    add_entries(memory, &memory->domains.items[memory->domains.count - 1], entries, &open, count, keep);
    VEC_FREE(&open);
}

void memory_extend_domain(Memory *memory, Domain *domain, uint32_t known, const char *entries)
{
    StoreEntries open = {0};
    uint32_t count = store_scan_entries(entries, known + 1, &open);
    for (uint32_t i = 0; i < open.count; i++) { /* as large as those that were there, on average */
        open.items[i].share = domain->share / (domain->jobs_ever + 1);
        memory->total += open.items[i].share;
    }
    add_entries(memory, domain, entries, &open, count, 0);
    VEC_FREE(&open);
}

/* One job or domain less below this domain; what has nothing left is over. */
static void settle(Memory *memory, uint64_t name)
{
    Domain *domain;
    while ((domain = memory_find_domain(memory, name)) && --domain->live == 0) {
        uint64_t parent = domain->parent;
        *map_find(&memory->by_name, name) = 0;
        memory_release_domain(domain);
        if (name == 0)
            return;
        name = parent;
    }
}

/* ---- What becomes of jobs ----------------------------------------------------------------- */

bool memory_holds(const Memory *memory, const StoreJob *job)
{
    const Item *item = find_item(memory, job);
    return item && item->standing == LEASED && item->token == job->token;
}

void memory_renew_lease(Memory *memory, const StoreJob *job, double expires)
{
    extend_lease(memory, find_item(memory, job), expires);
}

void memory_return_job(Memory *memory, const StoreReturn *back, double expires, bool may_keep, StoreJobs *kept)
{
    Item *item = find_item(memory, &back->job);
    bool root = item == memory->items.items;
    Item job = *item;
    if (back->fate == STORE_RELEASED) {
        memory_enqueue(memory, (uint32_t)(item - memory->items.items), -item->share);
        return;
    }
    item->standing = OVER;
    if (!root)
        memory_find_domain(memory, job.domain)->items.items[job.entry] = 0;
    memory->open--;
    memory->bytes += back->entries.length;
    if (back->fate == STORE_SPLIT) {
        uint32_t first = memory->items.count, keep = may_keep ? back->keep : 0;
        split_job(memory, &job, root ? 0 : job.token, text_borrow(&back->entries), keep);
        for (uint32_t i = first; i < first + keep && i < memory->items.count; i++)
            lease(memory, i, expires, kept);
    } else {
        memory->over += job.share;
        if (!root)
            settle(memory, job.domain);
    }
}

bool memory_is_consistent(const Memory *memory)
{
    int64_t queued = 0, leased = 0, live = 0;
    for (uint32_t i = 0; i < memory->items.count; i++) {
        queued += memory->items.items[i].standing == QUEUED;
        leased += memory->items.items[i].standing == LEASED;
    }
    for (uint32_t i = 0; i < memory->domains.count; i++)
        live += memory->domains.items[i].live;
    bool root = memory->items.count && memory->items.items[0].standing != OVER;
    int64_t domains = 0; /* that are below another one */
    for (uint32_t i = 0; i < memory->domains.count; i++)
        domains += memory->domains.items[i].live > 0 && memory->domains.items[i].name != 0;
    return memory->open == queued + leased && queued == memory->queue.count && live == memory->open - root + domains;
}
