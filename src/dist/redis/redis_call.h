/* redis_call.h - the arguments of one call of the server */
#ifndef DIST_REDIS_REDIS_CALL_H
#define DIST_REDIS_REDIS_CALL_H

#include "base/text.h"
#include "base/vec.h"

/* A command and its arguments. Start with {0}. */
typedef struct RedisCall {
    VEC(const char *) parts;
    VEC(size_t) sizes;
    VEC(char *) owned;
} RedisCall;

void rediscall_release(RedisCall *call);

/* Arguments are borrowed until the call is released, except the formatted one. */
void rediscall_add_string(RedisCall *call, const char *string);
void rediscall_add_text(RedisCall *call, const Text *text);
void rediscall_add_format(RedisCall *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
