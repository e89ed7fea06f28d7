/* shrink.h - shrinking an assignment: values 0 where possible, else near 0
 *
 * The values that a solver finds are arbitrary. Each input in turn gets smaller values as long as all conditions still
 * hold; that takes evaluation only.
 */
#ifndef SYM_SOLVE_SHRINK_H
#define SYM_SOLVE_SHRINK_H

#include "sym/expr/eval.h"

/* `assignment` satisfies the conditions, before and after. The evaluator belongs to the same pool. */
void shrink_assignment(Evaluator *evaluator, const ExprPool *pool, const ExprId *conditions, uint32_t count,
                       const InputId *inputs, uint32_t input_count, Assignment *assignment);

#endif
