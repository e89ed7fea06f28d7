/* generate.h - random ABS models in which tasks wait for each other a lot */
#ifndef DEADLOCK_TEST_GENERATE_H
#define DEADLOCK_TEST_GENERATE_H

#include <stdint.h>

#include "base/text.h"

/* A model with at most eight tasks in two classes, objects made in the main block and in
 * methods, futures in variables, fields and parameters; most results are fetched with
 * `get`. The same seed, the same model. */
void generate_model(uint64_t seed, Text *text);

#endif
