/* identity.h - the identity of a bug, the same in every run and on every machine
 *
 * Identity is the kind and the unordered set of places (file name without folders,
 * line, function), and its variant.
 */
#ifndef REPORT_IDENTITY_H
#define REPORT_IDENTITY_H

#include <stdint.h>

#include "core/program.h"

uint64_t identity_of(Program *program, const Finding *finding);

/* The short form for readers and file names: the first `digits` hex digits. */
enum { IDENTITY_DIGITS = 4, IDENTITY_TEXT = 17 };
void identity_write(uint64_t identity, unsigned digits, char text[IDENTITY_TEXT]);

#endif
