/* gdb.h - a gdb session on a replay */
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include "report/trace.h"

/* Becomes gdb, with commands to step along the trace: `next-step`, `steps`. `options` is for SENNIT_OPTIONS of
 * the binary. Returns only on failure. */
void gdb_become(const char *binary, const char *options, const Trace *trace, Error *error);

#endif
