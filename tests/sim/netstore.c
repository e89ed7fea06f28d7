/* netstore.c - see netstore.h */
#include "netstore.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool happens(Network *network, uint32_t one_in) { return one_in && rng_below(&network->rng, one_in) == 0; }

/* To the server, and until it is done. False if the connection is gone. */
static bool arrive(NetStore *self, size_t bytes, Error *error)
{
    Network *network = self->network;
    double service = network->service + network->service_byte * (double)bytes;
    if (happens(network, network->hang))
        world_sleep(network->world, network->hang_seconds);
    world_sleep(network->world, network->latency);
    double begin = network->busy > world_now(network->world) ? network->busy : world_now(network->world);
    network->busy = begin + service;
    network->served += service;
    network->calls++;
    world_sleep(network->world, network->busy - world_now(network->world));
    return !self->dead || error_set(error, EXIT_INTERNAL, "the connection is gone");
}

/* And back. *again: the answer is lost. */
static bool come_back(NetStore *self, bool *again, Error *error)
{
    Network *network = self->network;
    world_sleep(network->world, network->latency);
    *again = happens(network, network->lost_answer);
    if (happens(network, network->hang))
        world_sleep(network->world, network->hang_seconds);
    return !self->dead || error_set(error, EXIT_INTERNAL, "the connection is gone");
}

/* Makes `call` at the server, again if its answer was lost. */
#define PERFORM(store, bytes, error, call)                              \
    do {                                                                \
        bool again_;                                                    \
        do {                                                            \
            if (!arrive((NetStore *)(store), bytes, error))             \
                return STORE_FAILED;                                    \
            call;                                                       \
            if (!come_back((NetStore *)(store), &again_, error))        \
                return STORE_FAILED;                                    \
        } while (again_);                                               \
    } while (0)

static Store *inner(Store *store) { return ((NetStore *)store)->inner; }

static void net_close(Store *store)
{
    inner(store)->ops->close(inner(store));
    free(store);
}

static StoreAnswer net_init(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count, bool *attached,
                            Error *error)
{
    return inner(store)->ops->init(inner(store), identity, keys, values, count, attached, error);
}

static StoreAnswer net_join(Store *store, Error *error) { return inner(store)->ops->join(inner(store), error); }

static StoreAnswer net_describe(Store *store, const char *key, Text *value, Error *error)
{
    return inner(store)->ops->describe(inner(store), key, value, error);
}

static StoreAnswer net_take(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state, Error *error)
{
    StoreAnswer answer;
    uint32_t before = jobs->count;
    ((NetStore *)store)->network->takes++;
    PERFORM(store, 0, error, {
        jobs->count = before;
        answer = inner(store)->ops->take(inner(store), want, seconds, jobs, state, error);
    });
    return answer;
}

static StoreAnswer net_fetch(Store *store, uint64_t domain, uint32_t known, uint64_t *parent, uint32_t *entry, Text *entries, Error *error)
{
    StoreAnswer answer;
    ((NetStore *)store)->network->fetches++;
    PERFORM(store, 0, error, {
        text_reset(entries);
        answer = inner(store)->ops->fetch(inner(store), domain, known, parent, entry, entries, error);
    });
    return answer;
}

static StoreAnswer net_extend(Store *store, uint64_t domain, uint32_t known, const char *entries, Text *news, Error *error)
{
    StoreAnswer answer;
    PERFORM(store, strlen(entries), error, {
        text_reset(news);
        answer = inner(store)->ops->extend(inner(store), domain, known, entries, news, error);
    });
    return answer;
}

static StoreAnswer net_commit(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state, Error *error)
{
    NetStore *self = (NetStore *)store;
    StoreAnswer answer;
    size_t bytes = 0;
    uint32_t before = kept->count;
    self->network->commits++;
    for (uint32_t i = 0; i < commit->returns.count; i++)
        bytes += commit->returns.items[i].entries.length;
    PERFORM(store, bytes, error, {
        kept->count = before; /* what a lost answer leased is lost until that is over */
        answer = inner(store)->ops->commit(inner(store), commit, kept, state, error);
        if (answer == STORE_DONE && self->committed)
            self->committed(self->context, commit);
    });
    return answer;
}

static StoreAnswer net_renew(Store *store, const StoreJobs *jobs, double seconds, const char *note, StoreState *state, Error *error)
{
    StoreAnswer answer;
    ((NetStore *)store)->network->renewals++;
    PERFORM(store, 0, error, { answer = inner(store)->ops->renew(inner(store), jobs, seconds, note, state, error); });
    return answer;
}

static StoreAnswer net_stop(Store *store, const char *why, const char *note, Error *error)
{
    StoreAnswer answer;
    PERFORM(store, 0, error, { answer = inner(store)->ops->stop(inner(store), why, note, error); });
    return answer;
}

static StoreAnswer net_report(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error)
{
    return inner(store)->ops->report(inner(store), report, bugs, workers, error);
}

NetStore *netstore_create(Network *network, Store *store)
{
    static const StoreOps ops = {.close = net_close, .init = net_init, .describe = net_describe, .join = net_join, .take = net_take,
                                 .fetch = net_fetch, .extend = net_extend, .commit = net_commit, .renew = net_renew,
                                 .stop = net_stop, .report = net_report};
    NetStore *self = mem_alloc(sizeof *self);
    *self = (NetStore){.store = {.ops = &ops}, .network = network, .inner = store};
    return self;
}
