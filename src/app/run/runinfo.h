/* runinfo.h - which program runs, how, and with what: the same in every process of a run */
#ifndef APP_RUN_RUNINFO_H
#define APP_RUN_RUNINFO_H

#include "app/options/options.h"
#include "base/region.h"
#include "core/program.h"
#include "report/trace.h"

typedef struct Subject Subject;

typedef struct RunInfo {
    const Subject *subject;
    char *program;      /* absolute path of the test binary or model */
    char *name;         /* what to call it in reports               */
    char *directory;    /* where it runs                            */
    char hash[17];      /* of its contents                          */
    int argc;           /* the program's own arguments, with name   */
    char **argv;        /* as they came: the program may change them */
    char **arguments;   /* a copy that nobody changes               */
    Options options;
    bool options_given; /* SENNIT_OPTIONS was set                   */
} RunInfo;

/* Reads SENNIT_OPTIONS and finds out the rest. */
bool runinfo_init(RunInfo *info, const Subject *subject, int argc, char **argv, Error *error);
void runinfo_release(RunInfo *info);

/* Fills the header of a trace. */
void runinfo_describe(const RunInfo *info, Trace *trace);

#endif
