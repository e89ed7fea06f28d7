/* api.h - the functions that calls of the program are redirected to
 *
 * One prototype per REDIRECT of redirect_sync.def (library.def), with the signature of the function it
 * stands for. The files api_*.c define them: they translate arguments and results, rt/sync
 * implements the primitives.
 */
#ifndef RT_LIBC_API_H
#define RT_LIBC_API_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "rt/kernel/thread.h"
#include "sennit/actor.h"
#include "sennit/monitor.h"

/* Functions that no header of the system declares. */
extern void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument);
extern void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void sennit_assert_failed(const char *condition);
extern void sennit_assume(int condition);
extern unsigned sennit_choose(unsigned options);

#define REDIRECT(name) extern __typeof__(name) sennit_rt_##name;
#define PURE(name)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "rt/abi/redirect_sync.def"
#pragma GCC diagnostic pop
#undef REDIRECT
#undef PURE

/* Outside executions (constructors, handlers at exit) there is one thread, and the real
 * function is called. */
#define API_OUTSIDE(call)     \
    do {                      \
        if (!thread_inside()) \
            return call;      \
    } while (0)

#endif
