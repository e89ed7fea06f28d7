/* input_bounds.h - bounds of its inputs that the program declares with sennit_bounded */
#ifndef RT_INPUTS_INPUT_BOUNDS_H
#define RT_INPUTS_INPUT_BOUNDS_H

/* Calls `each` with every text given to sennit_bounded, wherever that stands. */
void input_bounds_each(void (*each)(void *context, const char *text), void *context);

#endif
