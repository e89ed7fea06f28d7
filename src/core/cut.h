/* cut.h - limits of Sennit that cut an execution short
 *
 * A limit is neither a bug of the program nor a proof: an agent that meets one stops, and what it would have done is
 * unknown. An execution in which that happened is cut. It counts as explored within the bound, not as free of bugs.
 */
#ifndef CORE_CUT_H
#define CORE_CUT_H

#include "base/text.h"

typedef enum CutKind {
    CUT_NONE,
#define CUT(kind, word, name, what) CUT_##kind,
#include "core/cut.def"
#undef CUT
    CUT_COUNT
} CutKind;

/* "max-steps"; the name in run.json. */
const char *cut_name(CutKind kind);
/* Adds "steps per thread", where `agent` is the word for an agent. */
void cut_write_phrase(CutKind kind, const char *agent, Text *out);

#endif
