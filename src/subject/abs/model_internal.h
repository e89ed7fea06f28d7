/* model_internal.h - what the files of the ABS subject share */
#ifndef SUBJECT_ABS_MODEL_INTERNAL_H
#define SUBJECT_ABS_MODEL_INTERNAL_H

#include "abs/program/program_abs.h"
#include "app/run/subject.h"

/* ---- The table for the app (subject_abs.c) ---- */

const Subject *model_subject(void);

/* ---- Bugs (inspect_abs.c): Subject.inspect, show_end, describe_end and sequence ---- */

void describe_end_abs(Program *program, const Execution *ex, Trace *trace);
const Sequence *sequence_abs(Program *program, const Execution *ex, Arena *arena);
BugView *inspect_abs(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info);

bool show_end_abs(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info, const Style *style,
                  Text *out);

/* ---- Executions of a search (record_abs.c); app/run/subject.h says what they do ---- */

SearchRecord *record_create(Region *region, Program *program, const RunInfo *info, const Style *style, Error *error);
Ending record_execution(SearchRecord *record, const Execution *ex, ExecutionTag tag);
void record_forget(SearchRecord *record, ExecutionTag last);
void record_summarise(SearchRecord *record, Summary *summary);
void record_report(SearchRecord *record, const Summary *summary, const Style *style, Text *out);
void record_save(SearchRecord *record, RunDir *directory);
void record_write(SearchRecord *record, bool all, Text *out);
bool record_read(SearchRecord *record, const char *text, size_t size);
uint32_t record_reached(SearchRecord *record, Text *words);
bool record_coverage(SearchRecord *record, CodeCoverage *coverage);
void record_branches(SearchRecord *record, uint32_t *ways, uint32_t *taken);

#endif
