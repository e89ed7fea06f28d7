/* field.h - indices into arrays that are fields of structures
 *
 * A wrong index may lead from one field to the next, which no gap tells apart. So where an element of a
 * field is accessed by an index (s.a[i], p->a[i].x, p->a[i][j]), the place is compared with the field. Not
 * checked, since programs do this on purpose: the last field, arrays of at most one element, rows of
 * a matrix among each other, pointers into the field that are computed with.
 */
#ifndef INSTR_MODULE_FIELD_H
#define INSTR_MODULE_FIELD_H

#include "instr/module/module.h"

/* Puts hooks before `instruction`, which accesses `size` bytes at `pointer`. */
void field_check(Module *m, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t size);

#endif
