/* store_memory.c - see store_memory.h; store.lua is the same in Redis */
#include "dist/store_memory.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "core/stats.h"

static const double ALIVE = 15, IDLE = 2; /* seconds since a worker was heard of */

/* ---- Types ---------------------------------------------------------------------------- */

typedef enum Standing { OVER, QUEUED, LEASED } Standing;

typedef struct Item {
    uint64_t domain;
    uint32_t entry;
    Standing standing;
    uint64_t token;
    double expires;    /* the lease                          */
    double rank;       /* in the queue, the smallest is next */
    double share;      /* of the search, see StoreReport     */
} Item;

/* The parts that one job was split into (core/jobs.h). */
typedef struct Domain {
    uint64_t name, parent;
    uint32_t entry;          /* the job is this entry of `parent`     */
    uint32_t live;           /* jobs and domains below it not over    */
    uint32_t jobs_ever;
    double share;
    Text entries;
    VEC(size_t) starts;      /* of each line                          */
    VEC(uint32_t) items;     /* per entry: its item + 1, 0: not a job */
} Domain;

typedef struct Seen {
    char name[128], note[96];
    double last, idle;       /* idle: when it found nothing, -1e9: it has work */
    uint64_t grant;          /* of the budget, until then                      */
    double granted;
} Seen;

typedef struct Pair {
    char *key, *value;
    size_t size;
} Pair;

/* All that a server remembers. */
typedef struct Memory {
    char *identity;          /* NULL: there is no search */
    uint64_t id;
    VEC(Pair) pairs;
    double begun, changed;
    char stop[24];
    int64_t open;
    VEC(Item) items;
    VEC(uint32_t) queue;     /* a heap of items by rank  */
    VEC(uint32_t) leased;
    double next_expiry;      /* not later than any lease's */
    VEC(Domain) domains;
    Map by_name;             /* domain + 1, 0: over      */
    VEC(Seen) workers;
    VEC(StoreBug) bugs;
    VEC(Text) records;
    VEC(Text) reached;       /* words                    */
    uint64_t budget;         /* 0: none                  */
    ExploreStats stats;
    double cpu_seconds;
    double over, total;      /* shares                   */
    Estimator estimator;
    uint64_t token;
    uint64_t commits, extensions, refused, bytes, epoch;
} Memory;

struct MemoryServer {
    double (*now)(void *context);
    void *context;
    Memory memory, saved;
};

typedef struct MemoryStore {
    Store store;
    MemoryServer *server;
    char worker[128];
    uint64_t search;         /* the one that was joined, 0: none */
    uint64_t epoch;          /* NOT_MET before the first `take`  */
} MemoryStore;
static const uint64_t NOT_MET = UINT64_MAX;

static double now(const MemoryServer *server) { return server->now(server->context); }

/* ---- Lifecycle ------------------------------------------------------------------------- */

static void release_domain(Domain *domain)
{
    text_release(&domain->entries);
    VEC_FREE(&domain->starts);
    VEC_FREE(&domain->items);
}

static void release_texts(Text *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_release(&texts[i]);
}

static void release_memory(Memory *memory)
{
    for (uint32_t i = 0; i < memory->domains.count; i++)
        release_domain(&memory->domains.items[i]);
    for (uint32_t i = 0; i < memory->pairs.count; i++) {
        free(memory->pairs.items[i].key);
        free(memory->pairs.items[i].value);
    }
    for (uint32_t i = 0; i < memory->bugs.count; i++)
        text_release(&memory->bugs.items[i].text);
    release_texts(memory->records.items, memory->records.count);
    release_texts(memory->reached.items, memory->reached.count);
    VEC_FREE(&memory->records);
    VEC_FREE(&memory->reached);
    VEC_FREE(&memory->domains);
    VEC_FREE(&memory->pairs);
    VEC_FREE(&memory->bugs);
    VEC_FREE(&memory->items);
    VEC_FREE(&memory->queue);
    VEC_FREE(&memory->leased);
    VEC_FREE(&memory->workers);
    map_release(&memory->by_name);
    free(memory->identity);
    *memory = (Memory){0};
}

