/* touches.h - the accesses of a step together with where their values are kept
 *
 * For steps whose footprint has many parts. The operation names each value it accesses, and then changes the values
 * themselves; those before and after are filled in for all of them:
 *
 *     LiveAccesses touches = {0};
 *     step_begin(OP_..., 0);
 *     touch(&touches, resource, MODE_WRITE, &value);    announced, or, behind step_wait, of the step being executed
 *     step_wait();
 *     touches_begin(&touches);
 *     value++;
 *     touches_end(&touches);
 */
#ifndef RT_KERNEL_TOUCHES_H
#define RT_KERNEL_TOUCHES_H

#include "rt/kernel/step.h"

enum { TOUCHES_FIRST = 12 };

typedef struct LiveAccess {
    const int64_t *live;
    int64_t before;
    uint32_t access;     /* its number in the step; once the step runs, in the execution */
    uint8_t first_lane;  /* the value is that of the lanes from this one on */
} LiveAccess;

typedef struct LiveAccesses {
    LiveAccess first[TOUCHES_FIRST], *more;
    unsigned count, capacity; /* of them, `more` holds those beyond the first ones */
    bool running;
    bool node;               /* the first one is whether the node runs */
} LiveAccesses;

/* Adds an access. While the step runs, before the value is changed. */
Access *touch(LiveAccesses *touches, uint64_t resource, Mode mode, const int64_t *live);
/* The same, as a guard: (value & mask) relation operand. */
void touch_guard(LiveAccesses *touches, uint64_t resource, Mode mode, const int64_t *live, int64_t mask,
                 Relation relation, int64_t operand);
/* The access that was just added is to some bytes of the value only, whose lanes are adjacent. */
void touch_lanes(LiveAccesses *touches, Access *access, uint8_t lanes);
/* The step runs: remembers the values. Does not return in a thread whose node has ended. */
void touches_begin(LiveAccesses *touches);
/* Fills in all values, as they are now. May be repeated. A value that was read only and has changed was written: the
 * step must be opaque then. */
void touches_end(LiveAccesses *touches);

#endif
