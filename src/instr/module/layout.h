/* layout.h - names of the members of a variable, for reports
 *
 * A layout is a text: "" a scalar, a union or a pointer; "{0:number;8:balance;16:lock}" a struct with the offsets of
 * its members, each followed by its own layout; "[40]" an array with the size of its elements, followed by their
 * layout. The runtime reads it (rt/detect/field.h).
 */
#ifndef INSTR_MODULE_LAYOUT_H
#define INSTR_MODULE_LAYOUT_H

#include "instr/module/module.h"

/* The layout of a global variable as a constant; a null pointer if it is a scalar or unknown. */
LLVMValueRef layout_of_global(Module *m, LLVMValueRef global);

#endif
