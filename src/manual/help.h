/* help.h - what `sennit --help` and `sennit VERB --help` print */
#ifndef MANUAL_HELP_H
#define MANUAL_HELP_H

#include <stdio.h>

/* All verbs, a line each, and the exit codes. */
void help_print_overview(FILE *file);
/* One verb: its command lines and its options by group. Answers the exit code. */
int help_print_verb(const char *name);

#endif
