/* store_redis.c - the job store in Redis or Valkey; see store.h
 *
 * Every call is one call of store.lua. A connection that breaks is made anew, with growing
 * pauses; every call can be repeated: a commit that had arrived is refused the second time,
 * which costs work and nothing else.
 */
#include <hiredis/hiredis.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/mem.h"
#include "core/stats.h"
#include "dist/address.h"
#include "dist/store.h"

extern const char sennit_store_lua_begin[], sennit_store_lua_end[];

static const double PATIENCE = 120; /* seconds without a connection before giving up */
static const double TIMEOUT = 5;    /* seconds for one answer                         */
static const double HURRY = 1;      /* the same once we are asked to end               */

typedef struct RedisStore {
    Store store;
    Address address;
    char worker[128];
    char sha[64];
    char search[32];                /* the one that was joined, or empty */
    char joined[56];                /* its name, and the server's epoch once that is known */
    const volatile int *interrupted; /* we are asked to end */
    redisContext *context;
    bool greeted;                   /* there was a good connection */
    bool has_log;                   /* an append-only file */
} RedisStore;

/* Arguments of one call. */
typedef struct RedisCall {
    VEC(const char *) parts;
    VEC(size_t) sizes;
    VEC(char *) owned;
} RedisCall;

/* ---- Arguments ---------------------------------------------------------------------- */

static void add_bytes(RedisCall *call, const char *bytes, size_t size)
{
    VEC_PUSH(&call->parts, bytes);
    VEC_PUSH(&call->sizes, size);
}

static void add_string(RedisCall *call, const char *string)
{
    add_bytes(call, string, strlen(string));
}
static void add_text(RedisCall *call, const Text *text)
{
    add_bytes(call, text_borrow(text), text->length);
}

__attribute__((format(printf, 2, 3))) static void add_format(RedisCall *call, const char *format, ...)
{
    Text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    char *string = mem_copy_string(text_borrow(&text));
    text_release(&text);
    VEC_PUSH(&call->owned, string);
    add_string(call, string);
}

static void begin_call(RedisCall *call, const RedisStore *redis, const char *command)
{
    *call = (RedisCall){0};
    add_string(call, "EVALSHA");
    add_string(call, redis->sha);
    add_string(call, "0");
    add_string(call, command);
    add_string(call, redis->joined);
}

static void end_call(RedisCall *call)
{
    for (uint32_t i = 0; i < call->owned.count; i++)
        free(call->owned.items[i]);
    VEC_FREE(&call->owned);
    VEC_FREE(&call->parts);
    VEC_FREE(&call->sizes);
}

/* ---- What the server says -------------------------------------------------------------- */

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* Errors that pass by themselves: the server is starting, or busy. */
static bool is_passing(const char *text)
{
    return begins(text, "LOADING") || begins(text, "BUSY ") || begins(text, "TRYAGAIN") || begins(text, "MASTERDOWN");
}

static StoreAnswer explain(const RedisStore *redis, const char *text, Error *error)
{
    const char *host = redis->address.host;
    int port = redis->address.port;
    if (begins(text, "NOAUTH") || strstr(text, "without any password") || begins(text, "WRONGPASS") ||
        strstr(text, "invalid password"))
        error_set(error, EXIT_USAGE, "the store at %s:%d wants %s password: redis://:PASSWORD@%s:%d", host, port,
                  *redis->address.password ? "another" : "a", host, port);
    else if (begins(text, "READONLY"))
        error_set(error, EXIT_USAGE, "the store at %s:%d is read-only (a replica): use the primary server", host, port);
    else if (begins(text, "OOM"))
        error_set(error, EXIT_INTERNAL,
                  "the store at %s:%d is full: raise its maxmemory; the search goes on from there", host, port);
    else if (begins(text, "MISCONF"))
        error_set(error, EXIT_INTERNAL, "the store at %s:%d cannot write to its disk: %s", host, port, text);
    else
        error_set(error, EXIT_INTERNAL, "the store at %s:%d: %s", host, port, text);
    return STORE_FAILED;
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static bool is_interrupted(const RedisStore *redis) { return redis->interrupted && *redis->interrupted; }

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Until the server begins to answer. Who is asked to end does not wait for one that is silent. */
static bool await_answer(const RedisStore *redis)
{
    struct pollfd watched = {.fd = redis->context->fd, .events = POLLIN};
    double start = now(), hurry = 1e300;
    for (;;) {
        if (is_interrupted(redis) && hurry > 1e299)
            hurry = now() + HURRY;
        double left = (hurry < start + TIMEOUT ? hurry : start + TIMEOUT) - now();
        if (left <= 0)
            return false;
        if (poll(&watched, 1, (int)(left * 1000) + 1) > 0)
            return true;
    }
}

static void wait_for(double seconds)
{
    struct timespec pause = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&pause, NULL); /* a signal ends it */
}

