/* endings.h - the final states that executions of a model reached, and the executions kept
 *
 * In a region of its own: workers add to it, the supervisor reads it. For each final state (fields of all objects and
 * the kinds of bugs) the schedule of the first execution that reached it is kept; on request, that of every execution.
 */
#ifndef SUBJECT_ABS_ENDINGS_H
#define SUBJECT_ABS_ENDINGS_H

#include "abs/program/program_abs.h"
#include "app/run/subject.h"
#include "base/region.h"
#include "base/sharelock.h"
#include "core/schedule.h"

#define ENDINGS_CUT (1u << 31)

enum {
    ENDINGS_STATES = 10000,      /* kept with an execution; further ones are only counted */
    ENDINGS_EXECUTIONS = 100000, /* kept, if all are requested                            */
    ENDINGS_BUCKETS = 1 << 14
};

typedef struct EndState {
    struct EndState *next;       /* in the order of their first appearance               */
    struct EndState *same_bucket;
    uint64_t hash;
    uint64_t executions;         /* that reached it                                      */
    uint32_t kinds;              /* bit per BugKind: what was found in them; ENDINGS_CUT */
    uint32_t number;             /* from 1                                               */
    Schedule *schedule;          /* NULL: not kept                                       */
    char *text;                  /* the schedule as another process wrote it, to be read */
    size_t text_size;
    uint64_t sent;               /* executions written for other processes               */
} EndState;

typedef struct KeptExecution {
    struct KeptExecution *next;
    const EndState *state;
    ExecutionTag tag;
    Schedule *schedule;          /* NULL: void, or not read yet                           */
    char *text;                  /* as another process wrote it                           */
    size_t text_size;
} KeptExecution;

typedef struct Endings {
    Region *region;
    Sharelock lock;
    bool keep_all;
    EndState *buckets[ENDINGS_BUCKETS];
    EndState *first, *last;
    uint32_t count;              /* different ones        */
    KeptExecution *first_kept, *last_kept, *last_sent;
    uint64_t kept, not_kept;     /* executions            */
    uint64_t not_kept_sent;
    uint64_t kinds[BUG_KIND_COUNT]; /* executions that showed a bug of the kind */
    uint64_t fine;               /* executions without    */
    uint64_t cut;                /* executions without that a limit cut: their ends are unknown */
    uint64_t executions;
} Endings;

/* NULL if no memory can be reserved. */
Endings *endings_create(bool keep_all);

/* Records the end of an execution, while its final state is that of the program. */
void endings_add(Endings *endings, const AbsProgram *program, const Execution *ex, ExecutionTag tag);
/* Discards the executions of the part after this one. How often states were reached is not corrected. */
void endings_forget(Endings *endings, ExecutionTag last);

/* For other processes, one line after another: what is new since the last call, or all.
 *     state HASH KINDS EXECUTIONS SIZE    and SIZE bytes: the schedule, if the state is new
 *     kept HASH SIZE                      and SIZE bytes: the schedule of an execution
 *     unkept COUNT */
void endings_write(Endings *endings, Program *program, bool all, Text *out);
/* Adds such a line; *at, which is after it, is moved past its bytes. False if it is malformed. */
bool endings_read(Endings *endings, const char *line, const char **at, const char *end);
/* Turns the texts of executions that were read into schedules; executes the program. */
void endings_resolve(Endings *endings, Program *program, Execution *ex, Execution *probe);

/* What was found in an execution: a bit per BugKind, and whether a limit cut it. */
uint32_t endings_kinds(const Execution *ex);
/* Identifies a final state in every process: its objects and the kinds of bugs found. */
uint64_t endings_hash(const AbsProgram *program, const Execution *ex);

#endif
