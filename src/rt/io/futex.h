/* futex.h - futexes: threads that wait at a word of memory until they are woken (syscall(SYS_futex))
 *
 * A wait is two steps: the first reads the word and, if it holds the expected value, joins the threads that wait there;
 * the second returns after a wake-up. A wake-up chooses whom to wake. Those who wait are a set, not a queue (the kernel
 * promises no order), so joining it commutes: RES_FUTEX's value stands for the set, 0 if it is empty.
 */
#ifndef RT_IO_FUTEX_H
#define RT_IO_FUTEX_H

#include <stdint.h>
#include <time.h>

#include "core/event.h"

/* The arguments of the system call, under the names that FUTEX_WAIT gives them. */
typedef struct FutexCall {
    uint32_t *word;
    int operation;
    uint32_t value;
    uint64_t timeout;   /* a pointer to a struct timespec, or a second number */
    uint32_t *other;
    uint32_t third;
} FutexCall;

/* The result of the system call, or -1 with errno set. */
long futex_call(const FutexCall *call);

/* For reports: the word that a thread waits at, or NULL. */
const void *futex_waited_at(AgentId agent);

#endif
