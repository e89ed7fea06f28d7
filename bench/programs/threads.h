/* threads.h - starting and joining numbered threads, for the counted programs */
#ifndef PROGRAMS_THREADS_H
#define PROGRAMS_THREADS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { MAX_THREADS = 64 };

static pthread_t thread_ids[MAX_THREADS];
static int thread_count;

/* The number a thread was started with. */
static inline int number_of(void *argument)
{
    return (int)(intptr_t)argument;
}

static inline void start(void *(*body)(void *), int number)
{
    if (pthread_create(&thread_ids[thread_count++], NULL, body, (void *)(intptr_t)number) != 0)
        abort();
}

static inline void start_all(int count, void *(*body)(void *))
{
    for (int i = 0; i < count; i++)
        start(body, i);
}

static inline void join_all(void)
{
    for (int i = 0; i < thread_count; i++)
        pthread_join(thread_ids[i], NULL);
    thread_count = 0;
}

#endif
