/* redis_reply.c - see redis_reply.h */
#include "dist/redis/redis_reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *reply_string(const redisReply *reply, size_t index)
{
    const redisReply *element =
        reply->type == REDIS_REPLY_ARRAY && index < reply->elements ? reply->element[index] : NULL;
    return element && (element->type == REDIS_REPLY_STRING || element->type == REDIS_REPLY_STATUS) ? element->str : "";
}

long long reply_number(const redisReply *reply, size_t index)
{
    const redisReply *element =
        reply->type == REDIS_REPLY_ARRAY && index < reply->elements ? reply->element[index] : NULL;
    return !element                               ? 0
           : element->type == REDIS_REPLY_INTEGER ? element->integer
           : element->str                         ? atoll(element->str)
                                                  : 0;
}

StoreAnswer reply_answer(const redisReply *reply, Error *error)
{
    const char *word = reply->type == REDIS_REPLY_ARRAY ? reply_string(reply, 0) : reply->str ? reply->str : "";
    if (strcmp(word, "done") == 0)
        return STORE_DONE;
    if (strcmp(word, "stale") == 0)
        return STORE_STALE;
    if (strcmp(word, "refused") == 0 || strcmp(word, "gone") == 0)
        return STORE_REFUSED;
    error_set(error, EXIT_INTERNAL, "unknown answer of the store: %.60s", word);
    return STORE_FAILED;
}

void reply_state(const redisReply *reply, size_t index, StoreState *state)
{
    const redisReply *list = reply->type == REDIS_REPLY_ARRAY && index < reply->elements ? reply->element[index] : NULL;
    *state = (StoreState){.open = -1};
    if (!list || list->type != REDIS_REPLY_ARRAY)
        return;
    state->open = reply_number(list, 0);
    state->queued = (uint32_t)reply_number(list, 1);
    state->workers = (uint32_t)reply_number(list, 2);
    state->idle = (uint32_t)reply_number(list, 3);
    snprintf(state->stop, sizeof state->stop, "%s", reply_string(list, 4));
    state->stopped = *state->stop != '\0';
    state->epoch = strtoull(reply_string(list, 5), NULL, 16);
    state->grant = *reply_string(list, 6) ? strtoull(reply_string(list, 6), NULL, 10) : STORE_NO_LIMIT;
}

void reply_jobs(const redisReply *reply, size_t first, StoreJobs *jobs)
{
    for (size_t i = first; i + 1 < reply->elements; i += 2) {
        StoreJob job = {.token = strtoull(reply_string(reply, i + 1), NULL, 10)};
        unsigned long long domain;
        if (sscanf(reply_string(reply, i), "%llu.%u", &domain, &job.entry) == 2) {
            job.domain = domain;
            VEC_PUSH(jobs, job);
        }
    }
}

void reply_bugs(const redisReply *list, StoreBugs *bugs)
{
    for (size_t i = 0; list->type == REDIS_REPLY_ARRAY && i + 1 < list->elements; i += 2) {
        StoreBug bug = {.identity = strtoull(list->element[i]->str, NULL, 16)};
        text_add_bytes(&bug.text, list->element[i + 1]->str, list->element[i + 1]->len);
        VEC_PUSH(bugs, bug);
    }
}
