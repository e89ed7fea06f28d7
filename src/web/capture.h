/* capture.h - what a short command of Sennit prints */
#ifndef WEB_CAPTURE_H
#define WEB_CAPTURE_H

#include "base/error.h"
#include "base/text.h"

typedef struct Captured {
    Text output;
    Text messages;  /* on standard error                     */
    int exit_code;  /* 128 + signal if a signal ended it     */
    bool late;      /* it was ended after `seconds`          */
} Captured;

/* Runs `sennit` (a path) with these words (NULL-terminated) in `directory`, with `input` (or NULL) as its standard
 * input. */
bool capture_run(const char *sennit, const char *const *words, const char *directory, const Text *input,
                 unsigned seconds, Captured *capture, Error *error);
void capture_release(Captured *capture);

#endif
