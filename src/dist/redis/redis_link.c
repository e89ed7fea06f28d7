/* redis_link.c - see redis_link.h */
#include "dist/redis/redis_link.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char sennit_store_lua_begin[], sennit_store_lua_end[];

static const double PATIENCE = 120; /* seconds without a connection before giving up     */
static const double TIMEOUT = 5;    /* seconds for one answer                            */
static const double HURRY = 1;      /* the same once the process is asked to end         */
static const double LONGEST_PAUSE = 5;
static const double REWRITE = 60;   /* seconds for a new log                             */

/* ---- Errors of the server -------------------------------------------------------------- */

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* Errors that pass by themselves: the server is starting, or busy. */
static bool is_temporary(const char *text)
{
    return begins(text, "LOADING") || begins(text, "BUSY ") || begins(text, "TRYAGAIN") || begins(text, "MASTERDOWN");
}

/* The server rejects what changes data, until memory or disk space is freed. Older servers put the place in the
 * script first. */
static bool is_full(const char *text) { return strstr(text, "OOM command not allowed") || strstr(text, "MISCONF"); }

void redislink_explain(const RedisLink *link, const char *text, Error *error)
{
    const char *host = link->address.host, *user = link->address.user;
    int port = link->address.port;
    if (*user && begins(text, "WRONGPASS"))
        error_set(error, EXIT_USAGE,
                  "the store at %s:%d does not know the user %s with this password, or the user is disabled", host,
                  port, user);
    else if (*user && strstr(text, "wrong number of arguments for 'auth'"))
        error_set(error, EXIT_USAGE, "the store at %s:%d knows no users (Redis 5): redis://:PASSWORD@%s:%d", host, port,
                  host, port);
    else if (strstr(text, "NOPERM") || strstr(text, "ACL failure"))
        error_set(error, EXIT_USAGE,
                  "the user %s of the store at %s:%d lacks permissions (docs/many-machines.md lists them): %s",
                  *user ? user : "default", host, port, text);
    else if (begins(text, "NOAUTH") || strstr(text, "without any password") || begins(text, "WRONGPASS") ||
        strstr(text, "invalid password"))
        error_set(error, EXIT_USAGE, "the store at %s:%d requires %s password: redis://:PASSWORD@%s:%d", host, port,
                  *link->address.password ? "another" : "a", host, port);
    else if (begins(text, "READONLY"))
        error_set(error, EXIT_USAGE, "the store at %s:%d is read-only (a replica): use the primary server", host, port);
    else if (strstr(text, "OOM command not allowed"))
        error_set(error, EXIT_INTERNAL,
                  "the store at %s:%d is full: raise its maxmemory, or delete other data there", host, port);
    else if (strstr(text, "MISCONF"))
        error_set(error, EXIT_INTERNAL, "the store at %s:%d cannot write to its disk: %s", host, port,
                  strstr(text, "MISCONF"));
    else
        error_set(error, EXIT_INTERNAL, "the store at %s:%d: %s", host, port, text);
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static bool is_interrupted(const RedisLink *link) { return link->interrupted && *link->interrupted; }

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Waits until the server begins to answer; a process that is asked to end does not wait for long. */
static bool await_answer(const RedisLink *link)
{
    struct pollfd watched = {.fd = link->context->fd, .events = POLLIN};
    double start = now(), hurry = 1e300;
    for (;;) {
        if (is_interrupted(link) && hurry > 1e299)
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

/* Workers that lost the same server must not all come back at once. */
static double jitter(void) { return 0.5 + fmod(now() * 1e6, 1000) / 1000; }

/* ---- Connections --------------------------------------------------------------------------- */

/* The reply if it is not an error; others are released. */
static redisReply *checked(RedisLink *link, redisReply *reply, Error *error)
{
    if (!reply) {
        error_set(error, EXIT_INTERNAL, "the store at %s:%d: %s", link->address.host, link->address.port,
                  link->context->errstr);
    } else if (reply->type == REDIS_REPLY_ERROR) {
        redislink_explain(link, reply->str, error);
        freeReplyObject(reply);
        return NULL;
    }
    return reply;
}

static redisReply *command(RedisLink *link, const char *format, const char *argument, Error *error)
{
    return checked(
        link, argument ? redisCommand(link->context, format, argument) : redisCommand(link->context, format), error);
}

static bool succeeds(RedisLink *link, redisReply *reply, Error *error)
{
    reply = checked(link, reply, error);
    freeReplyObject(reply);
    return reply != NULL;
}

static bool log_in(RedisLink *link, Error *error)
{
    const Address *address = &link->address;
    RedisCall call = {0};
    if (!*address->password)
        return true;
    rediscall_add_string(&call, "AUTH");
    if (*address->user)
        rediscall_add_string(&call, address->user);
    rediscall_add_string(&call, address->password);
    redisReply *reply = redisCommandArgv(link->context, (int)call.parts.count, call.parts.items, call.sizes.items);
    rediscall_release(&call);
    return succeeds(link, reply, error);
}

static bool select_database(RedisLink *link, Error *error)
{
    return succeeds(link, redisCommand(link->context, "SELECT %d", link->address.database), error);
}

static bool info_has(const char *info, const char *line) { return strstr(info, line) != NULL; }

/* Whether a search can be kept by this server. */
static bool examine(RedisLink *link, Error *error)
{
    redisReply *reply = command(link, "INFO", NULL, error);
    if (!reply)
        return false;
    const char *info = reply->str, *memory = strstr(info, "\nmaxmemory:"), *version = strstr(info, "redis_version:");
    bool limited = memory && atoll(memory + 11) > 0, good = true;
    link->has_log = info_has(info, "aof_enabled:1");
    if (version && atoi(version + 14) < 5)
        good = error_set(error, EXIT_USAGE, "the store at %s:%d is Redis %.10s: version 5 or later is required",
                         link->address.host, link->address.port, version + 14);
    else if (limited && !info_has(info, "maxmemory_policy:noeviction"))
        good = error_set(error, EXIT_USAGE,
                         "the store at %s:%d discards data when it is full: set maxmemory-policy noeviction",
                         link->address.host, link->address.port);
    else if (info_has(info, "\nrole:slave"))
        good = error_set(error, EXIT_USAGE, "the store at %s:%d is a replica: use the primary server",
                         link->address.host, link->address.port);
    freeReplyObject(reply);
    return good;
}

static bool load_script(RedisLink *link, Error *error)
{
    Text script = {0};
    text_add_bytes(&script, sennit_store_lua_begin, (size_t)(sennit_store_lua_end - sennit_store_lua_begin));
    redisReply *reply = command(link, "SCRIPT LOAD %s", script.data, error);
    text_release(&script);
    if (!reply)
        return false;
    snprintf(link->script, sizeof link->script, "%s", reply->str);
    freeReplyObject(reply);
    return true;
}

static bool is_rewriting(RedisLink *link)
{
    redisReply *reply = command(link, "INFO persistence", NULL, NULL);
    bool busy = reply && reply->type == REDIS_REPLY_STRING && (info_has(reply->str, "aof_rewrite_in_progress:1") ||
                                                               info_has(reply->str, "aof_rewrite_scheduled:1"));
    freeReplyObject(reply);
    return busy;
}

/* A server whose log was truncated in the middle of a call continues to write behind the partial call, and reads both
 * as one at its next start. A new log has no such place; nothing must be written before it is complete. */
static void renew_log(RedisLink *link)
{
    if (!link->has_log)
        return;
    double start = now();
    freeReplyObject(redisCommand(link->context, "BGREWRITEAOF"));
    while (is_rewriting(link) && !is_interrupted(link) && now() - start < REWRITE)
        wait_for(0.01);
}

/* DIST-6: queue and leases must agree with the tree, whatever happened to the server. */
static bool check(RedisLink *link, Error *error)
{
    redisReply *reply = command(link, "EVALSHA %s 0 check -", link->script, error);
    if (!reply)
        return false;
    bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements >= 2 && strcmp(reply->element[0]->str, "done") == 0;
    if (!good)
        error_set(error, EXIT_INTERNAL,
                  "the store at %s:%d is damaged: %s jobs are open, %s are known. There can be no verdict; start the "
                  "search again",
                  link->address.host, link->address.port, reply->elements > 1 ? reply->element[1]->str : "?",
                  reply->elements > 2 ? reply->element[2]->str : "?");
    if (good && strcmp(reply->element[1]->str, "1") == 0)
        renew_log(link);
    freeReplyObject(reply);
    return good;
}

static void drop_connection(RedisLink *link)
{
    if (link->context)
        redisFree(link->context);
    link->context = NULL;
}

/* *temporary: another attempt may succeed. */
static bool connect_once(RedisLink *link, bool *temporary, Error *error)
{
    struct timeval limit = {.tv_sec = (time_t)(is_interrupted(link) ? HURRY : TIMEOUT)};
    *temporary = true;
    drop_connection(link);
    link->context = redisConnectWithTimeout(link->address.host, link->address.port, limit);
    if (!link->context || link->context->err)
        return error_set(error, EXIT_INTERNAL, "no store at %s:%d: %s", link->address.host, link->address.port,
                         link->context ? link->context->errstr : "no memory");
    redisSetTimeout(link->context, limit);
    redisEnableKeepAlive(link->context);
    Error inner = {0};
    bool good = log_in(link, &inner) && select_database(link, &inner) && examine(link, &inner) &&
                load_script(link, &inner) && check(link, &inner);
    if (!good) {
        *temporary = link->context->err != 0 || strstr(inner.text, "LOADING") != NULL;
        *error = inner;
    }
    return good;
}

static bool reconnect(RedisLink *link, Error *error)
{
    bool temporary = true;
    double pause = 0.05, waited = 0, patience = link->greeted ? PATIENCE : 0;
    while (!connect_once(link, &temporary, error)) {
        if (!temporary || waited >= patience || is_interrupted(link)) {
            drop_connection(link); /* it was not found good, so it must not be used */
            return false;
        }
        double next = pause * jitter();
        wait_for(next);
        waited += next;
        pause = pause < LONGEST_PAUSE ? pause * 1.7 : LONGEST_PAUSE;
    }
    link->greeted = true;
    return true;
}

/* ---- Calls ------------------------------------------------------------------------------------ */

/* The reply, owned by the caller; NULL if the connection is broken. */
static redisReply *exchange(RedisLink *link, const RedisCall *call)
{
    void *reply = NULL;
    int sent = 0;
    redisAppendCommandArgv(link->context, (int)call->parts.count, call->parts.items, call->sizes.items);
    while (!sent)
        if (redisBufferWrite(link->context, &sent) != REDIS_OK)
            return NULL;
    return await_answer(link) && redisGetReply(link->context, &reply) == REDIS_OK ? reply : NULL;
}

/* Waits before the call is repeated; false if the server has been full for too long. Only a call that succeeds ends
 * that time, so what a failing process still sends does not wait again. */
static bool await_room(RedisLink *link, const char *text, double pause, Error *error)
{
    Error reason;
    redislink_explain(link, text, &reason);
    if (link->full_since <= 0) {
        link->full_since = now();
        fprintf(stderr, "sennit: %s; trying again for %.0f s\n", reason.text, STORE_FULL_PATIENCE);
    }
    if (now() - link->full_since >= STORE_FULL_PATIENCE)
        return error_set(error, EXIT_INTERNAL, STORE_FULL_FORM, reason.text);
    if (is_interrupted(link)) {
        *error = reason;
        return false;
    }
    wait_for(pause * jitter());
    return true;
}

redisReply *redislink_perform(RedisLink *link, const RedisCall *call, Error *error)
{
    double pause = 0.1;
    for (;;) {
        if (!link->context && !reconnect(link, error))
            return NULL;
        redisReply *reply = exchange(link, call);
        if (reply && reply->type != REDIS_REPLY_ERROR) {
            link->full_since = 0;
            return reply;
        }
        if (reply && is_full(reply->str)) {
            bool wait = await_room(link, reply->str, pause, error);
            freeReplyObject(reply);
            if (!wait)
                return NULL;
            pause = pause < 1 ? pause * 1.7 : 1;
            continue;
        }
        bool again = !reply || is_temporary(reply->str) || begins(reply->str, "NOSCRIPT");
        if (!again)
            redislink_explain(link, reply->str, error);
        freeReplyObject(reply);
        if (!again)
            return NULL;
        drop_connection(link); /* the next one is checked */
    }
}

/* ---- Lifecycle ------------------------------------------------------------------------- */

bool redislink_open(RedisLink *link, const char *url, const volatile int *interrupted, Error *error)
{
    *link = (RedisLink){.interrupted = interrupted};
    return address_parse(&link->address, url, error) && reconnect(link, error);
}

void redislink_close(RedisLink *link)
{
    drop_connection(link);
}
