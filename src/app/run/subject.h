/* subject.h - what the app must know of a kind of program, beyond the program contract
 *
 * Searching, confirming and replaying are the same for all programs under test. Where
 * C programs and models differ (how one is opened, what can be told of a bug, what is
 * noted of every execution), the app asks the table in here. native/ has the one of test
 * binaries, model/ the one of ABS models; a process has one, given by its main function.
 */
#ifndef APP_RUN_SUBJECT_H
#define APP_RUN_SUBJECT_H

#include "app/run/rundir.h"
#include "app/run/runinfo.h"
#include "report/bugview.h"
#include "report/coverage.h"
#include "report/style.h"
#include "report/summary.h"

typedef enum StagePurpose {
    STAGE_SEARCH,   /* as fast as possible, output dropped              */
    STAGE_MINIMISE, /* like SEARCH; survives executions that crash if `fragile` */
    STAGE_REPLAY,   /* everything that reports want is recorded         */
    STAGE_DEBUG,    /* like REPLAY, for a debugger                      */
    STAGE_PLAIN     /* as if it were any program                        */
} StagePurpose;

/* What a subject records of the executions of a search, in a region: the workers add to it, the
 * supervisor reads it. Only the subject knows its members: it casts the pointer to its own type. */
typedef struct SearchRecord SearchRecord;

/* Which execution of a search: the `serial`-th of those that one part of it did. */
typedef struct ExecutionTag {
    uint32_t part;
    uint64_t serial;
} ExecutionTag;

struct Subject {
    const char *agent;    /* what people call an agent: "thread", "task"        */
    const char *agents;   /* and several                                        */
    const char *version;  /* what they call another version: "build", "version" */
    bool may_crash;       /* executions may kill the process they run in        */
    bool counts_steps;    /* record_summarise adds the bound of --max-steps     */

    /* Fills in program and hash, and settles what options leave open. */
    bool (*identify)(RunInfo *info, Error *error);
    /* Sets the program up. Once per process, before anything is forked. `fragile`: the
     * executions may kill the process they run in, which is to survive. */
    Program *(*open)(const RunInfo *info, Region *region, StagePurpose purpose, bool fragile, Error *error);
    /* Describes the bug of a replayed execution; the view owns its trace. */
    BugView *(*inspect)(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info);

    /* May be NULL: */

    /* Does this status of a worker (as of waitpid) say that the program wants what is not
     * modelled? And what that is. */
    bool (*refuses)(int status);
    const char *(*refusal)(const Program *program);
    /* Calls `each` with the name of each function that ran as it is. */
    void (*each_opaque)(void (*each)(void *context, const char *name), void *context);
    /* Runs the program as if it were any program and answers its exit status; --result-fd
     * gets the number of its agents. */
    int (*run_plain)(const RunInfo *info);
    /* Looks for deadlocks (--task=deadlock); answers the exit code. */
    int (*run_deadlock)(RunInfo *info);

    /* What the executions of all processes did so far, sorted; false if that is not known. And
     * how many ways branches have, and went. Both or none. */
    bool (*read_coverage)(CodeCoverage *coverage);
    void (*count_branches)(uint32_t *ways, uint32_t *taken);

    /* A replayed execution without a bug: does it end as the trace says? Adds what is shown
     * of it to `out`. NULL: traces are of bugs only. */
    bool (*show_end)(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info,
                     const Style *style, Text *out);

    /* Calls `each` with every point of interest that the program names. */
    void (*each_goal)(void (*each)(void *context, const char *name, bool is_reached), void *context);

    /* Adds bounds that only this kind of program has, and members of run.json. */
    void (*summarise)(Program *program, Summary *summary);

    /* All or none: */

    SearchRecord *(*record_create)(Region *region, Program *program, const RunInfo *info, const Style *style,
                             Error *error);
    /* In a worker, after each execution; its final state can still be looked at. Answers how the
     * search is to end now: ENDING_REFUSED if the program wants what is not modelled,
     * ENDING_ENOUGH; or ENDING_DONE if it is to go on. */
    Ending (*record_execution)(SearchRecord *record, const Execution *ex, ExecutionTag tag);
    /* The executions of the part behind this one will be done again: their process was killed. May be
     * NULL. In the supervisor, while other workers go on. */
    void (*record_forget)(SearchRecord *record, ExecutionTag last);
    /* What was noted since the last call, or all of it, as text; and such text of another process,
     * added to what was noted here. NULL: nothing travels. */
    void (*record_write)(SearchRecord *record, bool all, Text *out);
    bool (*record_read)(SearchRecord *record, const char *text, size_t size);
    /* For a search that ends when enough was reached, whoever reached it: " WORD WORD ..." for what is new
     * since the last call; answers how many different words are enough, 0: it does not end so. May be
     * NULL. */
    uint32_t (*record_reached)(SearchRecord *record, Text *words);
    /* Adds its bounds and members of run.json. May be NULL. */
    void (*record_summarise)(SearchRecord *record, Summary *summary);
    /* What is printed before the verdict, and files for the run directory. */
    void (*record_report)(SearchRecord *record, const Summary *summary, const Style *style, Text *out);
    void (*record_save)(SearchRecord *record, RunDir *directory);
};

#endif
