/* report.h - an HTML report: the page with the data of one run */
#ifndef WEB_REPORT_H
#define WEB_REPORT_H

#include "base/error.h"

/* Writes the result of the run in `directory` and its executions, which `sennit` (a path) replays, to a file that needs
 * nothing else. */
bool web_write_report(const char *sennit, const char *directory, const char *file, Error *error);

#endif
