// bug: data-race
// fixed: exhaustive
// Copying a struct reads all of it, also the field the other thread is writing.
#include <pthread.h>

typedef struct {
    int key;
    char name[24];
    int hits;
} Record;

static Record record = {.key = 1};

static void *count(void *arg)
{
    record.hits++; // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, count, NULL);
#ifdef FIXED
    Record copy = {.key = record.key};
#else
    Record copy = record; // BUG
#endif
    pthread_join(t, NULL);
    return copy.key == 1 ? 0 : 1;
}
