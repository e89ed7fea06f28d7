/* final_report.h - the report of a shared search, made by resuming a checkpoint without jobs
 *
 * What the store collected (counts, bugs, records of the program) becomes a checkpoint in which
 * nothing is left to explore. The process of the program resumes it: it confirms the bugs and writes
 * the report and the run directory exactly as after a search on one machine. So there is one way to
 * report, and the coordinator needs to know nothing about programs.
 */
#ifndef DIST_SEARCH_FINAL_REPORT_H
#define DIST_SEARCH_FINAL_REPORT_H

#include "dist/search/parcel.h"

/* The result of a shared search, as the store has it; all borrowed. */
typedef struct SharedResult {
    const StoreReport *report;
    const StoreBugs *bugs;
    const Text *records;     /* sections of a checkpoint */
} SharedResult;

/* Confirms the bugs and reports. `options` become those of a resumed search on this machine. Returns the
 * exit code of the reporting process, or -1 with `error` set. The checkpoint is a temporary file, removed
 * in any case. */
int final_report(const SharedResult *result, const Parcel *parcel, const SharedProgram *program, Options *options,
                 int argc, char **argv, Error *error);

#endif
