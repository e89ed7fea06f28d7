/* continuation.h - can an execution that has begun like this one still end well?
 *
 * All continuations of a prefix are searched, one of each class (under weak memory all of them), until one ends without
 * a bug. The prefix is a job of
 * the search: what lies below it is explored completely before anything that lies elsewhere (core/tree/jobs_steps.h).
 */
#ifndef CORE_DPOR_CONTINUATION_H
#define CORE_DPOR_CONTINUATION_H

#include "core/schedule.h"

typedef enum Continuation {
    CONTINUATION_PASSES, /* some execution ends without a bug            */
    CONTINUATION_FAILS,  /* none does                                    */
    CONTINUATION_UNKNOWN /* the budget ran out, or executions were cut   */
} Continuation;

typedef struct ContinuationBudget {
    uint64_t executions;        /* of one search                                                */
    bool (*may_continue)(void); /* asked between executions                                     */
    uint64_t used;              /* executions run so far; the search adds to it                 */
} ContinuationBudget;

/* Searches behind the first `length` steps of `begun`, under its memory model: under weak memory every interleaving
 * with every write that a load may read. *passing gets the decisions of an execution that passes (schedule_destroy with
 * NULL), and is untouched otherwise. */
Continuation continuation_search(const Execution *begun, uint32_t length, ContinuationBudget *budget,
                                 Schedule **passing);

#endif
