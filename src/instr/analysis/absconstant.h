/* absconstant.h - constants and global variables as sets of atoms */
#ifndef INSTR_ANALYSIS_ABSCONSTANT_H
#define INSTR_ANALYSIS_ABSCONSTANT_H

#include "instr/analysis/pointsto.h"

/* The atoms of a constant; the first use of a global variable also stores its initial value in memory. Borrowed. */
const AbsValue *absconstant_get(PointsTo *analysis, LLVMValueRef constant);
void absconstant_release(PointsTo *analysis);

#endif
