// bug: data-race
// fixed: exhaustive
// executions: 1
// args: word
// A text of the environment, or an argument, is written by one thread and read by another.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char **arguments;

static void *worker(void *arg)
{
    *getenv("PATH") = '!'; // BUG
#ifdef FIXED
    arguments[1][0] = '!';
#endif
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    assert(argc == 2 && *getenv("PATH") != '!' && argv[1][0] == 'w'); // as before each execution
    arguments = argv;
    pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    char first = *getenv("PATH"); // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    assert(first);
    return 0;
}
