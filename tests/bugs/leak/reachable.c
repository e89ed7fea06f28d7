// bug: leak
// fixed: exhaustive
// options: --check=leak
// A block that a global still points to at the end is no leak; one behind a cleared pointer is.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *_Atomic list;

static void *clear(void *arg)
{
#ifdef FIXED
    atomic_load(&list);
#else
    atomic_store(&list, NULL);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    struct node *node = calloc(1, sizeof *node); // BUG
    atomic_store(&list, node);
    node = NULL;
    pthread_join(t, NULL);
    return 0;
}