/* Workers that lost the same server must not come back all at once. */
static double jitter(void) { return 0.5 + fmod(now() * 1e6, 1000) / 1000; }

/* ---- Connections --------------------------------------------------------------------------- */

static redisReply *simple(RedisStore *redis, const char *format, const char *argument, Error *error)
{
    redisReply *reply =
        argument ? redisCommand(redis->context, format, argument) : redisCommand(redis->context, format);
    if (!reply) {
        error_set(error, EXIT_INTERNAL, "the store at %s:%d: %s", redis->address.host, redis->address.port,
                  redis->context->errstr);
    } else if (reply->type == REDIS_REPLY_ERROR) {
        explain(redis, reply->str, error);
        freeReplyObject(reply);
        return NULL;
    }
    return reply;
}

static bool ask(RedisStore *redis, const char *format, const char *argument, Error *error)
{
    redisReply *reply = simple(redis, format, argument, error);
    freeReplyObject(reply);
    return reply != NULL;
}

static bool info_has(const char *info, const char *line) { return strstr(info, line) != NULL; }

/* Can a search be entrusted to this server? */
static bool examine(RedisStore *redis, Error *error)
{
    redisReply *reply = simple(redis, "INFO", NULL, error);
    if (!reply)
        return false;
    const char *info = reply->str, *memory = strstr(info, "\nmaxmemory:"), *version = strstr(info, "redis_version:");
    bool limited = memory && atoll(memory + 11) > 0, good = true;
    redis->has_log = info_has(info, "aof_enabled:1");
    if (version && atoi(version + 14) < 5)
        good = error_set(error, EXIT_USAGE, "the store at %s:%d is Redis %.10s: version 5 or later is needed",
                         redis->address.host, redis->address.port, version + 14);
    else if (limited && !info_has(info, "maxmemory_policy:noeviction"))
        good = error_set(error, EXIT_USAGE,
                         "the store at %s:%d throws data away when it is full: set maxmemory-policy noeviction",
                         redis->address.host, redis->address.port);
    else if (info_has(info, "\nrole:slave"))
        good = error_set(error, EXIT_USAGE, "the store at %s:%d is a replica: use the primary server",
                         redis->address.host, redis->address.port);
    freeReplyObject(reply);
    return good;
}

static bool load_script(RedisStore *redis, Error *error)
{
    Text script = {0};
    text_add_bytes(&script, sennit_store_lua_begin, (size_t)(sennit_store_lua_end - sennit_store_lua_begin));
    redisReply *reply = simple(redis, "SCRIPT LOAD %s", script.data, error);
    text_release(&script);
    if (!reply)
        return false;
    snprintf(redis->sha, sizeof redis->sha, "%s", reply->str);
    freeReplyObject(reply);
    return true;
}

/* A server whose log was cut off in the middle of a call goes on writing behind that half of a
 * call, and takes it for whole at its next start. A new log has no such place. */
static void renew_log(RedisStore *redis)
{
    if (redis->has_log)
        freeReplyObject(redisCommand(redis->context, "BGREWRITEAOF"));
}

