/* subject.h - what the app must know about a kind of program, beyond the program contract
 *
 * Searching, confirming and replaying are the same for all programs under test. Where C programs and
 * models differ (how a program is opened, what is known about a bug, what is recorded of every
 * execution), the app uses a table of functions. subject/c has the table of test binaries, subject/abs
 * that of ABS models; a process has one, given by its main function.
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
    STAGE_REPLAY,   /* everything that reports need is recorded         */
    STAGE_DEBUG,    /* like REPLAY, for a debugger                      */
    STAGE_PLAIN     /* one execution, without exploration               */
} StagePurpose;

/* What a subject records of the executions of a search, in a region: the workers add to it, the
 * supervisor reads it. Only the subject knows its members: it casts the pointer to its own type. */
typedef struct SearchRecord SearchRecord;

/* Names an execution of a search: the `serial`-th of one part (a strategy of a worker). */
typedef struct ExecutionTag {
    uint32_t part;
    uint64_t serial;
} ExecutionTag;

struct Subject {
    const char *agent;    /* the word for an agent: "thread", "task"            */
    const char *agents;   /* its plural                                         */
    const char *version;  /* the word for a changed program: "build", "version" */
    bool causes_first;    /* of several bugs, those that others may follow from come first; only one is shown whole */
    bool may_crash;       /* executions may kill the process they run in        */

    /* Fills in program and hash, and the options that depend on the kind of program. */
    bool (*identify)(RunInfo *info, Error *error);
    /* Sets the program up; once per process, before the first fork. `fragile`: executions may kill the
     * process they run in, and the caller is to survive that. */
    Program *(*open)(const RunInfo *info, Region *region, StagePurpose purpose, bool fragile, Error *error);
    /* Describes the bug of a replayed execution; the view owns its trace. */
    BugView *(*inspect)(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info);

    /* Sets kind, id and summary of the trace of an execution without a bug. */
    void (*describe_end)(Program *program, const Execution *ex, Trace *trace);

    /* May be NULL: */

    /* The steps as calls between objects, or messages between actors; NULL if there are none. In the arena. */
    const Sequence *(*sequence)(Program *program, const Execution *ex, Arena *arena);
    /* The message that an agent of a finished execution was; false if it was none. */
    bool (*mail)(const Execution *ex, AgentId agent, Mail *mail);

    /* Does this status of a worker (of waitpid) say that the program uses something that is not modelled? */
    bool (*refuses)(int status);
    /* What that is, in a sentence. */
    const char *(*refusal)(const Program *program);
    /* Would it not be refused under sequential consistency? NULL: no. */
    bool (*needs_sc)(const Program *program);
    /* Makes the change of the program with this number for the executions that follow, and describes it; a change that
     * may remove a bug of a replayed execution, the smallest first. False if there are no more. */
    bool (*repair)(Program *program, const Execution *ex, const Finding *finding, uint32_t number, Text *words);
    /* Calls `each` with the name of every uninstrumented function that was called. */
    void (*each_opaque)(void (*each)(void *context, const char *name), void *context);
    /* Runs the program once, without exploration, and returns its exit status; writes the number of its
     * agents to --result-fd. */
    int (*run_plain)(const RunInfo *info);
    /* Looks for deadlocks (--task=deadlock); returns the exit code. */
    int (*run_deadlock)(RunInfo *info);

    /* The coverage by all processes so far, sorted; false if it is not known. The record is NULL if there is none. */
    bool (*read_coverage)(SearchRecord *record, CodeCoverage *coverage);
    /* The number of outcomes of branches, and of those that were taken. NULL if read_coverage is. */
    void (*count_branches)(SearchRecord *record, uint32_t *ways, uint32_t *taken);

    /* Does a replayed execution without a bug end as the trace says? Adds a description to `out`. NULL: there
     * are only traces of bugs. */
    bool (*show_end)(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info,
                     const Style *style, Text *out);

    /* Calls `each` with every goal that the program names. */
    void (*each_goal)(void (*each)(void *context, const char *name, bool is_reached), void *context);

    /* Could the search recognise states of this program (--reduction=states)? */
    bool (*knows_states)(const Program *program, const RunInfo *info);
    /* Adds bounds that only this kind of program has, and members of run.json. */
    void (*summarise)(Program *program, Summary *summary);

    /* All or none: */

    SearchRecord *(*record_create)(Region *region, Program *program, const RunInfo *info, const Style *style,
                             Error *error);
    /* In a worker, after each execution, while its final state still exists. Returns ENDING_DONE if the search
     * is to continue; ENDING_REFUSED if the program uses something that is not modelled; ENDING_ENOUGH. */
    Ending (*record_execution)(SearchRecord *record, const Execution *ex, ExecutionTag tag);
    /* Forgets the executions of the part after this one: their process was killed and they will be repeated.
     * In the supervisor, while other workers continue. May be NULL. */
    void (*record_forget)(SearchRecord *record, ExecutionTag last);
    /* Writes what was recorded since the last call, or all of it, as text. NULL: the record is not passed on
     * to other processes. */
    void (*record_write)(SearchRecord *record, bool all, Text *out);
    /* Adds such a text of another process to the record. */
    bool (*record_read)(SearchRecord *record, const char *text, size_t size);
    /* For a shared search that ends when its workers together have reached enough: writes " WORD WORD ..." for
     * what is new since the last call and returns how many different words are enough; 0: it does not end
     * this way. May be NULL. */
    uint32_t (*record_reached)(SearchRecord *record, Text *words);
    /* Adds its bounds and members of run.json. May be NULL. */
    void (*record_summarise)(SearchRecord *record, Summary *summary);
    /* What is printed before the verdict, and files for the run directory. */
    void (*record_report)(SearchRecord *record, const Summary *summary, const Style *style, Text *out);
    void (*record_save)(SearchRecord *record, RunDir *directory);
};

#endif
