/* runinfo.h - which program runs, how, and with what: the same in every process of a run */
#ifndef APP_RUN_RUNINFO_H
#define APP_RUN_RUNINFO_H

#include "app/options/options.h"
#include "base/region.h"
#include "core/program.h"
#include "report/trace.h"

typedef struct Subject Subject;

/* One program with its options and arguments. */
typedef struct RunInfo {
    const Subject *subject;
    char *program;      /* absolute path of the test binary or model */
    char *name;         /* its name in reports                      */
    char *directory;    /* where it runs                            */
    char hash[17];      /* of its contents                          */
    int argc;           /* the program's own arguments, with name   */
    char **argv;        /* the originals: the program may change them */
    char **arguments;   /* a copy that stays unchanged              */
    Options options;
    bool options_given; /* SENNIT_OPTIONS was set                   */
    bool memory_chosen; /* the memory model was not given: another one may be taken */
} RunInfo;

/* Reads SENNIT_OPTIONS and lets the subject identify the program. */
bool runinfo_init(RunInfo *info, const Subject *subject, int argc, char **argv, Error *error);
void runinfo_release(RunInfo *info);

/* Fills in the header of a trace. */
void runinfo_describe(const RunInfo *info, Trace *trace);

#endif
