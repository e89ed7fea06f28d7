/* store_memory.c - see store_memory.h; redis/store.lua is the same in Redis */
#include "dist/memory/store_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dist/memory/memory_tables.h"

static const double ALIVE = 15, IDLE = 2; /* seconds since the last call of a worker */

struct MemoryServer {
    double (*now)(void *context);
    void *context;
    MemoryTables tables, saved;
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

/* ---- The server ---------------------------------------------------------------------------- */

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
    tables_release(&server->tables);
    tables_release(&server->saved);
    free(server);
}

void memoryserver_save(MemoryServer *server)
{
    tables_release(&server->saved);
    tables_copy(&server->saved, &server->tables);
}

/* ---- Workers and the budget ------------------------------------------------------------------ */

/* Ends leases and grants whose time is up. */
static void expire(MemoryTables *tables, double time)
{
    for (uint32_t i = 0; tables->budget && i < tables->workers.count; i++)
        if (tables->workers.items[i].granted <= time)
            tables->workers.items[i].grant = 0;
    tables_expire_leases(tables, time);
}

/* All leases end (DIST-9). */
void memoryserver_revert(MemoryServer *server)
{
    uint64_t epoch = server->tables.epoch + 1;
    tables_release(&server->tables);
    tables_copy(&server->tables, &server->saved);
    server->tables.epoch = epoch;
    server->tables.next_expiry = 0;
    expire(&server->tables, 1e300);
}

static Seen *seen(MemoryTables *tables, const char *worker, double time)
{
    Seen *found = NULL;
    for (uint32_t i = 0; i < tables->workers.count && !found; i++)
        if (strcmp(tables->workers.items[i].name, worker) == 0)
            found = &tables->workers.items[i];
    if (!found) {
        VEC_PUSH(&tables->workers, ((Seen){.idle = -1e9}));
        found = &tables->workers.items[tables->workers.count - 1];
        snprintf(found->name, sizeof found->name, "%s", worker);
    }
    found->last = time;
    return found;
}

static uint64_t count_alive(const MemoryTables *tables, double time)
{
    uint64_t alive = 0;
    for (uint32_t i = 0; i < tables->workers.count; i++)
        alive += tables->workers.items[i].last >= time - ALIVE;
    return alive ? alive : 1;
}

/* Grants the worker a part of what is left of the budget, if it has no grant. */
static void grant(const MemoryTables *tables, Seen *worker, double time, double seconds)
{
    uint64_t given = tables->stats.executions;
    if (!tables->budget || worker->grant)
        return;
    for (uint32_t i = 0; i < tables->workers.count; i++)
        given += tables->workers.items[i].grant;
    uint64_t left = given < tables->budget ? tables->budget - given : 0, part = left / (2 * count_alive(tables, time));
    worker->grant = part ? part : left > 0;
    worker->granted = time + seconds;
}

static bool has_grant(const MemoryTables *tables, const Seen *worker) { return !tables->budget || worker->grant > 0; }

