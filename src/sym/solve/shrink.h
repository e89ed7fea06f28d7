/* shrink.h - smaller values for an assignment: 0 where possible, else near 0
 *
 * A solver's assignment holds whatever the search came across. Each input in turn is given
 * smaller values as long as all conditions still hold; that takes evaluation only.
 */
#ifndef SYM_SOLVE_SHRINK_H
#define SYM_SOLVE_SHRINK_H

#include "sym/expr/eval.h"

/* `assignment` satisfies the conditions, before and after. The evaluator is of the same pool. */
void shrink_assignment(Evaluator *evaluator, const ExprPool *pool, const ExprId *conditions, uint32_t count,
                       const InputId *inputs, uint32_t input_count, Assignment *assignment);

#endif
