/* trace_internal.h - shared by building and parsing of traces */
#ifndef REPORT_TRACE_INTERNAL_H
#define REPORT_TRACE_INTERNAL_H

#include "report/trace.h"

#define TRACE_HASH_START 0xcbf29ce484222325ull

/* FNV-1a, continued from `hash`. */
uint64_t trace_hash_bytes(uint64_t hash, const void *bytes, size_t size);

/* Appends an empty step; appends a choice to the last step. */
TraceStep *trace_new_step(Trace *trace);
void trace_new_choice(Trace *trace, Choice choice);

#endif
