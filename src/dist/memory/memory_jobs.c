/* memory_jobs.c - see memory_tables.h: queue, leases and domains */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dist/memory/memory_tables.h"

/* ---- Queue and leases ---------------------------------------------------------------------- */

/* As strings, since Redis sorts "10" before "9". */
static int compare_entries(uint32_t a, uint32_t b)
{
    char x[12], y[12];
    snprintf(x, sizeof x, "%u", a);
    snprintf(y, sizeof y, "%u", b);
    return strcmp(x, y);
}

static bool comes_before(const MemoryTables *tables, uint32_t a, uint32_t b)
{
    const Item *x = &tables->items.items[a], *y = &tables->items.items[b];
    return x->rank != y->rank       ? x->rank < y->rank
           : x->domain != y->domain ? x->domain < y->domain
                                    : compare_entries(x->entry, y->entry) < 0;
}

static void swap_in_queue(MemoryTables *tables, uint32_t i, uint32_t k)
{
    uint32_t held = tables->queue.items[i];
    tables->queue.items[i] = tables->queue.items[k];
    tables->queue.items[k] = held;
}

void tables_enqueue(MemoryTables *tables, uint32_t item, double rank)
{
    tables->items.items[item].standing = QUEUED;
    tables->items.items[item].rank = rank;
    VEC_PUSH(&tables->queue, item);
    uint32_t *queue = tables->queue.items;
    for (uint32_t i = tables->queue.count - 1; i > 0 && comes_before(tables, queue[i], queue[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap_in_queue(tables, i, (i - 1) / 2);
}

static uint32_t dequeue(MemoryTables *tables)
{
    uint32_t *queue = tables->queue.items, first = queue[0], count = --tables->queue.count;
    queue[0] = queue[count];
    for (uint32_t i = 0, least;; i = least) {
        least = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (comes_before(tables, queue[child], queue[least]))
                least = child;
        if (least == i)
            return first;
        swap_in_queue(tables, i, least);
    }
}

static const double FRONT = -2;

void tables_expire_leases(MemoryTables *tables, double time)
{
    if (time < tables->next_expiry)
        return;
    uint32_t kept = 0;
    tables->next_expiry = 1e300;
    for (uint32_t i = 0; i < tables->leased.count; i++) {
        uint32_t number = tables->leased.items[i];
        Item *item = &tables->items.items[number];
        if (item->standing != LEASED)
            continue;
        if (item->expires <= time) {
            tables_enqueue(tables, number, FRONT);
        } else {
            tables->leased.items[kept++] = number;
            if (item->expires < tables->next_expiry)
                tables->next_expiry = item->expires;
        }
    }
    tables->leased.count = kept;
}

static void extend_lease(MemoryTables *tables, Item *item, double expires)
{
    item->expires = expires;
    if (expires < tables->next_expiry)
        tables->next_expiry = expires;
}

static void lease(MemoryTables *tables, uint32_t number, double expires, StoreJobs *jobs)
{
    Item *item = &tables->items.items[number];
    item->standing = LEASED;
    item->token = ++tables->token;
    extend_lease(tables, item, expires);
    VEC_PUSH(&tables->leased, number);
    VEC_PUSH(jobs, ((StoreJob){.domain = item->domain, .entry = item->entry, .token = item->token}));
}

void tables_lease_next(MemoryTables *tables, double expires, StoreJobs *jobs)
{
    lease(tables, dequeue(tables), expires, jobs);
}

/* ---- Domains ------------------------------------------------------------------------------------ */

TableDomain *tables_find_domain(const MemoryTables *tables, uint64_t name)
{
    uint64_t *place = map_find(&tables->by_name, name);
    return place && *place ? &tables->domains.items[*place - 1] : NULL;
}

/* The root job is entry 0 of domain 0, the first item. */
static Item *find_item(const MemoryTables *tables, const StoreJob *job)
{
    if (job->domain == 0 && job->entry == 0)
        return &tables->items.items[0];
    const TableDomain *domain = tables_find_domain(tables, job->domain);
    uint32_t number = domain && job->entry < domain->items.count ? domain->items.items[job->entry] : 0;
    return number ? &tables->items.items[number - 1] : NULL;
}

/* The first `keep` jobs are left to the caller. */
static void add_entries(MemoryTables *tables, TableDomain *domain, const char *entries, const StoreEntries *open,
                        uint32_t count, uint32_t keep)
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
        VEC_PUSH(&tables->items, item);
        domain->items.items[item.entry] = tables->items.count;
        if (i >= keep)
            tables_enqueue(tables, tables->items.count - 1, -item.share); /* large ones first */
    }
    domain->live += open->count;
    domain->jobs_ever += open->count;
    tables->open += open->count;
}

static void split_job(MemoryTables *tables, const Item *job, uint64_t name, const char *entries, uint32_t keep)
{
    StoreEntries open = {0};
    uint32_t count = store_scan_entries(entries, 1, &open);
    TableDomain domain = {.name = name, .parent = job->domain, .entry = job->entry, .share = job->share};
    for (uint32_t i = 0; i < open.count; i++)
        open.items[i].share *= job->share;
    VEC_PUSH(&tables->domains, domain);
    *map_insert(&tables->by_name, name, NULL) = tables->domains.count;
    add_entries(tables, &tables->domains.items[tables->domains.count - 1], entries, &open, count, keep);
    VEC_FREE(&open);
}

void tables_extend_domain(MemoryTables *tables, TableDomain *domain, uint32_t known, const char *entries)
{
    StoreEntries open = {0};
    uint32_t count = store_scan_entries(entries, known + 1, &open);
    for (uint32_t i = 0; i < open.count; i++) /* assumed to be as large as the existing ones on average */
        open.items[i].share = domain->share / (domain->jobs_ever + 1);
    add_entries(tables, domain, entries, &open, count, 0);
    VEC_FREE(&open);
}

/* One job or domain less below this domain; a domain with nothing left has finished. */
static void settle(MemoryTables *tables, uint64_t name)
{
    TableDomain *domain;
    while ((domain = tables_find_domain(tables, name)) && --domain->live == 0) {
        uint64_t parent = domain->parent;
        *map_find(&tables->by_name, name) = 0;
        tables_release_domain(domain);
        if (name == 0)
            return;
        name = parent;
    }
}

/* ---- What becomes of jobs ----------------------------------------------------------------- */

bool tables_holds(const MemoryTables *tables, const StoreJob *job)
{
    const Item *item = find_item(tables, job);
    return item && item->standing == LEASED && item->token == job->token;
}

void tables_renew_lease(MemoryTables *tables, const StoreJob *job, double expires)
{
    extend_lease(tables, find_item(tables, job), expires);
}

void tables_return_job(MemoryTables *tables, const StoreReturn *back, double expires, bool may_keep, StoreJobs *kept)
{
    Item *item = find_item(tables, &back->job);
    bool root = item == tables->items.items;
    Item job = *item;
    if (back->fate == STORE_RELEASED) {
        tables_enqueue(tables, (uint32_t)(item - tables->items.items), -item->share);
        return;
    }
    item->standing = OVER;
    if (!root)
        tables_find_domain(tables, job.domain)->items.items[job.entry] = 0;
    tables->open--;
    tables->bytes += back->entries.length;
    if (back->fate == STORE_SPLIT) {
        uint32_t first = tables->items.count, keep = may_keep ? back->keep : 0;
        split_job(tables, &job, root ? 0 : job.token, text_borrow(&back->entries), keep);
        for (uint32_t i = first; i < first + keep && i < tables->items.count; i++)
            lease(tables, i, expires, kept);
    } else if (!root) {
        settle(tables, job.domain);
    }
}

/* ---- Progress --------------------------------------------------------------------------------- */

double tables_finished(const MemoryTables *tables)
{
    static const double LEAST = 1e-9; /* less than that is rounding */
    double **shares = mem_alloc((tables->domains.count + 1) * sizeof *shares), left = 0;
    bool begun = tables->items.count && tables->items.items[0].standing == OVER;
    for (uint32_t i = 0; begun && i < tables->domains.count; i++) { /* parents come first */
        const TableDomain *domain = &tables->domains.items[i];
        const uint64_t *above = map_find(&tables->by_name, domain->parent);
        if (!domain->live)
            continue;
        shares[i] = mem_alloc((domain->starts.count + 1) * sizeof **shares);
        shares[i][0] = domain->name == 0 ? 1 : shares[*above - 1][domain->entry];
        store_share_out(text_borrow(&domain->entries), domain->starts.count, shares[i]);
        for (uint32_t entry = 1; entry < domain->items.count; entry++)
            left += domain->items.items[entry] ? shares[i][entry] : 0;
    }
    for (uint32_t i = 0; i < tables->domains.count; i++)
        free(shares[i]);
    free(shares);
    return begun && 1 - left > LEAST ? 1 - left : 0;
}

bool tables_is_consistent(const MemoryTables *tables)
{
    int64_t queued = 0, leased = 0, live = 0;
    for (uint32_t i = 0; i < tables->items.count; i++) {
        queued += tables->items.items[i].standing == QUEUED;
        leased += tables->items.items[i].standing == LEASED;
    }
    for (uint32_t i = 0; i < tables->domains.count; i++)
        live += tables->domains.items[i].live;
    bool root = tables->items.count && tables->items.items[0].standing != OVER;
    int64_t domains = 0; /* that are below another one */
    for (uint32_t i = 0; i < tables->domains.count; i++)
        domains += tables->domains.items[i].live > 0 && tables->domains.items[i].name != 0;
    return tables->open == queued + leased && queued == tables->queue.count && live == tables->open - root + domains;
}
