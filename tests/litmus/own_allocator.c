/* A program with an allocator of its own, by definition or by alias: its code and library functions that allocate use
 * it, the runtime and the C library do not. The two threads meet in its lock.
 *
 * litmus: -> executions 2
 * litmus: -DALIAS -> executions 2
 * litmus: -DWEAK -> executions 2
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char pool[4096];
static size_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take(size_t size)
{
    pthread_mutex_lock(&lock);
    void *block = pool + used;
    used += (size + 15) & ~(size_t)15;
    pthread_mutex_unlock(&lock);
    return block;
}

static void give(void *block) { assert(!block || ((char *)block >= pool && (char *)block < pool + sizeof pool)); }

#if defined ALIAS
void *malloc(size_t size) __attribute__((alias("take")));
void free(void *block) __attribute__((alias("give")));
#elif defined WEAK
__attribute__((weak)) void *malloc(size_t size) { return take(size); }
__attribute__((weak)) void free(void *block) { give(block); }
#else
void *malloc(size_t size) { return take(size); }
void free(void *block) { give(block); }
#endif

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

static void *copy(void *unused)
{
    char *text = strdup("abc");
    assert(strlen(text) == 3);
    free(text);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char *text;
    pthread_create(&thread, NULL, copy, NULL);
    assert(asprintf(&text, "%d", 42) == 2 && text[1] == '2');
    free(text);
    pthread_join(thread, NULL);
    printf("%zu bytes used\n", used);
    return used == 0; /* the C library of a plain build allocates too */
}
