/* cover.h - recording which lines and branches of the source are executed
 *
 * A mark is a byte of the module that is set when a block of the source's control flow begins, or an edge is taken.
 * Two steps: the blocks are numbered before any pass changes the code (`cover_plan`); the stores are inserted after
 * spin loops have been recognised, which they would prevent (`cover_insert`). In between a block is identified by its
 * last instruction.
 */
#ifndef INSTR_PASSES_COVER_H
#define INSTR_PASSES_COVER_H

#include "instr/module/module.h"

typedef struct CoverPlan CoverPlan;

/* Numbers the blocks of all functions and records their lines. `cover_insert` frees the plan. */
CoverPlan *cover_plan(Module *m);
/* In between: the branch at the end of the block is not counted, as its loop has become a blocking wait. */
void cover_forget_branch(Module *m, LLVMBasicBlockRef block);
/* Inserts the marks and lists them for the runtime (SennitCover of rt/abi/hooks.h); frees the plan. */
void cover_insert(Module *m, CoverPlan *plan);

#endif
