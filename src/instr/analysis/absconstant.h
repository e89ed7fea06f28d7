/* absconstant.h - constants and global variables as sets of atoms */
#ifndef INSTR_ANALYSIS_ABSCONSTANT_H
#define INSTR_ANALYSIS_ABSCONSTANT_H

#include "instr/analysis/pointsto.h"

/* What a constant stands for; the first look at a variable also stores its initial value. Borrowed. */
const AbsValue *absconstant_get(PointsTo *analysis, LLVMValueRef constant);
void absconstant_release(PointsTo *analysis);

#endif
