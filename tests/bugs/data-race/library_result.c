// bug: data-race
// fixed: exhaustive
// executions: 1
// What a library function allocated is written by one thread and read by another.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *text;

static void *worker(void *arg)
{
    text[0] = '!'; // BUG
    return NULL;
}

static void check_directories(void)
{
    char path[PATH_MAX], *same = getcwd(NULL, 0), *real = realpath(".", NULL);
    struct dirent **list;
    assert(getcwd(path, sizeof path) == path && !strcmp(path, same) && !strcmp(real, same));
    assert(!getcwd(path, 1));
    int count = scandir("/", &list, NULL, alphasort);
    assert(count > 2 && !strcmp(list[0]->d_name, "."));
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    free(same);
    free(real);
}

static void print_text(void)
{
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("one", stream);
    fflush(stream);
    assert(size == 3 && !strcmp(text, "one"));
    fprintf(stream, " and %d", 2);
    fclose(stream);
    assert(size == 9 && !strcmp(text, "one and 2"));
}

int main(void)
{
    pthread_t t;
    check_directories();
    print_text();
    pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    char first = text[0]; // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    assert(first == '!' || first == 'o');
    free(text);
    return 0;
}
