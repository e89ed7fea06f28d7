/* edge.h - inserting code on an edge of the control flow graph */
#ifndef INSTR_MODULE_EDGE_H
#define INSTR_MODULE_EDGE_H

#include "instr/module/module.h"

/* Inserts a block on the edge (all parallel edges) from one block to another. It contains only its jump, before which
 * code can be built; phis of `to` are adjusted. */
LLVMBasicBlockRef edge_split(Module *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to);

#endif
