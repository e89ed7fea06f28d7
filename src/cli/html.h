/* html.h - `--html=FILE`: a search, and then its result as a page */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <stdbool.h>

/* Is --html among the options of this command? argv[0] is the verb. */
bool html_is_wanted(int argc, char **argv);
/* Runs the command without it, in a process of its own, and writes the report. Returns the exit code. */
int html_run(int argc, char **argv);

#endif
