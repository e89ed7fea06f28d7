/* tests.h - one test per execution: a trace to replay, and a driver that runs without Sennit
 *
 * Workers write traces into the directory of --tests as executions end; when the search is over, the
 * supervisor reads them back, removes those that --select does not need, and writes the driver with its
 * table of inputs.
 */
#ifndef SUBJECT_C_TESTS_H
#define SUBJECT_C_TESTS_H

#include "app/run/subject.h"

/* Members of subject_c (subject.h). */
SearchRecord *tests_create(Region *region, Program *program, const RunInfo *info, const Style *style, Error *error);
Ending tests_note(SearchRecord *record, const Execution *ex, ExecutionTag tag);
void tests_forget(SearchRecord *record, ExecutionTag last);
void tests_report(SearchRecord *record, const Summary *summary, const Style *style, Text *out);
void tests_save(SearchRecord *record, RunDir *directory);
bool tests_show_end(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info, const Style *style,
                    Text *out);

/* Writes the driver for the traces test<number>.trace of the directory (tests_driver.c). */
bool tests_write_driver(const RunInfo *info, const char *directory, const uint32_t *numbers, uint32_t count,
                        Error *error);
#define TESTS_KIND "test" /* of traces that are not of a bug */
/* Subject.describe_end: how the program ends. */
void tests_describe_end(Program *program, const Execution *ex, Trace *trace);
/* Replaces `path` by the name of a test's trace. */
void tests_name(const char *directory, uint32_t number, Text *path);
bool tests_write_file(const char *path, const char *bytes, size_t size, Error *error);

#endif
