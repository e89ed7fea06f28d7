// bug: data-race
// fixed: exhaustive
// executions: 1
// Pages are made read-only while another thread still writes; readers need not wait.
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *page;

static void *writer(void *arg)
{
    page[7] = 1; // BUG
    return NULL;
}

static void *reader(void *arg)
{
    return page[9] ? page : NULL;
}

int main(void)
{
    pthread_t w, r;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
#ifdef FIXED
    pthread_join(w, NULL);
#endif
    mprotect(page, 4096, PROT_READ); // BUG
#ifndef FIXED
    pthread_join(w, NULL);
#endif
    pthread_join(r, NULL);
    return 0;
}
