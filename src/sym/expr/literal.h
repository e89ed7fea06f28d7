/* literal.h - a condition on the inputs together with how it was decided */
#ifndef SYM_EXPR_LITERAL_H
#define SYM_EXPR_LITERAL_H

#include <stdint.h>

/* A condition is named by a number other than 0 that means the same in every execution and
 * every process of a run (archive.h). */
typedef struct Literal {
    uint32_t condition;
    uint32_t taken; /* 0: it holds, 1: it does not */
} Literal;

#endif
