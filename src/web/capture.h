/* capture.h - what a short command of Sennit prints */
#ifndef WEB_CAPTURE_H
#define WEB_CAPTURE_H

#include <stdatomic.h>

#include "base/error.h"
#include "base/text.h"

/* How a command is run. */
typedef struct Capturing {
    const char *sennit;        /* the tool, a path                            */
    const char *directory;     /* where it runs                               */
    unsigned seconds;          /* at most                                     */
    const atomic_bool *ending; /* true: the answer is no longer wanted; or NULL */
} Capturing;

typedef struct Captured {
    Text output;
    Text messages;  /* on standard error                     */
    int exit_code;  /* 128 + signal if a signal ended it     */
    bool late;      /* it was ended before it was done       */
} Captured;

/* Runs the tool with these words (NULL-terminated), with `input` (or NULL) as its standard input. */
bool capture_run(const Capturing *how, const char *const *words, const Text *input, Captured *capture, Error *error);
void capture_release(Captured *capture);

#endif
