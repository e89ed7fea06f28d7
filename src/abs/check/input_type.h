/* input_type.h - types that an input can have */
#ifndef ABS_CHECK_INPUT_TYPE_H
#define ABS_CHECK_INPUT_TYPE_H

#include "abs/check/types.h"

/* Can every value of the type be one of an input: Int, Bool, Rat, Float, String, and data made of these? Not sets and
 * maps, of which only ordered ones are values, and neither what contains references, futures or exceptions. The headers
 * of data types have been checked. */
bool type_can_be_input(const Types *types, Type *type);

#endif
