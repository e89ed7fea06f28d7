/* linearizable.h - is every operation of an object as if it happened at one moment between its call and its return?
 *
 *     enum { PUSH, POP };
 *     typedef struct { long item[8]; int count; } Items;            // the state of the specification; zeros at first
 *     static long stack_specified(void *state, int operation, long argument)
 *     {                                                             // one operation after the other: the result
 *         Items *s = (Items *)state;
 *         if (operation == PUSH)
 *             return s->item[s->count++] = argument;
 *         return s->count ? s->item[--s->count] : -1;
 *     }
 *     SENNIT_LINEARIZABLE(stack_history, "stack", Items, stack_specified);
 *
 *     sennit_invoke(&stack_history, 0, PUSH, 7);                    // caller 0 calls push(7)
 *     push(&stack, 7);
 *     sennit_return(&stack_history, 0, 7);                          // ... which returns 7
 *     ...
 *     sennit_linearizable(&stack_history);                          // when all is done
 *
 * A caller is who has one operation at a time: a thread, an actor. The history that an object has had must be one of
 * the specification, in some order in which no operation comes before one that had returned when it was called. An
 * operation that has not returned may have happened, or not. Schedules are told apart by which operations had returned
 * when others were called, and by nothing else of the history. Observers do the work (monitor.h). Guide:
 * docs/observers.md.
 */
#ifndef SENNIT_LINEARIZABLE_H
#define SENNIT_LINEARIZABLE_H

#include <stdio.h>
#include <string.h>

#include "sennit/monitor.h"
#include "sennit/sennit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SENNIT_CALLERS = 8,   /* of a history     */
    SENNIT_OPERATIONS = 32, /* of a caller     */
    SENNIT_SPECIFIED = 4096 /* bytes of a state */
};

typedef struct sennit_operation {
    const char *name; /* "PUSH" */
    int operation;
    long argument, result;
    unsigned char before[SENNIT_CALLERS]; /* how many operations of each caller had returned by its call */
} sennit_operation;

typedef struct sennit_history {
    const char *name;
    unsigned long size; /* of a state of the specification */
    long (*specified)(void *state, int operation, long argument);
    unsigned char called[SENNIT_CALLERS];
    unsigned char returned[SENNIT_CALLERS];
    sennit_operation operations[SENNIT_CALLERS][SENNIT_OPERATIONS];
} sennit_history;

#define SENNIT_LINEARIZABLE(variable, text, State, specification)                                     \
    _Static_assert(sizeof(State) <= SENNIT_SPECIFIED, "the state of a specification is too large"); \
    static sennit_history variable = {.name = text, .size = sizeof(State), .specified = specification}

#if defined __SENNIT__ || defined SENNIT_DRIVER

/* ---- What happens -------------------------------------------------------------------- */

