/* store_memory.c - see store_memory.h; store.lua is the same in Redis */
#include "dist/store_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dist/memory_internal.h"

static const double ALIVE = 15, IDLE = 2; /* seconds since a worker was heard of */

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
    memory_release(&server->memory);
    memory_release(&server->saved);
    free(server);
}

void memoryserver_save(MemoryServer *server)
{
    memory_release(&server->saved);
    memory_copy(&server->saved, &server->memory);
}

/* ---- Workers and the budget ------------------------------------------------------------------ */

/* Leases and grants that are over are anybody's again. */
static void expire(Memory *memory, double time)
{
    for (uint32_t i = 0; memory->budget && i < memory->workers.count; i++)
        if (memory->workers.items[i].granted <= time)
            memory->workers.items[i].grant = 0;
    memory_expire_leases(memory, time);
}

/* Nobody holds anything any more (DIST-9). */
void memoryserver_revert(MemoryServer *server)
{
    uint64_t epoch = server->memory.epoch + 1;
    memory_release(&server->memory);
    memory_copy(&server->memory, &server->saved);
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
    *state = (StoreState){.open = memory->identity ? memory->open : -1,
                          .queued = memory->queue.count,
                          .epoch = memory->epoch,
                          .grant = !memory->budget ? STORE_NO_LIMIT
                                   : worker        ? worker->grant
                                                   : 0};
    for (uint32_t i = 0; i < memory->workers.count; i++) {
        state->workers += memory->workers.items[i].last >= time - ALIVE;
        state->idle += memory->workers.items[i].idle >= time - IDLE;
    }
    snprintf(state->stop, sizeof state->stop, "%s", memory->stop);
    state->stopped = *memory->stop != '\0';
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

static void memory_close(Store *store) { free(store); }

static void set_pair(Memory *memory, const char *key, const char *value, size_t size)
{
    Pair pair = {.key = mem_copy_string(key), .value = mem_alloc(size + 1), .size = size};
    memcpy(pair.value, value, size);
    VEC_PUSH(&memory->pairs, pair);
}

static StoreAnswer memory_init(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count,
                               bool *attached, Error *error)
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
    Memory fresh = {.identity = mem_copy_string(identity),
                    .id = memory->id + 1,
                    .epoch = memory->epoch,
                    .begun = now(server),
                    .token = memory->token,
                    .total = 1,
                    .next_expiry = 1e300,
                    .open = 1};
    memory_release(memory);
    *memory = fresh;
    for (uint32_t i = 0; i < count; i++) {
        set_pair(memory, text_borrow(&keys[i]), text_borrow(&values[i]), values[i].length);
        if (strcmp(text_borrow(&keys[i]), STORE_BUDGET) == 0)
            memory->budget = strtoull(text_borrow(&values[i]), NULL, 10);
    }
    VEC_PUSH(&memory->items, ((Item){.share = 1}));
    memory_enqueue(memory, 0, 0);
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

static StoreAnswer memory_take(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state,
                               Error *error)
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
        memory_lease_next(memory, time + seconds, jobs);
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

static StoreAnswer memory_fetch(Store *store, uint64_t name, uint32_t known, uint64_t *parent, uint32_t *entry,
                                Text *entries, Error *error)
{
    MemoryStore *self = (MemoryStore *)store;
    const Domain *domain = is_welcome(self) ? memory_find_domain(&self->server->memory, name) : NULL;
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
    Memory *memory = &self->server->memory;
    Domain *domain = is_welcome(self) ? memory_find_domain(memory, name) : NULL;
    (void)error;
    if (!domain || domain->starts.count < known)
        return STORE_REFUSED;
    if (domain->starts.count > known) {
        add_news(domain, known, news);
        return STORE_STALE;
    }
    memory_extend_domain(memory, domain, known, entries);
    memory->extensions++;
    memory->bytes += strlen(entries);
    return STORE_DONE;
}

static void add_bug(Memory *memory, const StoreBug *bug)
{
    for (uint32_t i = 0; i < memory->bugs.count; i++)
        if (memory->bugs.items[i].identity == bug->identity)
            return;
    VEC_PUSH(&memory->bugs, ((StoreBug){.identity = bug->identity, .text = text_copy(&bug->text)}));
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
        good = memory_holds(memory, &returns->items[i].job);
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
        VEC_PUSH(&memory->records, text_copy(&commit->record));
    memory->commits++;
    memory->changed = time;
}

static void stop_for(Memory *memory, const char *why)
{
    if (why && !*memory->stop)
        snprintf(memory->stop, sizeof memory->stop, "%s", why);
}

static StoreAnswer memory_commit(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state,
                                 Error *error)
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
        memory_return_job(memory, &commit->returns.items[i], time + commit->lease, has_grant(memory, worker), kept);
    estimator_note(&memory->estimator, memory->stats.executions, memory->over / memory->total);
    bool enough = reach(memory, text_borrow(&commit->reached), commit->enough);
    bool used_up = memory->budget && memory->stats.executions >= memory->budget && memory->open > 0;
    stop_for(memory, commit->stop ? commit->stop : enough ? "enough" : used_up ? "executions" : NULL);
    describe_state(memory, worker, time, state);
    return STORE_DONE;
}

static StoreAnswer memory_renew(Store *store, const StoreJobs *jobs, double seconds, const char *note,
                                StoreState *state, Error *error)
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
        good = memory_holds(memory, &jobs->items[i]);
    for (uint32_t i = 0; i < jobs->count && good; i++)
        memory_renew_lease(memory, &jobs->items[i], time + seconds);
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
        VEC_PUSH(bugs, ((StoreBug){.identity = memory->bugs.items[i].identity,
                                   .text = text_copy(&memory->bugs.items[i].text)}));
    for (uint32_t i = 0; workers && i < memory->workers.count; i++)
        if (memory->workers.items[i].last >= time - ALIVE)
            text_add(workers, "%s%s %s", workers->length ? "\n" : "", memory->workers.items[i].name,
                     memory->workers.items[i].note);
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

bool memoryserver_is_consistent(const MemoryServer *server) { return memory_is_consistent(&server->memory); }