/* DIST-6: queue and leases must fit the tree, whatever the server went through. */
static bool check(RedisStore *redis, Error *error)
{
    redisReply *reply = simple(redis, "EVALSHA %s 0 check -", redis->sha, error);
    if (!reply)
        return false;
    bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements >= 2 && strcmp(reply->element[0]->str, "done") == 0;
    if (!good)
        error_set(error, EXIT_INTERNAL,
                  "the store at %s:%d is damaged: %s jobs are open, %s are known. No verdict can be given; start the "
                  "search anew",
                  redis->address.host, redis->address.port, reply->elements > 1 ? reply->element[1]->str : "?",
                  reply->elements > 2 ? reply->element[2]->str : "?");
    if (good && strcmp(reply->element[1]->str, "1") == 0)
        renew_log(redis);
    freeReplyObject(reply);
    return good;
}

static void drop_connection(RedisStore *redis)
{
    if (redis->context)
        redisFree(redis->context);
    redis->context = NULL;
}

/* *passing: trying again may help. */
static bool connect_once(RedisStore *redis, bool *passing, Error *error)
{
    struct timeval limit = {.tv_sec = (time_t)(is_interrupted(redis) ? HURRY : TIMEOUT)};
    char database[16];
    *passing = true;
    drop_connection(redis);
    redis->context = redisConnectWithTimeout(redis->address.host, redis->address.port, limit);
    if (!redis->context || redis->context->err)
        return error_set(error, EXIT_INTERNAL, "no store at %s:%d: %s", redis->address.host, redis->address.port,
                         redis->context ? redis->context->errstr : "no memory");
    redisSetTimeout(redis->context, limit);
    redisEnableKeepAlive(redis->context);
    snprintf(database, sizeof database, "%d", redis->address.database);
    Error inner = {0};
    bool good = (!*redis->address.password || ask(redis, "AUTH %s", redis->address.password, &inner)) &&
                ask(redis, "SELECT %s", database, &inner) && examine(redis, &inner) && load_script(redis, &inner) &&
                check(redis, &inner);
    if (!good) {
        *passing = redis->context->err != 0 || strstr(inner.text, "LOADING") != NULL;
        *error = inner;
    }
    return good;
}

static bool reconnect(RedisStore *redis, Error *error)
{
    bool passing = true;
    double pause = 0.05, waited = 0, patience = redis->greeted ? PATIENCE : 0;
    while (!connect_once(redis, &passing, error)) {
        if (!passing || waited >= patience || is_interrupted(redis)) {
            drop_connection(redis); /* nothing must go through one that was not found good */
            return false;
        }
        double next = pause * jitter();
        wait_for(next);
        waited += next;
        pause = pause < 5 ? pause * 1.7 : 5;
    }
    redis->greeted = true;
    return true;
}

/* ---- Calls ------------------------------------------------------------------------------------ */

/* The answer, owned; NULL if the connection is broken. */
static redisReply *exchange(RedisStore *redis, const RedisCall *call)
{
    void *reply = NULL;
    int sent = 0;
    redisAppendCommandArgv(redis->context, (int)call->parts.count, call->parts.items, call->sizes.items);
    while (!sent)
        if (redisBufferWrite(redis->context, &sent) != REDIS_OK)
            return NULL;
    return await_answer(redis) && redisGetReply(redis->context, &reply) == REDIS_OK ? reply : NULL;
}

/* The answer, owned; NULL with `error` set. */
static redisReply *perform(RedisStore *redis, RedisCall *call, Error *error)
{
    for (;;) {
        if (!redis->context && !reconnect(redis, error))
            return NULL;
        redisReply *reply = exchange(redis, call);
        if (reply && reply->type != REDIS_REPLY_ERROR)
            return reply;
        bool again = !reply || is_passing(reply->str) || begins(reply->str, "NOSCRIPT");
        if (!again)
            explain(redis, reply->str, error);
        freeReplyObject(reply);
        if (!again)
            return NULL;
        drop_connection(redis); /* and check it when it is back */
    }
}

