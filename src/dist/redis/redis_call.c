/* redis_call.c - see redis_call.h */
#include "dist/redis/redis_call.h"

#include <string.h>

void rediscall_release(RedisCall *call)
{
    for (uint32_t i = 0; i < call->owned.count; i++)
        free(call->owned.items[i]);
    VEC_FREE(&call->owned);
    VEC_FREE(&call->parts);
    VEC_FREE(&call->sizes);
}

static void add_bytes(RedisCall *call, const char *bytes, size_t size)
{
    VEC_PUSH(&call->parts, bytes);
    VEC_PUSH(&call->sizes, size);
}

void rediscall_add_string(RedisCall *call, const char *string)
{
    add_bytes(call, string, strlen(string));
}

void rediscall_add_text(RedisCall *call, const Text *text)
{
    add_bytes(call, text_borrow(text), text->length);
}

void rediscall_add_format(RedisCall *call, const char *format, ...)
{
    Text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    char *string = mem_copy_string(text_borrow(&text));
    text_release(&text);
    VEC_PUSH(&call->owned, string);
    rediscall_add_string(call, string);
}
