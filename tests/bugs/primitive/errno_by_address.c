// bug: assertion
// fixed: exhaustive
// executions: 1
// The address of errno is the thread's own, and what is there is what libraries set and read.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *of_main;

static long parse(const char *text, int *error)
{
    *error = 0;
    return strtol(text, NULL, 10);
}

static void *worker(void *arg)
{
    int *mine = &errno;
    char text[64];
    assert(mine != of_main && mine == &errno);
    for (int i = 0; i < 2; i++) { // the second time the number is already that of the error
        assert(parse("99999999999999999999", mine) == LONG_MAX && *mine == ERANGE && errno == ERANGE);
        assert(parse("7", mine) == 7);
        assert(*mine == 0 && errno == 0);
    }
    memcpy(mine, &(int){ENOENT}, sizeof *mine);
    snprintf(text, sizeof text, "%m");
    assert(!strcmp(text, strerror(ENOENT)));
    errno = EAGAIN;
#ifdef FIXED
    assert(*mine == EAGAIN);
#else
    assert(*mine == ENOENT); // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    of_main = &errno;
    *of_main = EINTR;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(errno == EINTR && *of_main == EINTR);
    return 0;
}
