/* keeper.c - a node with a file: it adds its name and finds what it wrote before, of no other node; after a crash nothing
 * else is left of it. Arguments: its name, how many lines it may find, and what it does: "sync" or not. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int starts, prepared;
static char *name;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int calls;

static void prepare(void) { prepared = 1; }

static void look(FILE *file, int most)
{
    char line[100];
    int lines = 0;
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        assert(strncmp(line, name, strlen(name)) == 0);
        lines++;
    }
    assert(lines <= most);
}

int main(int argc, char **argv)
{
    assert(argc == 4 && starts++ == 0 && calls++ == 0 && !getenv("BEGUN"));
    setenv("BEGUN", "1", 1);
    pthread_once(&once, prepare);
    assert(prepared);
    name = strdup(argv[1]);
    pthread_mutex_lock(&lock); /* it may crash while it has the lock */
    FILE *file = fopen("kept", "a+");
    look(file, atoi(argv[2]));
    fprintf(file, "%s\n", name);
    fflush(file);
    if (strcmp(argv[3], "sync") == 0)
        fsync(fileno(file));
    look(file, atoi(argv[2]) + 1);
    fclose(file);
    pthread_mutex_unlock(&lock);
    free(name);
    return 0;
}
