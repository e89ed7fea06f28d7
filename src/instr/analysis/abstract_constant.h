/* abstract_constant.h - constants and global variables as sets of atoms */
#ifndef INSTR_ANALYSIS_ABSTRACT_CONSTANT_H
#define INSTR_ANALYSIS_ABSTRACT_CONSTANT_H

#include "instr/analysis/pointsto.h"

/* The atoms of a constant; the first use of a global variable also stores its initial value in memory. Borrowed. */
const AbsValue *abstract_constant_get(PointsTo *analysis, LLVMValueRef constant);
void abstract_constant_release(PointsTo *analysis);

#endif
