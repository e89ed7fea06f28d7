/* field.h - names of members and elements of variables, from the layouts that the instrumenter wrote */
#ifndef RT_DETECT_FIELD_H
#define RT_DETECT_FIELD_H

#include <stddef.h>
#include <stdint.h>

/* Writes the suffix of the variable's name for the byte at `offset`: ".lock", "[2].next",
 * "[1]+4" if the layout has no more detail, "" for the first byte of a scalar. The layout
 * is a text as in instr/module/layout.h; NULL stands for "". */
void field_name(const char *layout, uint64_t offset, char *text, size_t size);

#endif
