/* shadow_output.h - library functions that write symbolic values to streams and files */
#ifndef INSTR_SHADOW_SHADOW_OUTPUT_H
#define INSTR_SHADOW_SHADOW_OUTPUT_H

#include "instr/shadow/shadow.h"

/* Before and after a call of the library function `name`; nothing if that writes no output. What is written to a file
 * is concretised, since it can be read again; the result of putchar(c) is tracked. */
void shadow_output_begin(Shadow *s, LLVMValueRef call, const char *name);
void shadow_output_end(Shadow *s, LLVMValueRef call, const char *name);
/* Does the program use the number of bytes that the function has written? Does it ignore the result of printf? */
bool shadow_output_is_measured(LLVMValueRef call, const char *name);
bool shadow_output_is_ignored(LLVMValueRef call, const char *name);

#endif
