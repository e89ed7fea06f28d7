/* input.h - symbolic inputs: how a modelled input function creates one
 *
 * The nth input that a thread asks for by a name is the same in every execution, whatever the
 * other threads do. Main's inputs have the plain name, those of other threads also the thread's
 * path: "x", "x#2" (the second one), "x@0.1".
 */
#ifndef RT_INPUTS_INPUT_H
#define RT_INPUTS_INPUT_H

#include "rt/inputs/tracking.h"

/* What a number may be: `width` bits (1..128), from low to high (as numbers of that width, signed or
 * unsigned, of at most 64 bits); low == high: any. */
typedef struct InputKind {
    uint32_t width;
    bool is_signed;
    int64_t low, high;
    uint64_t first;     /* its value where no condition constrains it */
} InputKind;

/* The value of a new input, with its shadow; `first` if the program is not tracked. */
Bits input_number(const char *name, const InputKind *kind, uint32_t *shadow);
/* Bytes, each an input of its own; fills memory and its shadow. */
void input_bytes(const char *name, void *bytes, uint64_t size);

/* Uninitialised memory (--unset): words, each an input of its own. A large area keeps the values it
 * has and counts as concretised. */
void input_unset(void *memory, uint64_t size);

#endif
