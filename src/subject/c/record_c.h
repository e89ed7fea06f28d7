/* record_c.h - the record of the executions of a C program; seen by tests.c and record_c_wire.c */
#ifndef SUBJECT_C_RECORD_C_H
#define SUBJECT_C_RECORD_C_H

#include <stdatomic.h>

#include "base/map.h"
#include "rt/actors/actor.h"
#include "rt/inputs/tracking.h"
#include "rt/program/program_c.h"
#include "subject/c/tests.h"

/* A test; in the region. */
typedef struct TestEntry {
    uint32_t number;        /* 0: it is not written yet, or is invalid     */
    ExecutionTag tag;
    uint8_t *ways;          /* with --select=branch: the outcomes of branches it takes; NULL: it crashed */
} TestEntry;

/* What was already sent to other processes. */
typedef struct SentRecord {
    uint8_t *marks[RT_MARKS];
    uint32_t tests, left, unseen;
    SymStats solving;
    uint64_t symmetric, faults[FAULT_COUNT];
    Map concretised;        /* by site: how often values were concretised there */
} SentRecord;

typedef struct CRecord {
    const RunInfo *info;
    Region *region;
    bool wanted;
    bool selects;
    uint32_t way_count;
    uint8_t *seen;          /* outcomes that some test takes                */
    uint64_t most;          /* the maximal number of tests                  */
    _Atomic uint32_t count; /* numbers assigned                             */
    _Atomic uint32_t left;  /* tests beyond the maximum, not written        */
    _Atomic bool failed;
    TestEntry *entries;     /* `most` of them                               */
    SentRecord sent;
    char problem[400];
} CRecord;

/* Members of subject_c (app/run/subject.h), in record_c_wire.c. */
void record_c_write(SearchRecord *record, bool all, Text *out);
bool record_c_read(SearchRecord *record, const char *text, size_t size);

/* A new entry; NULL if the maximum is reached: the test is then counted as left out. */
TestEntry *record_c_new_test(CRecord *record, ExecutionTag tag, const uint8_t *ways);
/* Writes the trace of a test, which counts from then on: a process that is killed before leaves no test. A failure is
 * remembered in the record. */
void record_c_write_test(CRecord *record, TestEntry *entry, Trace *trace);

#endif
