/* contexts.h - the initial contexts of a system: objects and the tasks that wait in them
 *
 * Given methods with how often each may be called at the beginning: all contexts up to renaming of objects. Every
 * context is as general as possible: fields and arguments are unknown. Two contexts are the same if their objects can
 * be paired so that each pair has the same number of tasks of each method.
 */
#ifndef TCG_CONTEXTS_H
#define TCG_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum { CONTEXT_MOST_METHODS = 32 };

/* A method that may be called at the beginning, between `least` and `most` times. */
typedef struct InitialCall {
    uint32_t class;  /* number */
    uint32_t method; /* a number of the caller's choice */
    uint32_t least;
    uint32_t most;
} InitialCall;

typedef struct ContextObject {
    uint32_t class;
    uint8_t tasks[CONTEXT_MOST_METHODS]; /* how many of each InitialCall */
} ContextObject;

typedef VEC(ContextObject) InitialContext;
typedef VEC(InitialContext) ContextList;

/* Appends one representative of each class of contexts, without the empty one; classes and
 * methods in the order of `calls`, contexts with fewer tasks and fewer objects first. At most
 * `limit`; false if there are more. `count` is at most CONTEXT_MOST_METHODS. */
bool contexts_generate(const InitialCall *calls, uint32_t count, uint32_t limit, ContextList *contexts);
void contexts_free(ContextList *contexts);

#endif
