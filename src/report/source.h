/* source.h - lines of the program's source files, for reports */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Adds line `number` of `file` without the blanks at its ends. A relative name is looked
 * up here and in `directory`. False, and nothing is added, if there is no such line. */
bool source_add_line(Text *out, const char *file, const char *directory, uint32_t number);

/* The part of a path after its last slash. */
const char *source_base_name(const char *path);

#endif
