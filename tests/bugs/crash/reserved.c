// bug: crash
// fixed: exhaustive
// executions: 1
// Of two reserved pages one thread makes the first accessible; another thread uses the second.
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static char *pages;

static void *commit(void *arg)
{
    mprotect(pages, 4096, PROT_READ | PROT_WRITE);
    pages[0] = 1;
    return NULL;
}

static void *use(void *arg)
{
#ifdef FIXED
    mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE);
#endif
    pages[4096] = 1; // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pages = mmap(NULL, 2 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&a, NULL, commit, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
