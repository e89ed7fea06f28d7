/* part.h - the parts of a program's state, so that a test can leave each of them out and see that it is missed
 *
 * What follows from other parts is added without a name: leaving it out makes no difference.
 */
#ifndef RT_KERNEL_PART_H
#define RT_KERNEL_PART_H

#include "base/fingerprint.h"
#include "rt/kernel/runtime.h"

#define PARTS(PART)                                                                                                    \
    PART(GLOBALS, globals) PART(HEAP, heap) PART(STACK, stack) PART(ERROR, errno) PART(CALL, call)                     \
    PART(STAND, stand) PART(TIMEOUTS, timeouts) PART(LAST, last) PART(DAEMON, daemon) PART(RESTART, restart)           \
    PART(DURABLE, durable) PART(SPENT, spent) PART(LINKS, links) PART(MAIL, mail) PART(BYTES, bytes) PART(TAG, tag)    \
    PART(SENDER, sender) PART(ORDER, order) PART(KNOWN, known) PART(TIMERS, timers) PART(ENDS, ends)                   \
    PART(SEGMENT, segment) PART(LOCKS, locks) PART(KIND, kind) PART(DEPTH, depth) PART(READERS, readers)               \
    PART(QUEUE, queue) PART(SEMAPHORES, semaphores) PART(ROUNDS, rounds) PART(DESTROYED, destroyed)                    \
    PART(JOINED, joined) PART(RESULT, result) PART(DETACHED, detached)

typedef enum StatePart {
#define PART(NAME, name) PART_##NAME,
    PARTS(PART)
#undef PART
    PART_COUNT
} StatePart;

static inline bool part_counts(StatePart part) { return !(rt.options.state_without >> part & 1); }

/* Adds the word, if its part counts. */
static inline void part_add(Fingerprint *print, StatePart part, uint64_t word)
{
    if (part_counts(part))
        fingerprint_add(print, word);
}

#endif
