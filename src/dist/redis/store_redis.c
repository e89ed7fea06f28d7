/* store_redis.c - see store_redis.h; every call of StoreOps is one call of store.lua */
#include "dist/redis/store_redis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats.h"
#include "dist/redis/redis_link.h"
#include "dist/redis/redis_reply.h"

typedef struct RedisStore {
    Store store;
    RedisLink link;
    char worker[128];
    char search[32]; /* the one that was joined, or empty                       */
    char joined[56]; /* its name, and the server's epoch once that is known     */
} RedisStore;

/* A call of the script. */
static void begin_call(RedisCall *call, const RedisStore *redis, const char *command)
{
    *call = (RedisCall){0};
    rediscall_add_string(call, "EVALSHA");
    rediscall_add_string(call, redis->link.script);
    rediscall_add_string(call, "0");
    rediscall_add_string(call, command);
    rediscall_add_string(call, redis->joined);
}

/* Performs a call whose reply is an answer, the state of the search, and leased jobs. */
static StoreAnswer conclude(RedisStore *redis, RedisCall *call, StoreJobs *kept, StoreState *state, Error *error)
{
    redisReply *reply = redislink_perform(&redis->link, call, error);
    rediscall_release(call);
    if (!reply)
        return STORE_FAILED;
    StoreAnswer answer = reply_answer(reply, error);
    reply_state(reply, 1, state);
    if (answer == STORE_DONE && kept)
        reply_jobs(reply, 2, kept);
    freeReplyObject(reply);
    return answer;
}

static void redis_close(Store *store)
{
    RedisStore *redis = (RedisStore *)store;
    redislink_close(&redis->link);
    free(redis);
}

static StoreAnswer redis_init(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count,
                              bool *attached, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "init");
    rediscall_add_string(&call, identity);
    for (uint32_t i = 0; i < count; i++) {
        rediscall_add_text(&call, &keys[i]);
        rediscall_add_text(&call, &values[i]);
    }
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    StoreAnswer answer = reply ? STORE_DONE : STORE_FAILED;
    *attached = reply && reply->str && strcmp(reply->str, "attached") == 0;
    if (reply && reply->str && strcmp(reply->str, "other") == 0) {
        error_set(error, EXIT_USAGE,
                  "database %d of the store contains another search that has not ended (sennit status shows it): use "
                  "another database, or delete it with sennit status --forget",
                  redis->link.address.database);
        answer = STORE_REFUSED;
    }
    freeReplyObject(reply);
    return answer;
}

static StoreAnswer redis_describe(Store *store, const char *key, Text *value, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call = {0};
    rediscall_add_string(&call, "HGET");
    rediscall_add_string(&call, "sennit:meta");
    rediscall_add_string(&call, key);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    if (!reply)
        return STORE_FAILED;
    bool found = reply->type == REDIS_REPLY_STRING;
    if (found)
        text_add_bytes(value, reply->str, reply->len);
    freeReplyObject(reply);
    return found ? STORE_DONE : STORE_REFUSED;
}

static StoreAnswer redis_join(Store *store, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    Text id = {0};
    StoreAnswer answer = redis_describe(store, "id", &id, error);
    if (answer == STORE_DONE)
        snprintf(redis->search, sizeof redis->search, "%s", text_borrow(&id));
    snprintf(redis->joined, sizeof redis->joined, "%s", redis->search);
    text_release(&id);
    return answer;
}

static StoreAnswer redis_take(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state,
                              Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "take");
    rediscall_add_string(&call, redis->worker);
    rediscall_add_format(&call, "%u", want);
    rediscall_add_format(&call, "%.0f", seconds * 1000);
    rediscall_add_format(&call, "%u", jobs->count);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    if (!reply)
        return STORE_FAILED;
    reply_state(reply, 0, state);
    if (*redis->search)
        snprintf(redis->joined, sizeof redis->joined, "%s:%016llx", redis->search, (unsigned long long)state->epoch);
    reply_jobs(reply, 1, jobs);
    freeReplyObject(reply);
    return STORE_DONE;
}

static StoreAnswer redis_fetch(Store *store, uint64_t domain, uint32_t known, uint64_t *parent, uint32_t *entry,
                               Text *entries, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "fetch");
    rediscall_add_format(&call, "%llu", (unsigned long long)domain);
    rediscall_add_format(&call, "%u", known);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    if (!reply)
        return STORE_FAILED;
    StoreAnswer answer = reply_answer(reply, error);
    if (answer == STORE_DONE) {
        unsigned long long above = 0;
        *entry = 0;
        sscanf(reply_string(reply, 1), "%llu.%u", &above, entry);
        *parent = above;
        text_add_bytes(entries, reply->element[2]->str, reply->element[2]->len);
    }
    freeReplyObject(reply);
    return answer;
}

