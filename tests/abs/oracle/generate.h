/* generate.h - random ABS models for the oracle */
#ifndef ORACLE_GENERATE_H
#define ORACLE_GENERATE_H

#include <stdint.h>

#include "base/text.h"

/* A model with at most eight tasks, two to four objects, futures, get, await on futures and
 * on conditions, synchronous calls, new objects, exceptions, inputs. The same seed, the same model. */
void generate_model(uint64_t seed, Text *text);

/* The same with a scheduler for the class. */
enum { GENERATED_SCHEDULER_COUNT = 5 };
extern const char *const GENERATED_SCHEDULERS[GENERATED_SCHEDULER_COUNT];
void generate_scheduled_model(uint64_t seed, uint32_t scheduler, Text *text);

#endif