static const char *string_at(const redisReply *reply, size_t index)
{
    const redisReply *element =
        reply->type == REDIS_REPLY_ARRAY && index < reply->elements ? reply->element[index] : NULL;
    return element && (element->type == REDIS_REPLY_STRING || element->type == REDIS_REPLY_STATUS) ? element->str : "";
}

static long long number_at(const redisReply *reply, size_t index)
{
    const redisReply *element =
        reply->type == REDIS_REPLY_ARRAY && index < reply->elements ? reply->element[index] : NULL;
    return !element                               ? 0
           : element->type == REDIS_REPLY_INTEGER ? element->integer
           : element->str                         ? atoll(element->str)
                                                  : 0;
}

static StoreAnswer answer_of(const redisReply *reply, Error *error)
{
    const char *word = reply->type == REDIS_REPLY_ARRAY ? string_at(reply, 0) : reply->str ? reply->str : "";
    if (strcmp(word, "done") == 0)
        return STORE_DONE;
    if (strcmp(word, "stale") == 0)
        return STORE_STALE;
    if (strcmp(word, "refused") == 0 || strcmp(word, "gone") == 0)
        return STORE_REFUSED;
    error_set(error, EXIT_INTERNAL, "the store gave an answer that is not understood: %.60s", word);
    return STORE_FAILED;
}

static void read_state(const redisReply *reply, size_t index, StoreState *state)
{
    const redisReply *list = reply->type == REDIS_REPLY_ARRAY && index < reply->elements ? reply->element[index] : NULL;
    *state = (StoreState){.open = -1};
    if (!list || list->type != REDIS_REPLY_ARRAY)
        return;
    state->open = number_at(list, 0);
    state->queued = (uint32_t)number_at(list, 1);
    state->workers = (uint32_t)number_at(list, 2);
    state->idle = (uint32_t)number_at(list, 3);
    snprintf(state->stop, sizeof state->stop, "%s", string_at(list, 4));
    state->stopped = *state->stop != '\0';
    state->epoch = strtoull(string_at(list, 5), NULL, 16);
    state->grant = *string_at(list, 6) ? strtoull(string_at(list, 6), NULL, 10) : STORE_NO_LIMIT;
}

static void read_jobs(const redisReply *reply, size_t first, StoreJobs *jobs)
{
    for (size_t i = first; i + 1 < reply->elements; i += 2) {
        StoreJob job = {.token = strtoull(string_at(reply, i + 1), NULL, 10)};
        unsigned long long domain;
        if (sscanf(string_at(reply, i), "%llu.%u", &domain, &job.entry) == 2) {
            job.domain = domain;
            VEC_PUSH(jobs, job);
        }
    }
}

/* Performs the call, whose answer has a word and how the search stands. */
static StoreAnswer conclude(RedisStore *redis, RedisCall *call, StoreJobs *kept, StoreState *state, Error *error)
{
    redisReply *reply = perform(redis, call, error);
    end_call(call);
    if (!reply)
        return STORE_FAILED;
    StoreAnswer answer = answer_of(reply, error);
    read_state(reply, 1, state);
    if (answer == STORE_DONE && kept)
        read_jobs(reply, 2, kept);
    freeReplyObject(reply);
    return answer;
}

static void redis_close(Store *store)
{
    RedisStore *redis = (RedisStore *)store;
    drop_connection(redis);
    free(redis);
}

static StoreAnswer redis_init(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count,
                              bool *attached, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "init");
    add_string(&call, identity);
    for (uint32_t i = 0; i < count; i++) {
        add_text(&call, &keys[i]);
        add_text(&call, &values[i]);
    }
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    StoreAnswer answer = reply ? STORE_DONE : STORE_FAILED;
    *attached = reply && reply->str && strcmp(reply->str, "attached") == 0;
    if (reply && reply->str && strcmp(reply->str, "other") == 0) {
        error_set(error, EXIT_USAGE,
                  "there is another search in database %d of the store, and it is not over (sennit status shows it): "
                  "use another "
                  "database, or end it with sennit status --forget",
                  redis->address.database);
        answer = STORE_REFUSED;
    }
    freeReplyObject(reply);
    return answer;
}

