/* override.h - memory orders other than those in the program, to find out which of them would remove a bug */
#ifndef RT_WEAK_OVERRIDE_H
#define RT_WEAK_OVERRIDE_H

#include "rt/weak/order.h"

/* At one place of the program. */
typedef struct Override {
    uint64_t site;  /* as in Event.site                                               */
    uint8_t order;  /* of C: the operation has at least this; or that of the fence      */
    bool fence;     /* a fence in front of the operation, which keeps its order       */
} Override;

enum { MOST_OVERRIDES = 64 };

/* How many there are. */
extern uint32_t override_count __attribute__((visibility("hidden")));

/* How often they were set: what an execution did under others says nothing of the next one. */
extern uint32_t override_version __attribute__((visibility("hidden")));

/* Holds for the executions that follow, in place of what was set before. */
void override_set(const Override *overrides, uint32_t count);

/* The order of an operation; of a failed exchange with `loads`. */
uint32_t override_order(uint64_t site, uint32_t order, bool loads);
/* The order of the fence in front of it; C_RELAXED if there is none. */
uint32_t override_fence(uint64_t site);

#endif
