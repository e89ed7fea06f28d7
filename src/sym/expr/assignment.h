/* assignment.h - values of inputs, of an execution or as the answer of a solver */
#ifndef SYM_EXPR_ASSIGNMENT_H
#define SYM_EXPR_ASSIGNMENT_H

#include "base/text.h"
#include "sym/expr/expr.h"

/* Values for some inputs; an input without a value counts as 0. Start with {0}. */
typedef struct Assignment {
    Bits *values;   /* by input index */
    bool *defined;
    uint32_t count; /* inputs at or above this index have no value */
    uint32_t room;
} Assignment;

void assignment_release(Assignment *assignment);
/* Removes all values. */
void assignment_reset(Assignment *assignment);
void assignment_copy(Assignment *to, const Assignment *from);
/* Copies every value that `over` defines. */
void assignment_overlay(Assignment *assignment, const Assignment *over);

void assignment_set(Assignment *assignment, InputId input, Bits value);

static inline bool assignment_defines(const Assignment *assignment, InputId input)
{
    return input.index < assignment->count && assignment->defined[input.index];
}

static inline Bits assignment_get(const Assignment *assignment, InputId input)
{
    return assignment_defines(assignment, input) ? assignment->values[input.index] : 0;
}

/* "x=3, packet#2=255": for diagnostics, in the order of the inputs. */
void assignment_print(const Assignment *assignment, const ExprPool *pool, Text *text);

#endif
