/* solving.h - where the solver program is, where its queries are written, what it did */
#ifndef APP_RUN_SOLVING_H
#define APP_RUN_SOLVING_H

#include "app/options/options.h"
#include "report/summary.h"
#include "sym/session/archive.h"

/* Completes the options: the solver program, if the tool did not say which, is the one that
 * was built or installed with the runtime; the directory for queries is made, and named by an
 * absolute path. False if it cannot be made. Whether the solver is there is seen when
 * it is needed first. */
bool solving_prepare(Options *options, Error *error);

/* Adds to the summary what was solved: the member "solver" of run.json, and a bound if some
 * answer stayed unknown; the CPU time of solver processes becomes part of the run's. */
void solving_summarise(const SymStats *stats, Summary *summary);

/* For other processes, as a line "solver NUMBER ...": what was counted since `told`, which is brought
 * up to date; or all, if that is NULL. Nothing if there is nothing. And back; false if it is not one. */
void solving_write(const SymStats *stats, SymStats *told, Text *out);
bool solving_read(SymStats *stats, const char *line);

#endif
