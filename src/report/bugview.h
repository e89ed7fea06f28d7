/* bugview.h - everything that reports show of one bug
 *
 * Filled by subject/c/inspect_c.c and subject/abs/inspect_abs.c after a replay, read by every report.
 * The program under test is not needed any more. Strings belong to the trace.
 */
#ifndef REPORT_BUGVIEW_H
#define REPORT_BUGVIEW_H

#include "base/arena.h"
#include "report/identity.h"
#include "report/sequence.h"
#include "report/trace.h"

enum { VIEW_FRAMES = 16, VIEW_LOCKS = 16, VIEW_PARAGRAPHS = 6, VIEW_EARLIER = 4, VIEW_NO_THREAD = -1 };
#define VIEW_NOWHERE UINT32_MAX

typedef struct ThreadView {
    const char *path;  /* "0.1": the agent of steps         */
    const char *name;  /* for readers                       */
} ThreadView;

typedef struct LockView {
    const char *name;
    TracePlace taken;  /* where it was acquired             */
} LockView;

/* Another bug that the same execution showed before: a possible cause. */
typedef struct EarlierBug {
    const char *kind;
    char id[IDENTITY_TEXT];
} EarlierBug;

/* A thread that takes part in the bug, and what it was doing. */
typedef struct PartyView {
    uint32_t thread;         /* into BugView.threads                              */
    const char *action;      /* "waits for mutex b", "writes x"                   */
    const char *brief;       /* a shorter action for columns; NULL: action        */
    uint32_t position;       /* the number of steps of the trace before the action;
                                VIEW_NOWHERE: the steps show it already            */
    TracePlace place;
    TracePlace frames[VIEW_FRAMES]; /* the calls that led there, innermost first  */
    uint32_t frame_count;
    bool locks_known;        /* false: it is not known which locks it held        */
    LockView locks[VIEW_LOCKS];
    uint32_t lock_count;
    const char *waits_for;   /* the resource a waiting thread needs, or NULL      */
    int32_t owner;           /* the thread that has it, or VIEW_NO_THREAD            */
    TracePlace owner_place;  /* where that thread acquired it                     */
    const char *awaits;      /* in a deadlock of tasks: the task that is to return, or the object that is
                                to be free; NULL: nothing                          */
    uint32_t awaited;        /* if so, the task that is in the way                 */
} PartyView;

typedef struct BugView {
    Trace *trace;            /* steps, kind, id, summary, places                  */
    ThreadView *threads;     /* in the order of columns                           */
    uint32_t thread_count;
    PartyView parties[FINDING_AGENTS]; /* the acting one first                    */
    uint32_t party_count;
    uint32_t loop;           /* so many steps, the last ones, can be repeated for ever; 0: none */
    const bool *marked;      /* per step: never left out; NULL: none              */
    const bool *preempts;    /* per step: it preempts another thread; NULL: none  */
    const Sequence *sequence;/* the steps as calls between objects, shown instead of the steps of
                                threads; NULL: there is none                      */
    const char *explanation[VIEW_PARAGRAPHS]; /* what weak memory had to do with it */
    uint32_t explanation_count;
    EarlierBug earlier[VIEW_EARLIER]; /* the first ones                           */
    uint32_t earlier_count;
    bool is_weak;            /* the execution is not possible under sequential consistency */
    const char *path;        /* conditions on the inputs, a line for each; NULL: none shown */
    bool diagram;            /* also show it as a diagram                         */
    bool whole;              /* show every step of the sequence, with all events  */
    bool actors;             /* it is of actors in C: show only the diagram       */
    const char *output;      /* what the program printed                          */
    size_t output_size;
    const char *trace_path;  /* in the command that replays it; NULL: not written */
    Arena *arena;            /* of the sequence, or NULL                          */
    const char *doubt;       /* why it is not confirmed, NULL if it is            */
} BugView;

/* The number of the thread with this path; the thread is added if it is new. */
uint32_t bugview_add_thread(BugView *view, const char *path, const char *name);

/* Adds the agents of a finished execution that took steps. */
void bugview_add_agents(BugView *view, Program *program, const Execution *ex);

/* Adds the bugs that the execution showed before this one. */
void bugview_add_earlier(BugView *view, Program *program, const Execution *ex, const Finding *finding);

/* A view of a trace that was not replayed; `agent` is the word for an agent ("thread"). Takes ownership of the
 * trace. */
BugView *bugview_of_trace(Trace *trace, const char *agent);

/* Also destroys the trace. NULL is ignored. */
void bugview_destroy(BugView *view);

#endif