/* Adds the open entries with their shares: "3=0.25,7=0.125,". */
static void add_open(RedisCall *call, const char *entries, uint32_t first, uint32_t *count)
{
    StoreEntries open = {0};
    Text list = {0};
    *count = store_scan_entries(entries, first, &open);
    for (uint32_t i = 0; i < open.count; i++)
        text_add(&list, "%u=%.9g,", open.items[i].entry, open.items[i].share);
    rediscall_add_format(call, "%s", text_borrow(&list));
    text_release(&list);
    VEC_FREE(&open);
}

static StoreAnswer redis_extend(Store *store, uint64_t domain, uint32_t known, const char *entries, Text *news,
                                Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    uint32_t count;
    begin_call(&call, redis, "extend");
    rediscall_add_format(&call, "%llu", (unsigned long long)domain);
    rediscall_add_format(&call, "%u", known);
    rediscall_add_format(&call, "%u", store_scan_entries(entries, 0, NULL));
    add_open(&call, entries, known + 1, &count);
    rediscall_add_string(&call, entries);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    if (!reply)
        return STORE_FAILED;
    StoreAnswer answer = reply_answer(reply, error);
    if (answer == STORE_STALE)
        text_add_bytes(news, reply->element[1]->str, reply->element[1]->len);
    freeReplyObject(reply);
    return answer;
}

static void add_job(RedisCall *call, const StoreJob *job)
{
    rediscall_add_format(call, "%llu.%u", (unsigned long long)job->domain, job->entry);
    rediscall_add_format(call, "%llu", (unsigned long long)job->token);
}

static void add_return(RedisCall *call, const StoreReturn *back)
{
    static const char *const names[] = {[STORE_OVER] = "over", [STORE_SPLIT] = "split", [STORE_RELEASED] = "released"};
    bool root = back->job.domain == 0 && back->job.entry == 0;
    add_job(call, &back->job);
    rediscall_add_string(call, names[back->fate]);
    rediscall_add_format(call, "%llu", root ? 0ull : (unsigned long long)back->job.token);
    uint32_t count = store_scan_entries(text_borrow(&back->entries), 1, NULL);
    rediscall_add_format(call, "%u", count);
    add_open(call, text_borrow(&back->entries), 1, &count);
    rediscall_add_text(call, &back->entries);
    rediscall_add_format(call, "%u", back->keep);
}

static StoreAnswer redis_commit(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state,
                                Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    Text stats = {0};
    begin_call(&call, redis, "commit");
    rediscall_add_string(&call, redis->worker);
    rediscall_add_string(&call, commit->stop ? commit->stop : "");
    rediscall_add_format(&call, "%.6f", commit->cpu_seconds);
    rediscall_add_format(&call, "%.0f", commit->lease * 1000);
    rediscall_add_format(&call, "%u", commit->returns.count);
    for (uint32_t i = 0; i < commit->returns.count; i++)
        add_return(&call, &commit->returns.items[i]);
    stats_write(&commit->stats, &stats);
    rediscall_add_text(&call, &stats);
    rediscall_add_format(&call, "%u", commit->bugs.count);
    for (uint32_t i = 0; i < commit->bugs.count; i++) {
        rediscall_add_format(&call, "%016llx", (unsigned long long)commit->bugs.items[i].identity);
        rediscall_add_text(&call, &commit->bugs.items[i].text);
    }
    rediscall_add_text(&call, &commit->reached);
    rediscall_add_format(&call, "%llu", (unsigned long long)commit->enough);
    rediscall_add_text(&call, &commit->record);
    StoreAnswer answer = conclude(redis, &call, kept, state, error);
    text_release(&stats);
    return answer;
}

static StoreAnswer redis_renew(Store *store, const StoreJobs *jobs, double seconds, const char *note, StoreState *state,
                               Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "renew");
    rediscall_add_string(&call, redis->worker);
    rediscall_add_format(&call, "%.0f", seconds * 1000);
    rediscall_add_string(&call, note);
    for (uint32_t i = 0; i < jobs->count; i++)
        add_job(&call, &jobs->items[i]);
    return conclude(redis, &call, NULL, state, error);
}

