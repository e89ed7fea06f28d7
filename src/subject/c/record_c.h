/* record_c.h - what is noted of the executions of a C program: tests.c and record_c_wire.c see it */
#ifndef SUBJECT_C_RECORD_C_H
#define SUBJECT_C_RECORD_C_H

#include <stdatomic.h>

#include "base/map.h"
#include "rt/inputs/tracking.h"
#include "rt/program/program_c.h"
#include "subject/c/tests.h"

/* A test that was written; in the region. */
typedef struct TestEntry {
    uint32_t number;        /* 0: there is none, or it is void             */
    ExecutionTag tag;
    uint8_t *ways;          /* with --select=branch: the ways it goes at branches; NULL: it crashed */
} TestEntry;

/* What other processes have heard of. */
typedef struct Told {
    uint8_t *marks[RT_MARKS];
    uint32_t tests, left;
    SymStats solving;
    uint64_t symmetric;
    Map taken;              /* by site: how often values were taken there as they are */
} Told;

typedef struct CRecord {
    const RunInfo *info;
    Region *region;
    bool wanted;
    bool selects;
    uint32_t way_count;
    uint8_t *seen;          /* ways that some test goes                     */
    uint64_t most;          /* tests to write                               */
    _Atomic uint32_t count; /* numbers given                                */
    _Atomic uint32_t left;  /* not written, because there were too many     */
    _Atomic bool failed;
    TestEntry *entries;     /* `most` of them                               */
    Told told;
    char problem[400];
} CRecord;

/* The next entry; NULL if there are enough tests: then one more is left out. */
TestEntry *record_c_new_test(CRecord *record, ExecutionTag tag, const uint8_t *ways);
void record_c_write_test(CRecord *record, const TestEntry *entry, const Trace *trace);

#endif