/* Gives a copied array memory of its own. */
#define OWN(v)                                                            \
    do {                                                                  \
        const void *own_from_ = (v)->items;                               \
        uint32_t own_count_ = (v)->count;                                 \
        (v)->items = NULL;                                                \
        (v)->count = (v)->room = 0;                                       \
        VEC_RESERVE(v, own_count_);                                       \
        if (own_count_)                                                   \
            memcpy((v)->items, own_from_, own_count_ * sizeof *(v)->items); \
        (v)->count = own_count_;                                          \
    } while (0)

static Text copy_text(const Text *from)
{
    Text text = {0};
    text_add_bytes(&text, text_borrow(from), from->length);
    return text;
}

static void copy_texts(Text *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        texts[i] = copy_text(&texts[i]);
}

static void copy_memory(Memory *to, const Memory *from)
{
    *to = *from;
    to->identity = from->identity ? mem_copy_string(from->identity) : NULL;
    OWN(&to->pairs);
    OWN(&to->items);
    OWN(&to->queue);
    OWN(&to->leased);
    OWN(&to->domains);
    OWN(&to->workers);
    OWN(&to->bugs);
    OWN(&to->records);
    OWN(&to->reached);
    copy_texts(to->records.items, to->records.count);
    copy_texts(to->reached.items, to->reached.count);
    to->by_name = (Map){0};
    for (uint32_t i = 0; i < to->pairs.count; i++) {
        Pair *pair = &to->pairs.items[i];
        const char *value = pair->value;
        pair->key = mem_copy_string(pair->key);
        pair->value = mem_alloc(pair->size + 1);
        memcpy(pair->value, value, pair->size);
    }
    for (uint32_t i = 0; i < to->domains.count; i++) {
        Domain *domain = &to->domains.items[i];
        domain->entries = copy_text(&domain->entries);
        OWN(&domain->starts);
        OWN(&domain->items);
        if (domain->live)
            *map_insert(&to->by_name, domain->name, NULL) = i + 1;
    }
    for (uint32_t i = 0; i < to->bugs.count; i++)
        to->bugs.items[i].text = copy_text(&to->bugs.items[i].text);
}

MemoryServer *memoryserver_create(double (*clock)(void *context), void *context)
{
    MemoryServer *server = mem_alloc(sizeof *server);
    *server = (MemoryServer){.now = clock, .context = context};
    return server;
}

void memoryserver_destroy(MemoryServer *server)
{
    if (!server)
        return;
    release_memory(&server->memory);
    release_memory(&server->saved);
    free(server);
}

void memoryserver_save(MemoryServer *server)
{
    release_memory(&server->saved);
    copy_memory(&server->saved, &server->memory);
}

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
    return x->rank != y->rank ? x->rank < y->rank : x->domain != y->domain ? x->domain < y->domain : compare_entries(x->entry, y->entry) < 0;
}

static void swap_in_queue(Memory *memory, uint32_t i, uint32_t k)
{
    uint32_t held = memory->queue.items[i];
    memory->queue.items[i] = memory->queue.items[k];
    memory->queue.items[k] = held;
}

static void enqueue(Memory *memory, uint32_t item, double rank)
{
    memory->items.items[item].standing = QUEUED;
    memory->items.items[item].rank = rank;
    VEC_PUSH(&memory->queue, item);
    uint32_t *queue = memory->queue.items;
    for (uint32_t i = memory->queue.count - 1; i > 0 && comes_before(memory, queue[i], queue[(i - 1) / 2]); i = (i - 1) / 2)
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

/* Leases that are over go to the front of the queue; grants that are over, back to the budget. */
static void expire(Memory *memory, double time)
{
    for (uint32_t i = 0; memory->budget && i < memory->workers.count; i++)
        if (memory->workers.items[i].granted <= time)
            memory->workers.items[i].grant = 0;
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
            enqueue(memory, number, FRONT);
        } else {
            memory->leased.items[kept++] = number;
            if (item->expires < memory->next_expiry)
                memory->next_expiry = item->expires;
        }
    }
    memory->leased.count = kept;
}

/* Nobody holds anything any more (DIST-9). */
void memoryserver_revert(MemoryServer *server)
{
    uint64_t epoch = server->memory.epoch + 1;
    release_memory(&server->memory);
    copy_memory(&server->memory, &server->saved);
    server->memory.epoch = epoch;
    server->memory.next_expiry = 0;
    expire(&server->memory, 1e300);
}

