/* condition.h - the condition of a path, in as few words as possible
 *
 * The branches of an execution give conditions in the order in which they were met: again and again the same
 * ones, weaker ones before stronger ones. What is left here says the same: comparisons of the same terms
 * become an interval, an input with one possible value is replaced by it everywhere else, and so is one of two
 * inputs that are equal. What follows from two others is dropped. No solver is asked.
 */
#ifndef TCG_CONDITION_H
#define TCG_CONDITION_H

#include "tcg/fact.h"

typedef struct TestCondition TestCondition;

/* Nothing is known yet. Everything is made in the pool. */
TestCondition *condition_create(ExprPool *pool);
void condition_destroy(TestCondition *condition);

/* This Boolean holds as well. */
void condition_add(TestCondition *condition, ExprId holds);
/* All is said: works out what is left. */
void condition_settle(TestCondition *condition);

/* What is left, in the order in which it was met. */
uint32_t condition_count(const TestCondition *condition);
const Fact *condition_get(const TestCondition *condition, uint32_t i);

/* An expression that means the same where the condition holds, with known inputs replaced. */
ExprId condition_apply(TestCondition *condition, ExprId e);
/* Does the condition say whether this Boolean holds? False also if that takes more than looking at single facts. */
bool condition_decides(TestCondition *condition, ExprId e, bool *holds);

#endif
