/* field.h - indices into arrays that are fields of structures
 *
 * A wrong index may lead from one field to the next, between which there is no red zone. So where an element of a
 * field is accessed by an index (s.a[i], p->a[i].x, p->a[i][j]), the address is compared with the bounds of the
 * field. Not checked, since programs rely on it: the last field, arrays of at most one element, rows of a matrix,
 * pointer arithmetic.
 */
#ifndef INSTR_MODULE_FIELD_H
#define INSTR_MODULE_FIELD_H

#include "instr/module/module.h"

/* Inserts hooks before `instruction`, which accesses `size` bytes at `pointer`. */
void field_check(Module *m, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t size);

#endif