static Seen *seen(Memory *memory, const char *worker, double time)
{
    Seen *found = NULL;
    for (uint32_t i = 0; i < memory->workers.count && !found; i++)
        if (strcmp(memory->workers.items[i].name, worker) == 0)
            found = &memory->workers.items[i];
    if (!found) {
        VEC_PUSH(&memory->workers, ((Seen){.idle = -1e9}));
        found = &memory->workers.items[memory->workers.count - 1];
        snprintf(found->name, sizeof found->name, "%s", worker);
    }
    found->last = time;
    return found;
}

/* ---- The budget ------------------------------------------------------------------------------ */

static uint64_t count_alive(const Memory *memory, double time)
{
    uint64_t alive = 0;
    for (uint32_t i = 0; i < memory->workers.count; i++)
        alive += memory->workers.items[i].last >= time - ALIVE;
    return alive ? alive : 1;
}

/* A part of what is left, if the worker has nothing. */
static void grant(const Memory *memory, Seen *worker, double time, double seconds)
{
    uint64_t given = memory->stats.executions;
    if (!memory->budget || worker->grant)
        return;
    for (uint32_t i = 0; i < memory->workers.count; i++)
        given += memory->workers.items[i].grant;
    uint64_t left = given < memory->budget ? memory->budget - given : 0, part = left / (2 * count_alive(memory, time));
    worker->grant = part ? part : left > 0;
    worker->granted = time + seconds;
}

static bool has_grant(const Memory *memory, const Seen *worker) { return !memory->budget || worker->grant > 0; }

static void describe_state(const Memory *memory, const Seen *worker, double time, StoreState *state)
{
    *state = (StoreState){.open = memory->identity ? memory->open : -1, .queued = memory->queue.count, .epoch = memory->epoch,
                          .grant = !memory->budget ? STORE_NO_LIMIT : worker ? worker->grant : 0};
    for (uint32_t i = 0; i < memory->workers.count; i++) {
        state->workers += memory->workers.items[i].last >= time - ALIVE;
        state->idle += memory->workers.items[i].idle >= time - IDLE;
    }
    snprintf(state->stop, sizeof state->stop, "%s", memory->stop);
    state->stopped = *memory->stop != '\0';
}

/* ---- Domains ------------------------------------------------------------------------------------ */

static Domain *find_domain(const Memory *memory, uint64_t name)
{
    uint64_t *place = map_find(&memory->by_name, name);
    return place && *place ? &memory->domains.items[*place - 1] : NULL;
}

/* The root job is entry 0 of domain 0, the first item. */
static Item *find_item(const Memory *memory, const StoreJob *job)
{
    if (job->domain == 0 && job->entry == 0)
        return &memory->items.items[0];
    const Domain *domain = find_domain(memory, job->domain);
    uint32_t number = domain && job->entry < domain->items.count ? domain->items.items[job->entry] : 0;
    return number ? &memory->items.items[number - 1] : NULL;
}

/* The first `keep` jobs are left to the caller. */
static void add_entries(Memory *memory, Domain *domain, const char *entries, const StoreEntries *open, uint32_t count, uint32_t keep)
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
            enqueue(memory, memory->items.count - 1, -item.share); /* the large ones first */
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

