/* jobs_wire.h - the common tree as text, for checkpoints
 *
 * Only decisions are written (docs/design/distribution.md): a process that reads the tree finds the
 * footprints of the steps by running the program, see resolve.h.
 */
#ifndef CORE_TREE_JOBS_WIRE_H
#define CORE_TREE_JOBS_WIRE_H

#include "core/tree/jobs.h"

/* Writes the tree, one node per line; no job may be running. */
void jobs_write(Jobs *jobs, Program *program, Text *text);
/* Replaces the tree of a search that has not begun by the one in the text. After a failure the jobs can
 * only be destroyed. */
bool jobs_read(Jobs *jobs, Program *program, const char *text, size_t size, Error *error);

#endif
