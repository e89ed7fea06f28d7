/* models.h - random models with methods to generate tests for */
#ifndef TCG_ORACLE_MODELS_H
#define TCG_ORACLE_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { MODEL_METHODS = 3 };

/* A model with a class A, perhaps a class B, of one interface I with methods m0, m1, m2 (Int n, I o). Fields: Int x,
 * I next, D d, where D = E | P(Int v) | R(I r). Every execution ends. The same seed, the same model. */
void models_write(uint64_t seed, Text *text);

#endif