/* One job or domain less below this domain; what has nothing left is over. */
static void settle(Memory *memory, uint64_t name)
{
    Domain *domain;
    while ((domain = find_domain(memory, name)) && --domain->live == 0) {
        uint64_t parent = domain->parent;
        *map_find(&memory->by_name, name) = 0;
        release_domain(domain);
        if (name == 0)
            return;
        name = parent;
    }
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

static void memory_close(Store *store) { free(store); }

static void set_pair(Memory *memory, const char *key, const char *value, size_t size)
{
    Pair pair = {.key = mem_copy_string(key), .value = mem_alloc(size + 1), .size = size};
    memcpy(pair.value, value, size);
    VEC_PUSH(&memory->pairs, pair);
}

static StoreAnswer memory_init(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count, bool *attached,
                               Error *error)
{
    MemoryServer *server = ((MemoryStore *)store)->server;
    Memory *memory = &server->memory;
    *attached = memory->identity && memory->open > 0 && !*memory->stop;
    if (*attached && strcmp(memory->identity, identity) != 0) {
        error_set(error, EXIT_USAGE, "there is another search in the store, and it is not over");
        return STORE_REFUSED;
    }
    if (*attached)
        return STORE_DONE;
    Memory fresh = {.identity = mem_copy_string(identity), .id = memory->id + 1, .epoch = memory->epoch, .begun = now(server),
                    .token = memory->token, .total = 1, .next_expiry = 1e300, .open = 1};
    release_memory(memory);
    *memory = fresh;
    for (uint32_t i = 0; i < count; i++) {
        set_pair(memory, text_borrow(&keys[i]), text_borrow(&values[i]), values[i].length);
        if (strcmp(text_borrow(&keys[i]), STORE_BUDGET) == 0)
            memory->budget = strtoull(text_borrow(&values[i]), NULL, 10);
    }
    VEC_PUSH(&memory->items, ((Item){.share = 1}));
    enqueue(memory, 0, 0);
    return STORE_DONE;
}

static StoreAnswer memory_join(Store *store, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    (void)error;
    self->search = self->server->memory.id;
    self->epoch = NOT_MET;
    return self->search ? STORE_DONE : STORE_REFUSED;
}

static StoreAnswer memory_describe(Store *store, const char *key, Text *value, Error *error)
{
    const Memory *memory = &((MemoryStore *)store)->server->memory;
    (void)error;
    for (uint32_t i = 0; i < memory->pairs.count; i++)
        if (strcmp(memory->pairs.items[i].key, key) == 0) {
            text_add_bytes(value, memory->pairs.items[i].value, memory->pairs.items[i].size);
            return STORE_DONE;
        }
    return STORE_REFUSED;
}

static bool is_replaced(const MemoryStore *self) { return self->search && self->search != self->server->memory.id; }

/* Of the search and the server that the caller knows? */
static bool is_current(const MemoryStore *self)
{
    return !is_replaced(self) && (!self->search || self->epoch == NOT_MET || self->epoch == self->server->memory.epoch);
}

/* The same; calls of an earlier time are counted. */
static bool is_welcome(MemoryStore *self)
{
    bool current = is_current(self);
    self->server->memory.refused += !current && !is_replaced(self);
    return current;
}

static uint32_t at_most(uint32_t value, uint32_t limit) { return value < limit ? value : limit; }

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

static StoreAnswer memory_take(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    Memory *memory = &self->server->memory;
    double time = now(self->server);
    (void)error;
    if (is_replaced(self)) {
        *state = (StoreState){.stopped = true, .stop = "replaced", .grant = STORE_NO_LIMIT};
        return STORE_DONE;
    }
    expire(memory, time);
    Seen *worker = seen(memory, self->worker, time);
    describe_state(memory, worker, time, state);
    bool known = is_current(self);
    self->epoch = memory->epoch;
    if (state->open <= 0 || state->stopped || !known)
        return STORE_DONE;
    if (state->queued)
        grant(memory, worker, time, seconds);
    uint32_t queued = has_grant(memory, worker) ? state->queued : 0, held = jobs->count;
    uint32_t fair = state->workers > 1 ? state->queued / (2 * state->workers) : state->queued;
    uint32_t count = at_most(at_most(want, fair ? fair : 1), queued);
    for (uint32_t i = 0; i < count; i++)
        lease(memory, dequeue(memory), time + seconds, jobs);
    worker->idle = count ? -1e9 : time;
    if (count == 0 && held == 0)
        worker->grant = 0; /* others can use it */
    describe_state(memory, worker, time, state);
    return STORE_DONE;
}

static void add_news(const Domain *domain, uint32_t known, Text *news)
{
    if (known < domain->starts.count)
        text_add_string(news, domain->entries.data + domain->starts.items[known]);
}

static StoreAnswer memory_fetch(Store *store, uint64_t name, uint32_t known, uint64_t *parent, uint32_t *entry, Text *entries, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    const Domain *domain = is_welcome(self) ? find_domain(&self->server->memory, name) : NULL;
    (void)error;
    if (!domain)
        return STORE_REFUSED;
    *parent = domain->parent;
    *entry = domain->entry;
    add_news(domain, known, entries);
    return STORE_DONE;
}

static StoreAnswer memory_extend(Store *store, uint64_t name, uint32_t known, const char *entries, Text *news, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    Memory *memory = &self->server->memory;
    Domain *domain = is_welcome(self) ? find_domain(memory, name) : NULL;
    StoreEntries open = {0};
    (void)error;
    if (!domain || domain->starts.count < known)
        return STORE_REFUSED;
    if (domain->starts.count > known) {
        add_news(domain, known, news);
        return STORE_STALE;
    }
    uint32_t count = store_scan_entries(entries, known + 1, &open);
    for (uint32_t i = 0; i < open.count; i++) { /* as large as those that were there, on average */
        open.items[i].share = domain->share / (domain->jobs_ever + 1);
        memory->total += open.items[i].share;
    }
    add_entries(memory, domain, entries, &open, count, 0);
    VEC_FREE(&open);
    memory->extensions++;
    memory->bytes += strlen(entries);
    return STORE_DONE;
}

static bool holds(const Memory *memory, const StoreJob *job)
{
    const Item *item = find_item(memory, job);
    return item && item->standing == LEASED && item->token == job->token;
}

static void add_bug(Memory *memory, const StoreBug *bug)
{
    for (uint32_t i = 0; i < memory->bugs.count; i++)
        if (memory->bugs.items[i].identity == bug->identity)
            return;
    VEC_PUSH(&memory->bugs, ((StoreBug){.identity = bug->identity, .text = copy_text(&bug->text)}));
}

static void return_job(Memory *memory, const StoreReturn *back, double expires, bool may_keep, StoreJobs *kept)
{
    Item *item = find_item(memory, &back->job);
    bool root = item == memory->items.items;
    Item job = *item;
    if (back->fate == STORE_RELEASED) {
        enqueue(memory, (uint32_t)(item - memory->items.items), -item->share);
        return;
    }
    item->standing = OVER;
    if (!root)
        find_domain(memory, job.domain)->items.items[job.entry] = 0;
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

/* What commit and renew begin with. NULL: the caller is of another search or an earlier server. */
static Seen *greet(MemoryStore *self, double time, StoreState *state)
{
    Memory *memory = &self->server->memory;
    if (!is_welcome(self))
        return NULL;
    Seen *worker = seen(memory, self->worker, time);
    describe_state(memory, worker, time, state);
    return worker;
}

static bool holds_all(const Memory *memory, const StoreReturns *returns)
{
    bool good = true;
    for (uint32_t i = 0; i < returns->count && good; i++)
        good = holds(memory, &returns->items[i].job);
    return good;
}

/* Words that are new; are there enough now? */
static bool reach(Memory *memory, const char *words, uint64_t enough)
{
    while (*(words += strspn(words, " "))) {
        size_t size = strcspn(words, " ");
        bool known = false;
        for (uint32_t i = 0; i < memory->reached.count && !known; i++)
            known = memory->reached.items[i].length == size && memcmp(memory->reached.items[i].data, words, size) == 0;
        Text word = {0};
        if (!known) {
            text_add_bytes(&word, words, size);
            VEC_PUSH(&memory->reached, word);
        }
        words += size;
    }
    return enough && memory->reached.count >= enough;
}

static void note_commit(Memory *memory, const StoreCommit *commit, double time)
{
    for (uint32_t i = 0; i < commit->bugs.count; i++)
        add_bug(memory, &commit->bugs.items[i]);
    stats_add(&memory->stats, &commit->stats);
    memory->cpu_seconds += commit->cpu_seconds;
    if (commit->record.length)
        VEC_PUSH(&memory->records, copy_text(&commit->record));
    memory->commits++;
    memory->changed = time;
}

static void stop_for(Memory *memory, const char *why)
{
    if (why && !*memory->stop)
        snprintf(memory->stop, sizeof memory->stop, "%s", why);
}

static StoreAnswer memory_commit(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    Memory *memory = &self->server->memory;
    double time = now(self->server);
    Seen *worker = greet(self, time, state);
    (void)error;
    if (!worker)
        return STORE_REFUSED;
    if (!holds_all(memory, &commit->returns) || (memory->budget && commit->stats.executions > worker->grant)) {
        memory->refused++;
        return STORE_REFUSED;
    }
    note_commit(memory, commit, time);
    worker->grant = 0;
    if (commit->lease > 0) /* who ends wants nothing */
        grant(memory, worker, time, commit->lease);
    for (uint32_t i = 0; i < commit->returns.count; i++)
        return_job(memory, &commit->returns.items[i], time + commit->lease, has_grant(memory, worker), kept);
    estimator_note(&memory->estimator, memory->stats.executions, memory->over / memory->total);
    bool enough = reach(memory, text_borrow(&commit->reached), commit->enough);
    bool used_up = memory->budget && memory->stats.executions >= memory->budget && memory->open > 0;
    stop_for(memory, commit->stop ? commit->stop : enough ? "enough" : used_up ? "executions" : NULL);
    describe_state(memory, worker, time, state);
    return STORE_DONE;
}

static StoreAnswer memory_renew(Store *store, const StoreJobs *jobs, double seconds, const char *note, StoreState *state, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    Memory *memory = &self->server->memory;
    double time = now(self->server);
    expire(memory, time);
    Seen *worker = greet(self, time, state);
    (void)error;
    if (!worker)
        return STORE_REFUSED;
    snprintf(worker->note, sizeof worker->note, "%s", note);
    bool good = true;
    for (uint32_t i = 0; i < jobs->count && good; i++)
        good = holds(memory, &jobs->items[i]);
    for (uint32_t i = 0; i < jobs->count && good; i++)
        extend_lease(memory, find_item(memory, &jobs->items[i]), time + seconds);
    if (good)
        worker->granted = time + seconds;
    return good ? STORE_DONE : STORE_REFUSED;
}

static StoreAnswer memory_records(Store *store, Text *records, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    const Memory *memory = &self->server->memory;
    (void)error;
    if (is_replaced(self))
        return STORE_REFUSED;
    for (uint32_t i = 0; i < memory->records.count; i++)
        store_add_record(records, text_borrow(&memory->records.items[i]), memory->records.items[i].length);
    return STORE_DONE;
}

static StoreAnswer memory_stop(Store *store, const char *why, const char *note, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    Memory *memory = &self->server->memory;
    Text before = {0};
    if (is_replaced(self))
        return STORE_REFUSED;
    stop_for(memory, why);
    if (memory_describe(store, "note", &before, error) != STORE_DONE)
        set_pair(memory, "note", note, strlen(note));
    text_release(&before);
    return STORE_DONE;
}

static StoreAnswer memory_report(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    Memory *memory = &self->server->memory;
    double time = now(self->server), share = memory->total > 0 ? memory->over / memory->total : 0;
    (void)error;
    if (is_replaced(self))
        return STORE_REFUSED;
    expire(memory, time);
    *report = (StoreReport){.stats = memory->stats, .cpu_seconds = memory->cpu_seconds, .progress = share,
                            .seconds = (memory->open ? time : memory->changed) - memory->begun,
                            .estimate = estimator_read(&memory->estimator, memory->stats.executions, share),
                            .commits = memory->commits, .extensions = memory->extensions, .refused = memory->refused,
                            .bytes = memory->bytes, .bugs = memory->bugs.count};
    describe_state(memory, NULL, time, &report->state);
    for (uint32_t i = 0; bugs && i < memory->bugs.count; i++)
        VEC_PUSH(bugs, ((StoreBug){.identity = memory->bugs.items[i].identity, .text = copy_text(&memory->bugs.items[i].text)}));
    for (uint32_t i = 0; workers && i < memory->workers.count; i++)
        if (memory->workers.items[i].last >= time - ALIVE)
            text_add(workers, "%s%s %s", workers->length ? "\n" : "", memory->workers.items[i].name, memory->workers.items[i].note);
    return STORE_DONE;
}

Store *store_open_memory(MemoryServer *server, const char *worker)
{
    static const StoreOps ops = {.close = memory_close, .init = memory_init, .describe = memory_describe, .join = memory_join,
                                 .take = memory_take, .fetch = memory_fetch, .extend = memory_extend, .commit = memory_commit,
                                 .renew = memory_renew, .stop = memory_stop, .records = memory_records, .report = memory_report};
    MemoryStore *self = mem_alloc(sizeof *self);
    *self = (MemoryStore){.store = {.ops = &ops}, .server = server};
    snprintf(self->worker, sizeof self->worker, "%s", worker);
    return &self->store;
}

bool memoryserver_is_consistent(const MemoryServer *server)
{
    const Memory *memory = &server->memory;
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
