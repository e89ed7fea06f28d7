/* input_bounds.h - how inputs are bounded: by the program (sennit_bounded) and by options (--sym-stdin, ...) */
#ifndef RT_INPUTS_INPUT_BOUNDS_H
#define RT_INPUTS_INPUT_BOUNDS_H

#include <stdint.h>

/* `name`: of the option, or "inputs". Texts live until the process ends. */
typedef void InputBoundEach(void *context, const char *name, uint64_t limit, const char *text);

/* Calls `each` for every text given to sennit_bounded, wherever that stands, and for each size that an option fixes. */
void input_bounds_each(InputBoundEach *each, void *context);

#endif
