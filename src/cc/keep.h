/* keep.h - a test binary keeps what it was linked from, see host/kept.h */
#ifndef CC_KEEP_H
#define CC_KEEP_H

#include "cc/command_line.h"

bool keep_inputs(const CommandLine *args, const char *program, Error *error);

#endif
