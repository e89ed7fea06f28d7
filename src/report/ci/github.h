/* github.h - annotations: workflow commands of GitHub Actions on standard output
 *
 * A line "::error file=a.c,line=3,title=...::text" shows up beside that line of the sources.
 */
#ifndef REPORT_CI_GITHUB_H
#define REPORT_CI_GITHUB_H

#include <stdint.h>

#include "base/text.h"

typedef struct GithubAnnotation {
    const char *level;    /* "error", "warning" or "notice"                */
    const char *file;     /* relative to the repository; NULL: no place    */
    uint32_t line, column; /* 0: unknown                                   */
    const char *title;
    const char *message;  /* may have several lines                        */
} GithubAnnotation;

/* Adds the command, a line of its own. */
void github_write(const GithubAnnotation *annotation, Text *out);

#endif