/* Adds the next records; false if there are none, or *answer is not STORE_DONE. */
static bool add_records(RedisStore *redis, uint32_t *known, Text *records, StoreAnswer *answer, Error *error)
{
    RedisCall call;
    begin_call(&call, redis, "records");
    rediscall_add_format(&call, "%u", *known);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    *answer = reply ? reply_answer(reply, error) : STORE_FAILED;
    const redisReply *list = *answer == STORE_DONE && reply->elements > 1 ? reply->element[1] : NULL;
    size_t count = list && list->type == REDIS_REPLY_ARRAY ? list->elements : 0;
    for (size_t i = 0; i < count; i++)
        store_add_record(records, list->element[i]->str, list->element[i]->len);
    *known += (uint32_t)count;
    freeReplyObject(reply);
    return count > 0;
}

static StoreAnswer redis_records(Store *store, Text *records, Error *error)
{
    StoreAnswer answer;
    uint32_t known = 0;
    while (add_records((RedisStore *)store, &known, records, &answer, error))
        ;
    return answer;
}

static StoreAnswer redis_stop(Store *store, const char *why, const char *note, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "stop");
    rediscall_add_string(&call, why);
    rediscall_add_string(&call, note);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    StoreAnswer answer = reply ? reply_answer(reply, error) : STORE_FAILED;
    freeReplyObject(reply);
    return answer;
}

static void read_estimate(const redisReply *reply, size_t first, StoreReport *report)
{
    double values[6];
    for (size_t i = 0; i < 6; i++)
        values[i] = strtod(reply_string(reply, first + i), NULL);
    Estimator estimator = {.executions = values[0],
                           .estimate = values[1],
                           .drift = values[2],
                           .variation = values[3],
                           .doublings = values[4],
                           .tempo = values[5]};
    report->estimate = estimator_read(&estimator, report->stats.executions, report->progress);
}

/* What the server said to a write. */
static void read_trouble(const RedisStore *redis, const char *text, StoreReport *report)
{
    Error reason;
    if (!*text)
        return;
    redislink_explain(&redis->link, text, &reason);
    snprintf(report->full, sizeof report->full, "%s", reason.text);
}

static StoreAnswer redis_report(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "report");
    rediscall_add_string(&call, stats_names);
    redisReply *reply = redislink_perform(&redis->link, &call, error);
    rediscall_release(&call);
    if (!reply)
        return STORE_FAILED;
    *report = (StoreReport){0};
    StoreAnswer answer = reply_answer(reply, error);
    if (answer == STORE_DONE && reply->elements >= 13) {
        reply_state(reply, 1, &report->state);
        stats_read(&report->stats, reply_string(reply, 2), strlen(reply_string(reply, 2)));
        report->cpu_seconds = strtod(reply_string(reply, 3), NULL);
        report->seconds = strtod(reply_string(reply, 4), NULL);
        report->progress = strtod(reply_string(reply, 5), NULL);
        report->commits = (uint64_t)reply_number(reply, 6);
        report->extensions = (uint64_t)reply_number(reply, 7);
        report->refused = (uint64_t)reply_number(reply, 8);
        report->bytes = (uint64_t)reply_number(reply, 9);
        report->bugs = (uint32_t)reply_number(reply, 10);
        read_estimate(reply, 13, report);
        read_trouble(redis, reply_string(reply, 19), report);
        if (workers)
            text_add_string(workers, reply_string(reply, 11));
        if (bugs)
            reply_bugs(reply->element[12], bugs);
    }
    freeReplyObject(reply);
    return answer;
}

Store *store_open_redis(const char *url, const char *worker, const volatile int *interrupted, Error *error)
{
    static const StoreOps ops = {.close = redis_close,
                                 .init = redis_init,
                                 .describe = redis_describe,
                                 .join = redis_join,
                                 .take = redis_take,
                                 .fetch = redis_fetch,
                                 .extend = redis_extend,
                                 .commit = redis_commit,
                                 .renew = redis_renew,
                                 .stop = redis_stop,
                                 .records = redis_records,
                                 .report = redis_report};
    RedisStore *redis = mem_alloc(sizeof *redis);
    redis->store.ops = &ops;
    snprintf(redis->worker, sizeof redis->worker, "%s", worker);
    if (redislink_open(&redis->link, url, interrupted, error))
        return &redis->store;
    free(redis);
    return NULL;
}