static StoreAnswer redis_describe(Store *store, const char *key, Text *value, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call = {0};
    add_string(&call, "HGET");
    add_string(&call, "sennit:meta");
    add_string(&call, key);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
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
    add_string(&call, redis->worker);
    add_format(&call, "%u", want);
    add_format(&call, "%.0f", seconds * 1000);
    add_format(&call, "%u", jobs->count);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    if (!reply)
        return STORE_FAILED;
    read_state(reply, 0, state);
    if (*redis->search)
        snprintf(redis->joined, sizeof redis->joined, "%s:%016llx", redis->search, (unsigned long long)state->epoch);
    read_jobs(reply, 1, jobs);
    freeReplyObject(reply);
    return STORE_DONE;
}

static StoreAnswer redis_fetch(Store *store, uint64_t domain, uint32_t known, uint64_t *parent, uint32_t *entry,
                               Text *entries, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "fetch");
    add_format(&call, "%llu", (unsigned long long)domain);
    add_format(&call, "%u", known);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    if (!reply)
        return STORE_FAILED;
    StoreAnswer answer = answer_of(reply, error);
    if (answer == STORE_DONE) {
        unsigned long long above = 0;
        *entry = 0;
        sscanf(string_at(reply, 1), "%llu.%u", &above, entry);
        *parent = above;
        text_add_bytes(entries, reply->element[2]->str, reply->element[2]->len);
    }
    freeReplyObject(reply);
    return answer;
}

/* "3=0.25,7=0.125," */
static void add_open(RedisCall *call, const char *entries, uint32_t first, uint32_t *count)
{
    StoreEntries open = {0};
    Text list = {0};
    *count = store_scan_entries(entries, first, &open);
    for (uint32_t i = 0; i < open.count; i++)
        text_add(&list, "%u=%.9g,", open.items[i].entry, open.items[i].share);
    add_format(call, "%s", text_borrow(&list));
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
    add_format(&call, "%llu", (unsigned long long)domain);
    add_format(&call, "%u", known);
    add_format(&call, "%u", store_scan_entries(entries, 0, NULL));
    add_open(&call, entries, known + 1, &count);
    add_string(&call, entries);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    if (!reply)
        return STORE_FAILED;
    StoreAnswer answer = answer_of(reply, error);
    if (answer == STORE_STALE)
        text_add_bytes(news, reply->element[1]->str, reply->element[1]->len);
    freeReplyObject(reply);
    return answer;
}

static void add_job(RedisCall *call, const StoreJob *job)
{
    add_format(call, "%llu.%u", (unsigned long long)job->domain, job->entry);
    add_format(call, "%llu", (unsigned long long)job->token);
}

static void add_return(RedisCall *call, const StoreReturn *back)
{
    static const char *const names[] = {[STORE_OVER] = "over", [STORE_SPLIT] = "split", [STORE_RELEASED] = "released"};
    bool root = back->job.domain == 0 && back->job.entry == 0;
    add_job(call, &back->job);
    add_string(call, names[back->fate]);
    add_format(call, "%llu", root ? 0ull : (unsigned long long)back->job.token);
    uint32_t count = store_scan_entries(text_borrow(&back->entries), 1, NULL);
    add_format(call, "%u", count);
    add_open(call, text_borrow(&back->entries), 1, &count);
    add_text(call, &back->entries);
    add_format(call, "%u", back->keep);
}

