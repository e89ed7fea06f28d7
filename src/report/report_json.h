/* report_json.h - results for programs: run.json, stats.jsonl, --json
 *
 * Scripts rely on the names of members: add, never rename.
 */
#ifndef REPORT_REPORT_JSON_H
#define REPORT_REPORT_JSON_H

#include "report/bugview.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/summary.h"

/* One element of run.json's list of bugs. `trace` is the path within the run directory. */
void report_json_bug(const BugView *view, const char *trace, Text *out);

/* Conditions on the inputs, a line for each, as the member path_condition. */
void report_json_path(const char *path, Json *json);
/* The whole of run.json; `bugs` are texts of report_json_bug. */
void report_json_run(const Summary *summary, const Text *bugs, uint32_t bug_count, Text *out);

/* One line of stats.jsonl. */
void report_json_progress(const ExploreStats *stats, const ProgressWork *work, double seconds, uint32_t bugs,
                          Text *out);

#endif
