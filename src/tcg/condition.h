/* condition.h - path conditions, simplified for readers
 *
 * The decisions of an execution give conditions in the order in which they were made, with repetitions, and weaker ones
 * before stronger ones. The simplified condition is equivalent: comparisons of the same terms become an interval, an
 * input with one possible value is replaced by it everywhere else, and so is one of two equal inputs; facts implied by
 * two others are dropped. No solver is used.
 */
#ifndef TCG_CONDITION_H
#define TCG_CONDITION_H

#include "tcg/fact.h"

typedef struct TestCondition TestCondition;

/* The condition that always holds; the caller owns it. New expressions are added to the pool (borrowed). */
TestCondition *condition_create(ExprPool *pool);
void condition_destroy(TestCondition *condition);

/* Adds a conjunct. */
void condition_add(TestCondition *condition, ExprId holds);
/* Simplifies the condition, after the last condition_add. */
void condition_settle(TestCondition *condition);

/* The facts of the simplified condition, in the order in which they were added. */
uint32_t condition_count(const TestCondition *condition);
const Fact *condition_get(const TestCondition *condition, uint32_t i);

/* The expression with determined inputs replaced; it has the same value wherever the condition holds. */
ExprId condition_apply(TestCondition *condition, ExprId e);
/* Does the condition determine whether this Boolean holds? Uses the facts one by one: false is no proof. */
bool condition_decides(TestCondition *condition, ExprId e, bool *holds);

#endif