static StoreAnswer redis_commit(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state,
                                Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    Text stats = {0};
    begin_call(&call, redis, "commit");
    add_string(&call, redis->worker);
    add_string(&call, commit->stop ? commit->stop : "");
    add_format(&call, "%.6f", commit->cpu_seconds);
    add_format(&call, "%.0f", commit->lease * 1000);
    add_format(&call, "%u", commit->returns.count);
    for (uint32_t i = 0; i < commit->returns.count; i++)
        add_return(&call, &commit->returns.items[i]);
    stats_write(&commit->stats, &stats);
    add_text(&call, &stats);
    add_format(&call, "%u", commit->bugs.count);
    for (uint32_t i = 0; i < commit->bugs.count; i++) {
        add_format(&call, "%016llx", (unsigned long long)commit->bugs.items[i].identity);
        add_text(&call, &commit->bugs.items[i].text);
    }
    add_text(&call, &commit->reached);
    add_format(&call, "%llu", (unsigned long long)commit->enough);
    add_text(&call, &commit->record);
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
    add_string(&call, redis->worker);
    add_format(&call, "%.0f", seconds * 1000);
    add_string(&call, note);
    for (uint32_t i = 0; i < jobs->count; i++)
        add_job(&call, &jobs->items[i]);
    return conclude(redis, &call, NULL, state, error);
}

/* The next records; false at the end of them, or if *answer is not DONE. */
static bool add_records(RedisStore *redis, uint32_t *known, Text *records, StoreAnswer *answer, Error *error)
{
    RedisCall call;
    begin_call(&call, redis, "records");
    add_format(&call, "%u", *known);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    *answer = reply ? answer_of(reply, error) : STORE_FAILED;
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
    add_string(&call, why);
    add_string(&call, note);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    StoreAnswer answer = reply ? answer_of(reply, error) : STORE_FAILED;
    freeReplyObject(reply);
    return answer;
}

static void read_bugs(const redisReply *list, StoreBugs *bugs)
{
    for (size_t i = 0; list->type == REDIS_REPLY_ARRAY && i + 1 < list->elements; i += 2) {
        StoreBug bug = {.identity = strtoull(list->element[i]->str, NULL, 16)};
        text_add_bytes(&bug.text, list->element[i + 1]->str, list->element[i + 1]->len);
        VEC_PUSH(bugs, bug);
    }
}

static void read_estimate(const redisReply *reply, size_t first, StoreReport *report)
{
    double values[5];
    for (size_t i = 0; i < 5; i++)
        values[i] = strtod(string_at(reply, first + i), NULL);
    Estimator estimator = {.executions = values[0],
                           .estimate = values[1],
                           .drift = values[2],
                           .variation = values[3],
                           .doublings = values[4]};
    report->estimate = estimator_read(&estimator, report->stats.executions, report->progress);
}

static StoreAnswer redis_report(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error)
{
    RedisStore *redis = (RedisStore *)store;
    RedisCall call;
    begin_call(&call, redis, "report");
    add_string(&call, stats_names);
    redisReply *reply = perform(redis, &call, error);
    end_call(&call);
    if (!reply)
        return STORE_FAILED;
    *report = (StoreReport){0};
    StoreAnswer answer = answer_of(reply, error);
    if (answer == STORE_DONE && reply->elements >= 13) {
        read_state(reply, 1, &report->state);
        stats_read(&report->stats, string_at(reply, 2), strlen(string_at(reply, 2)));
        report->cpu_seconds = strtod(string_at(reply, 3), NULL);
        report->seconds = strtod(string_at(reply, 4), NULL);
        report->progress = strtod(string_at(reply, 5), NULL);
        report->commits = (uint64_t)number_at(reply, 6);
        report->extensions = (uint64_t)number_at(reply, 7);
        report->refused = (uint64_t)number_at(reply, 8);
        report->bytes = (uint64_t)number_at(reply, 9);
        report->bugs = (uint32_t)number_at(reply, 10);
        read_estimate(reply, 13, report);
        if (workers)
            text_add_string(workers, string_at(reply, 11));
        if (bugs)
            read_bugs(reply->element[12], bugs);
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
    redis->interrupted = interrupted;
    snprintf(redis->worker, sizeof redis->worker, "%s", worker);
    if (address_parse(&redis->address, url, error) && reconnect(redis, error))
        return &redis->store;
    redis_close(&redis->store);
    return NULL;
}
