/* unseen.h - marks for code whose effects instrumentation cannot see (rt/detect/unseen.h) */
#ifndef INSTR_MODULE_UNSEEN_H
#define INSTR_MODULE_UNSEEN_H

#include "core/unseen.h"
#include "instr/module/module.h"

/* Sets a mark before `instruction`: when it is executed, the verdict names `name` and the place. To be called after
 * spin loops are recognised, which the store would prevent. */
void unseen_mark(Module *m, LLVMValueRef instruction, UnseenKind kind, const char *name);
/* The same for something without a place that may be executed at any time. */
void unseen_mark_always(Module *m, UnseenKind kind, const char *name);

#endif
