/* field.h - names of the parts of variables, from the layout that the instrumenter wrote */
#ifndef RT_DETECT_FIELD_H
#define RT_DETECT_FIELD_H

#include <stddef.h>
#include <stdint.h>

/* Writes what follows the variable's name for the byte at `offset`: ".lock", "[2].next",
 * "[1]+4" if the layout does not go further, "" for the beginning of a scalar. The layout
 * is a text as in instr/module/layout.h; NULL stands for "". */
void field_name(const char *layout, uint64_t offset, char *text, size_t size);

#endif
