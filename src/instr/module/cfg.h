/* cfg.h - control flow of one function: dominators and natural loops
 *
 * Blocks are numbered in reverse post-order, the entry is 0; unreachable blocks have
 * no number. Valid until the function's blocks change.
 */
#ifndef INSTR_MODULE_CFG_H
#define INSTR_MODULE_CFG_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define CFG_NONE UINT32_MAX

typedef VEC(uint32_t) BlockList;

typedef struct Cfg Cfg;

/* A natural loop; all back edges to one header belong to one loop. */
typedef struct NaturalLoop {
    uint32_t header;
    BlockList blocks;  /* the header first                */
    BlockList latches; /* sources of the back edges       */
    bool *contains;    /* indexed by block                */
    bool innermost;    /* contains no other loop          */
} NaturalLoop;

typedef VEC(NaturalLoop) LoopList;

Cfg *cfg_create(LLVMValueRef function);
void cfg_destroy(Cfg *cfg);

uint32_t cfg_block_count(const Cfg *cfg);
LLVMBasicBlockRef cfg_block(const Cfg *cfg, uint32_t index);
/* CFG_NONE if the block is unreachable. */
uint32_t cfg_index(const Cfg *cfg, LLVMBasicBlockRef block);
const BlockList *cfg_successors(const Cfg *cfg, uint32_t index);
const BlockList *cfg_predecessors(const Cfg *cfg, uint32_t index);
bool cfg_dominates(const Cfg *cfg, uint32_t above, uint32_t below);

/* The caller releases the list. */
LoopList cfg_loops(const Cfg *cfg);
void cfg_release_loops(LoopList *loops);

#endif
