/* solving.h - the solver of a run: its program, where its queries are written, and its statistics */
#ifndef APP_RUN_SOLVING_H
#define APP_RUN_SOLVING_H

#include "app/options/options.h"
#include "report/summary.h"
#include "sym/session/archive.h"

/* Completes the options: if no solver program is given, it is the one that was built or installed with the
 * runtime; the directory for queries is created and named by an absolute path. False if it cannot be
 * created. Whether the solver exists is checked when it is first needed. */
bool solving_prepare(Options *options, Error *error);

/* Adds to the summary the member "solver" of run.json, a bound if some answer was unknown, and the CPU time
 * of solver processes. */
void solving_summarise(const SymStats *stats, Summary *summary);

/* For other processes: a line "solver NUMBER ..." with what was counted since `sent`, which is updated; with
 * all counts if `sent` is NULL. Nothing is written if no count has changed. */
void solving_write(const SymStats *stats, SymStats *sent, Text *out);
/* Reads such a line back. False if it is not one. */
bool solving_read(SymStats *stats, const char *line);

#endif