static void describe_state(const MemoryTables *tables, const Seen *worker, double time, StoreState *state)
{
    *state = (StoreState){.open = tables->identity ? tables->open : -1,
                          .queued = tables->queue.count,
                          .epoch = tables->epoch,
                          .grant = !tables->budget ? STORE_NO_LIMIT
                                   : worker        ? worker->grant
                                                   : 0};
    for (uint32_t i = 0; i < tables->workers.count; i++) {
        state->workers += tables->workers.items[i].last >= time - ALIVE;
        state->idle += tables->workers.items[i].idle >= time - IDLE;
    }
    snprintf(state->stop, sizeof state->stop, "%s", tables->stop);
    state->stopped = *tables->stop != '\0';
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

static void memory_close(Store *store) { free(store); }

static void set_pair(MemoryTables *tables, const char *key, const char *value, size_t size)
{
    Pair pair = {.key = mem_copy_string(key), .value = mem_alloc(size + 1), .size = size};
    memcpy(pair.value, value, size);
    VEC_PUSH(&tables->pairs, pair);
}

static StoreAnswer memory_init(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count,
                               bool *attached, Error *error)
{
    MemoryServer *server = ((MemoryStore *)store)->server;
    MemoryTables *tables = &server->tables;
    *attached = tables->identity && tables->open > 0 && !*tables->stop;
    if (*attached && strcmp(tables->identity, identity) != 0) {
        error_set(error, EXIT_USAGE, "the store contains another search that has not ended");
        return STORE_REFUSED;
    }
    if (*attached)
        return STORE_DONE;
    MemoryTables fresh = {.identity = mem_copy_string(identity),
                          .id = tables->id + 1,
                          .epoch = tables->epoch,
                          .begun = now(server),
                          .token = tables->token,
                          .next_expiry = 1e300,
                          .open = 1};
    tables_release(tables);
    *tables = fresh;
    for (uint32_t i = 0; i < count; i++) {
        set_pair(tables, text_borrow(&keys[i]), text_borrow(&values[i]), values[i].length);
        if (strcmp(text_borrow(&keys[i]), STORE_BUDGET) == 0)
            tables->budget = strtoull(text_borrow(&values[i]), NULL, 10);
    }
    VEC_PUSH(&tables->items, ((Item){.share = 1}));
    tables_enqueue(tables, 0, 0);
    return STORE_DONE;
}

static StoreAnswer memory_join(Store *store, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    (void)error;
    self->search = self->server->tables.id;
    self->epoch = NOT_MET;
    return self->search ? STORE_DONE : STORE_REFUSED;
}

static StoreAnswer memory_describe(Store *store, const char *key, Text *value, Error *error)
{
    const MemoryTables *tables = &((MemoryStore *)store)->server->tables;
    (void)error;
    for (uint32_t i = 0; i < tables->pairs.count; i++)
        if (strcmp(tables->pairs.items[i].key, key) == 0) {
            text_add_bytes(value, tables->pairs.items[i].value, tables->pairs.items[i].size);
            return STORE_DONE;
        }
    return STORE_REFUSED;
}

static bool is_replaced(const MemoryStore *self) { return self->search && self->search != self->server->tables.id; }

/* Whether the caller knows the current search and epoch. */
static bool is_current(const MemoryStore *self)
{
    return !is_replaced(self) && (!self->search || self->epoch == NOT_MET || self->epoch == self->server->tables.epoch);
}

/* The same; counts calls from an earlier epoch. */
static bool is_welcome(MemoryStore *self)
{
    bool current = is_current(self);
    self->server->tables.refused += !current && !is_replaced(self);
    return current;
}

static uint32_t at_most(uint32_t value, uint32_t limit) { return value < limit ? value : limit; }

static StoreAnswer memory_take(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state,
                               Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    MemoryTables *tables = &self->server->tables;
    double time = now(self->server);
    (void)error;
    if (is_replaced(self)) {
        *state = (StoreState){.stopped = true, .stop = "replaced", .grant = STORE_NO_LIMIT};
        return STORE_DONE;
    }
    expire(tables, time);
    Seen *worker = seen(tables, self->worker, time);
    describe_state(tables, worker, time, state);
    bool known = is_current(self);
    self->epoch = tables->epoch;
    if (state->open <= 0 || state->stopped || !known)
        return STORE_DONE;
    if (state->queued)
        grant(tables, worker, time, seconds);
    uint32_t queued = has_grant(tables, worker) ? state->queued : 0, held = jobs->count;
    uint32_t fair = state->workers > 1 ? state->queued / (2 * state->workers) : state->queued;
    uint32_t count = at_most(at_most(want, fair ? fair : 1), queued);
    for (uint32_t i = 0; i < count; i++)
        tables_lease_next(tables, time + seconds, jobs);
    worker->idle = count ? -1e9 : time;
    if (count == 0 && held == 0)
        worker->grant = 0; /* others can use it */
    describe_state(tables, worker, time, state);
    return STORE_DONE;
}

static void add_news(const TableDomain *domain, uint32_t known, Text *news)
{
    if (known < domain->starts.count)
        text_add_string(news, domain->entries.data + domain->starts.items[known]);
}

static StoreAnswer memory_fetch(Store *store, uint64_t name, uint32_t known, uint64_t *parent, uint32_t *entry,
                                Text *entries, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    const TableDomain *domain = is_welcome(self) ? tables_find_domain(&self->server->tables, name) : NULL;
    (void)error;
    if (!domain)
        return STORE_REFUSED;
    *parent = domain->parent;
    *entry = domain->entry;
    add_news(domain, known, entries);
    return STORE_DONE;
}

static StoreAnswer memory_extend(Store *store, uint64_t name, uint32_t known, const char *entries, Text *news,
                                 Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    MemoryTables *tables = &self->server->tables;
    TableDomain *domain = is_welcome(self) ? tables_find_domain(tables, name) : NULL;
    (void)error;
    if (!domain || domain->starts.count < known)
        return STORE_REFUSED;
    if (domain->starts.count > known) {
        add_news(domain, known, news);
        return STORE_STALE;
    }
    tables_extend_domain(tables, domain, known, entries);
    tables->extensions++;
    tables->bytes += strlen(entries);
    return STORE_DONE;
}

static void add_bug(MemoryTables *tables, const StoreBug *bug)
{
    for (uint32_t i = 0; i < tables->bugs.count; i++)
        if (tables->bugs.items[i].identity == bug->identity)
            return;
    VEC_PUSH(&tables->bugs, ((StoreBug){.identity = bug->identity, .text = text_copy(&bug->text)}));
}

/* The beginning of commit and renew. NULL: the caller belongs to another search or an earlier epoch. */
static Seen *greet(MemoryStore *self, double time, StoreState *state)
{
    MemoryTables *tables = &self->server->tables;
    if (!is_welcome(self))
        return NULL;
    Seen *worker = seen(tables, self->worker, time);
    describe_state(tables, worker, time, state);
    return worker;
}

static bool holds_all(const MemoryTables *tables, const StoreReturns *returns)
{
    bool good = true;
    for (uint32_t i = 0; i < returns->count && good; i++)
        good = tables_holds(tables, &returns->items[i].job);
    return good;
}

/* Adds the words that are new; whether there are enough now. */
static bool reach(MemoryTables *tables, const char *words, uint64_t enough)
{
    while (*(words += strspn(words, " "))) {
        size_t size = strcspn(words, " ");
        bool known = false;
        for (uint32_t i = 0; i < tables->reached.count && !known; i++)
            known = tables->reached.items[i].length == size && memcmp(tables->reached.items[i].data, words, size) == 0;
        Text word = {0};
        if (!known) {
            text_add_bytes(&word, words, size);
            VEC_PUSH(&tables->reached, word);
        }
        words += size;
    }
    return enough && tables->reached.count >= enough;
}

static void note_commit(MemoryTables *tables, const StoreCommit *commit, double time)
{
    for (uint32_t i = 0; i < commit->bugs.count; i++)
        add_bug(tables, &commit->bugs.items[i]);
    stats_add(&tables->stats, &commit->stats);
    tables->cpu_seconds += commit->cpu_seconds;
    if (commit->record.length)
        VEC_PUSH(&tables->records, text_copy(&commit->record));
    tables->commits++;
    tables->changed = time;
}

static void stop_for(MemoryTables *tables, const char *why)
{
    if (why && !*tables->stop)
        snprintf(tables->stop, sizeof tables->stop, "%s", why);
}

static StoreAnswer memory_commit(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state,
                                 Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    MemoryTables *tables = &self->server->tables;
    double time = now(self->server);
    Seen *worker = greet(self, time, state);
    (void)error;
    if (!worker)
        return STORE_REFUSED;
    if (!holds_all(tables, &commit->returns) || (tables->budget && commit->stats.executions > worker->grant)) {
        tables->refused++;
        return STORE_REFUSED;
    }
    note_commit(tables, commit, time);
    worker->grant = 0;
    if (commit->lease > 0) /* a worker that ends needs no grant */
        grant(tables, worker, time, commit->lease);
    for (uint32_t i = 0; i < commit->returns.count; i++)
        tables_return_job(tables, &commit->returns.items[i], time + commit->lease, has_grant(tables, worker), kept);
    if (estimator_is_due(&tables->estimator, tables->stats.executions))
        estimator_note(&tables->estimator, tables->stats.executions, tables_finished(tables));
    bool enough = reach(tables, text_borrow(&commit->reached), commit->enough);
    bool used_up = tables->budget && tables->stats.executions >= tables->budget && tables->open > 0;
    stop_for(tables, commit->stop ? commit->stop : enough ? "enough" : used_up ? "executions" : NULL);
    describe_state(tables, worker, time, state);
    return STORE_DONE;
}

static StoreAnswer memory_renew(Store *store, const StoreJobs *jobs, double seconds, const char *note,
                                StoreState *state, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    MemoryTables *tables = &self->server->tables;
    double time = now(self->server);
    expire(tables, time);
    Seen *worker = greet(self, time, state);
    (void)error;
    if (!worker)
        return STORE_REFUSED;
    snprintf(worker->note, sizeof worker->note, "%s", note);
    bool good = true;
    for (uint32_t i = 0; i < jobs->count && good; i++)
        good = tables_holds(tables, &jobs->items[i]);
    for (uint32_t i = 0; i < jobs->count && good; i++)
        tables_renew_lease(tables, &jobs->items[i], time + seconds);
    if (good)
        worker->granted = time + seconds;
    return good ? STORE_DONE : STORE_REFUSED;
}

static StoreAnswer memory_records(Store *store, Text *records, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    const MemoryTables *tables = &self->server->tables;
    (void)error;
    if (is_replaced(self))
        return STORE_REFUSED;
    for (uint32_t i = 0; i < tables->records.count; i++)
        store_add_record(records, text_borrow(&tables->records.items[i]), tables->records.items[i].length);
    return STORE_DONE;
}

static StoreAnswer memory_stop(Store *store, const char *why, const char *note, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    MemoryTables *tables = &self->server->tables;
    Text before = {0};
    if (is_replaced(self))
        return STORE_REFUSED;
    stop_for(tables, why);
    if (memory_describe(store, "note", &before, error) != STORE_DONE)
        set_pair(tables, "note", note, strlen(note));
    text_release(&before);
    return STORE_DONE;
}

static StoreAnswer memory_report(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    MemoryTables *tables = &self->server->tables;
    double time = now(self->server), share = tables_finished(tables);
    (void)error;
    if (is_replaced(self))
        return STORE_REFUSED;
    expire(tables, time);
    *report = (StoreReport){.stats = tables->stats, .cpu_seconds = tables->cpu_seconds, .progress = share,
                            .seconds = (tables->open ? time : tables->changed) - tables->begun,
                            .estimate = estimator_read(&tables->estimator, tables->stats.executions, share),
                            .commits = tables->commits, .extensions = tables->extensions, .refused = tables->refused,
                            .bytes = tables->bytes, .bugs = tables->bugs.count};
    describe_state(tables, NULL, time, &report->state);
    for (uint32_t i = 0; bugs && i < tables->bugs.count; i++)
        VEC_PUSH(bugs, ((StoreBug){.identity = tables->bugs.items[i].identity,
                                   .text = text_copy(&tables->bugs.items[i].text)}));
    for (uint32_t i = 0; workers && i < tables->workers.count; i++)
        if (tables->workers.items[i].last >= time - ALIVE)
            text_add(workers, "%s%s %s", workers->length ? "\n" : "", tables->workers.items[i].name,
                     tables->workers.items[i].note);
    return STORE_DONE;
}

Store *store_open_memory(MemoryServer *server, const char *worker)
{
    static const StoreOps ops = {.close = memory_close,
                                 .init = memory_init,
                                 .describe = memory_describe,
                                 .join = memory_join,
                                 .take = memory_take,
                                 .fetch = memory_fetch,
                                 .extend = memory_extend,
                                 .commit = memory_commit,
                                 .renew = memory_renew,
                                 .stop = memory_stop,
                                 .records = memory_records,
                                 .report = memory_report};
    MemoryStore *self = mem_alloc(sizeof *self);
    *self = (MemoryStore){.store = {.ops = &ops}, .server = server};
    snprintf(self->worker, sizeof self->worker, "%s", worker);
    return &self->store;
}

bool memoryserver_is_consistent(const MemoryServer *server) { return tables_is_consistent(&server->tables); }
