/* web.h - `sennit ui`: a server on this machine for the page in a browser
 *
 * It serves the page, the files of one directory, and runs: those in sennit-out, one that was given, and those that the
 * page starts. A run is a process of its own. Every request to /api/ needs the token that the server's address
 * contains; docs/design/page.md has the interface.
 */
#ifndef WEB_WEB_H
#define WEB_WEB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct WebOptions {
    const char *sennit;    /* the tool, a path                                 */
    const char *directory; /* whose files and runs are served, absolute       */
    const char *run;       /* a run directory to begin with, absolute, or NULL */
    const char *examples;  /* where the examples are, or NULL                  */
    uint16_t port;         /* 0: any                                           */
} WebOptions;

/* Serves until an interrupt or a request to terminate. Returns the exit code. */
int web_serve(const WebOptions *options, Error *error);

#endif
