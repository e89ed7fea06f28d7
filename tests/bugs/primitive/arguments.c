// bug: assertion
// fixed: exhaustive
// args: alpha "two words"
// Arguments arrive as given and may be changed; the thread sees the change only if it is late.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    char **argv = arg;
    pthread_mutex_lock(&lock);
#ifdef FIXED
    assert(argv[1][0] == 'a' || argv[1][0] == 'A');
#else
    assert(argv[1][0] == 'a'); // BUG
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    assert(argc == 3 && strcmp(argv[1], "alpha") == 0 && strcmp(argv[2], "two words") == 0);
    assert(argv[argc] == NULL && getenv("PATH") != NULL);
    pthread_create(&t, NULL, reader, argv);
    pthread_mutex_lock(&lock);
    argv[1][0] = 'A';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
