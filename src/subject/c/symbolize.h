/* symbolize.h - the source places of return addresses */
#ifndef SUBJECT_C_SYMBOLIZE_H
#define SUBJECT_C_SYMBOLIZE_H

#include "report/trace.h"
#include "rt/detect/stack.h"

/* Turns frames into places with strings kept by the trace; calls within Sennit's runtime are left out. Lines come
 * from addr2line, if it is installed; otherwise only functions are known. Returns the number of places written,
 * at most `max`. */
uint32_t symbolize_frames(Trace *trace, const char *binary, const StackFrame *frames, uint32_t count,
                          TracePlace *places, uint32_t max);

#endif
