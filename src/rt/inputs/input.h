/* input.h - values from outside: how a model of an input function makes one
 *
 * The nth input that a thread asks for by a name is the same in every execution, whatever
 * the others do. Main's inputs have the plain name, those of other threads have the
 * thread's path behind it: "x", "x#2" (asked for again), "x@0.1".
 */
#ifndef RT_INPUTS_INPUT_H
#define RT_INPUTS_INPUT_H

#include "rt/inputs/tracking.h"

/* One number of `width` bits (1..128) from low to high (as numbers of that width, unsigned or
 * signed), which have 64 at most; low == high: any. Its shadow is *shadow. Outside executions the answer is `first`,
 * which is also what an input has that nothing is known about. */
typedef struct InputKind {
    uint32_t width;
    bool is_signed;
    int64_t low, high;
    uint64_t first;
} InputKind;

Bits input_number(const char *name, const InputKind *kind, uint32_t *shadow);
/* Bytes, each an input of its own; memory and its shadow are filled. */
void input_bytes(const char *name, void *bytes, uint64_t size);

/* Memory that nobody has set: words, each an input of its own. Too much of it keeps the values it has,
 * which is counted. */
void input_unset(void *memory, uint64_t size);

#endif
