/* waits.c - a rare input leads to a wait for something that is no lock, or to code that runs before or after main */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/futex.h>
#include <sennit/sennit.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int word;

static void lock_and_unlock(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

#ifdef DESTRUCTOR
__attribute__((destructor)) static void at_end(void) { lock_and_unlock(); }
#endif
#ifdef ON_EXIT
static void at_exit(int status, void *unused) { (void)status, (void)unused, lock_and_unlock(); }
#endif

int main(void)
{
    int rare = sennit_int("n") == 12345;
#if defined FUTEX
    if (rare)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
#elif defined POLL
    int ends[2];
    if (pipe(ends) == 0 && rare)
        poll(&(struct pollfd){ends[0], POLLIN, 0}, 1, -1);
#elif defined EVENT
    eventfd_t count;
    int event = eventfd(0, 0);
    if (rare)
        eventfd_read(event, &count);
#elif defined LOOP
    while (rare && word == 0)
        continue;
#else
#ifdef ON_EXIT
    on_exit(at_exit, NULL);
#elif defined QUICK
    at_quick_exit(lock_and_unlock);
#endif
    if (rare)
        pthread_mutex_lock(&mutex);
#ifdef QUICK
    quick_exit(0);
#endif
#endif
    return 0;
}
