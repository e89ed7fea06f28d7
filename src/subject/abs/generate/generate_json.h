/* generate_json.h - the tests of `sennit generate` as JSON; docs/test-generation.md documents the members. Scripts rely
 * on their names: add, never rename. */
#ifndef SUBJECT_ABS_GENERATE_JSON_H
#define SUBJECT_ABS_GENERATE_JSON_H

#include "subject/abs/generate/generate_emit.h"

/* All tests. */
void generate_json(const Generated *generated, Text *text);
/* run.json: the options and the figures of the run. */
void generate_json_run(const Generated *generated, Text *text);

#endif
