/* change.h - one change that a delta makes to a module */
#ifndef ABS_DELTA_CHANGE_H
#define ABS_DELTA_CHANGE_H

#include "abs/syntax/product_line.h"

/* Makes the change; what does not fit the modules is reported. The nodes of the delta become part of the modules, so
 * it must not be used for anything else. */
void change_module(Model *model, const DeltaDecl *delta, DeltaOp *op);

#endif
