/* solving.h - where the solver program is and where its queries are written */
#ifndef APP_SOLVING_H
#define APP_SOLVING_H

#include "app/options.h"

/* Completes the options: the solver program, if the tool did not say which, is the one that
 * was built or installed with the runtime; the directory for queries is made, and named by an
 * absolute path. False if it cannot be made. Whether the solver is there is seen when
 * it is needed first. */
bool solving_prepare(Options *options, Error *error);

#endif