/* A caller calls an operation. */
#define sennit_invoke(history, caller, operation, argument)                         \
    do {                                                                             \
        sennit_observe_begin();                                                      \
        sennit_note_call(history, caller, #operation, operation, (long)(argument)); \
        sennit_observe_end();                                                        \
    } while (0)

/* The operation that the caller called last returns; gives its result back. */
#define sennit_return(history, caller, result)                    \
    __extension__({                                                \
        long sennit_result_ = (result);                            \
        sennit_observe_begin();                                    \
        sennit_note_return(history, caller, sennit_result_);      \
        sennit_observe_end();                                      \
        sennit_result_;                                            \
    })

/* The numbers of operations that returned are atomic: a history means something in an order of all steps only, as
 * sequential consistency has it. */
static inline void sennit_note_call(sennit_history *h, unsigned caller, const char *name, int operation, long argument)
{
    sennit_assert(caller < SENNIT_CALLERS);
    sennit_assert(h->called[caller] == h->returned[caller] && "a caller has one operation at a time");
    sennit_assert(h->called[caller] < SENNIT_OPERATIONS);
    sennit_operation *o = &h->operations[caller][h->called[caller]++];
    o->name = name;
    o->operation = operation;
    o->argument = argument;
    for (unsigned other = 0; other < SENNIT_CALLERS; other++)
        o->before[other] = __atomic_load_n(&h->returned[other], __ATOMIC_SEQ_CST);
}

static inline void sennit_note_return(sennit_history *h, unsigned caller, long result)
{
    sennit_assert(caller < SENNIT_CALLERS);
    sennit_assert(h->called[caller] == h->returned[caller] + 1 && "an operation was called before it returns");
    h->operations[caller][h->returned[caller]].result = result;
    __atomic_store_n(&h->returned[caller], h->called[caller], __ATOMIC_SEQ_CST);
}

/* ---- The check ------------------------------------------------------------------------- */

/* Whether everything that had returned when the operation was called is among the first `taken` ones of each. */
static inline int sennit_may_be_next(const sennit_operation *o, const unsigned char *taken)
{
    for (unsigned other = 0; other < SENNIT_CALLERS; other++)
        if (o->before[other] > taken[other])
            return 0;
    return 1;
}

static inline int sennit_all_taken(const sennit_history *h, const unsigned char *taken)
{
    for (unsigned caller = 0; caller < SENNIT_CALLERS; caller++)
        if (taken[caller] < h->returned[caller])
            return 0;
    return 1;
}

/* Whether the operations behind the first `taken` ones of each caller can be put in order: one that may be next is, if
 * the specification gives its result. One that has not returned has any result. (Wing and Gong 1993) */
static inline int sennit_orders(const sennit_history *h, unsigned char *taken, const void *state)
{
    if (sennit_all_taken(h, taken))
        return 1;
    for (unsigned caller = 0; caller < SENNIT_CALLERS; caller++) {
        const sennit_operation *next = &h->operations[caller][taken[caller]];
        if (taken[caller] == h->called[caller] || !sennit_may_be_next(next, taken))
            continue;
        long after[SENNIT_SPECIFIED / sizeof(long)];
        memcpy(after, state, h->size);
        long result = h->specified(after, next->operation, next->argument);
        if (taken[caller] < h->returned[caller] && result != next->result)
            continue;
        taken[caller]++;
        int ordered = sennit_orders(h, taken, after);
        taken[caller]--;
        if (ordered)
            return 1;
    }
    return 0;
}

static inline void sennit_print_operation(const sennit_history *h, unsigned caller, unsigned nth)
{
    const sennit_operation *o = &h->operations[caller][nth];
    printf("  caller %u: %s(%ld)", caller, o->name, o->argument);
    if (nth < h->returned[caller])
        printf(" = %ld", o->result);
    else
        printf(" has not returned");
    const char *separator = ", called after";
    for (unsigned other = 0; other < SENNIT_CALLERS; other++)
        if (other != caller && o->before[other]) {
            printf("%s operation %u of caller %u", separator, o->before[other], other);
            separator = " and";
        }
    printf("\n");
}

static inline void sennit_print_history(const sennit_history *h)
{
    printf("%s: no order of these operations gives these results\n", h->name);
    for (unsigned caller = 0; caller < SENNIT_CALLERS; caller++)
        for (unsigned nth = 0; nth < h->called[caller]; nth++)
            sennit_print_operation(h, caller, nth);
}

static inline int sennit_has_order(const sennit_history *h)
{
    unsigned char taken[SENNIT_CALLERS] = {0};
    long state[SENNIT_SPECIFIED / sizeof(long)];
    memset(state, 0, h->size);
    return sennit_orders(h, taken, state);
}

/* The history of the object so far must be linearizable; if it is not, it is printed, and the assertion fails. */
#define sennit_linearizable(history)                              \
    do {                                                          \
        sennit_observe_begin();                                   \
        int sennit_ordered_ = sennit_has_order(history);          \
        sennit_observe_end();                                     \
        if (!sennit_ordered_) {                                   \
            sennit_print_history(history);                        \
            sennit_assert_failed(#history " is linearizable");    \
        }                                                         \
    } while (0)

#else

#define sennit_invoke(history, caller, operation, argument) ((void)0)
#define sennit_return(history, caller, result) (result)
#define sennit_linearizable(history) ((void)0)

#endif

#ifdef __cplusplus
}
#endif

#endif
