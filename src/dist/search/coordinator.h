/* coordinator.h - the process that puts a search into a store, follows it and reports the result
 *
 * The coordinator explores nothing itself: workers on any machine do (dist/worker.h). It can be
 * interrupted and started again with the same command; the search continues meanwhile.
 */
#ifndef DIST_SEARCH_COORDINATOR_H
#define DIST_SEARCH_COORDINATOR_H

#include "dist/search/parcel.h"

/* Explores `program` through options->store, attaching to the search if the store has it already.
 * Changes `options` to those of the final report. Returns the exit code of sennit, or -1 with `error`
 * set. argc and argv are the user's command, for the report. */
int coordinator_run(const SharedProgram *program, Options *options, int argc, char **argv, Error *error);

#endif
