/* bugview.h - everything that is known of one bug, ready to be shown
 *
 * The program under test has been replayed; nothing in here needs it any more. Strings
 * belong to the trace. Filled by subject/c/inspect_c.c and subject/abs/inspect_abs.c, read by every report.
 */
#ifndef REPORT_BUGVIEW_H
#define REPORT_BUGVIEW_H

#include "base/arena.h"
#include "report/sequence.h"
#include "report/trace.h"

enum { VIEW_FRAMES = 16, VIEW_LOCKS = 16, VIEW_NOBODY = -1 };
#define VIEW_NOWHERE UINT32_MAX

typedef struct ThreadView {
    const char *path;  /* "0.1": the agent of steps         */
    const char *name;  /* for people                        */
} ThreadView;

typedef struct LockView {
    const char *name;
    TracePlace taken;  /* where it was acquired             */
} LockView;

/* A thread that takes part in the bug, and what it was doing. */
typedef struct PartyView {
    uint32_t thread;         /* into BugView.threads                              */
    const char *action;      /* "waits for mutex b", "writes x"                   */
    const char *brief;       /* the same in few words, for columns; NULL: action  */
    uint32_t position;       /* it does so after so many steps of the trace;
                                VIEW_NOWHERE: the steps show it already            */
    TracePlace place;
    TracePlace frames[VIEW_FRAMES]; /* the calls that led there, innermost first  */
    uint32_t frame_count;
    bool locks_known;        /* false: what it held then is not known             */
    LockView locks[VIEW_LOCKS];
    uint32_t lock_count;
    const char *waits_for;   /* the resource a waiting thread needs, or NULL      */
    int32_t owner;           /* the thread that has it, or VIEW_NOBODY            */
    TracePlace owner_place;  /* where that thread got it                          */
} PartyView;

typedef struct BugView {
    Trace *trace;            /* steps, kind, id, summary, places                  */
    ThreadView *threads;     /* in the order of columns                           */
    uint32_t thread_count;
    PartyView parties[FINDING_AGENTS]; /* the acting one first                    */
    uint32_t party_count;
    const bool *marked;      /* per step: never left out; NULL: none              */
    const bool *preempts;    /* per step: another thread could have gone on; NULL */
    const Sequence *sequence;/* the same for objects that call each other, shown instead of the steps
                                of threads; NULL: there is none                   */
    bool diagram;            /* show it as a diagram too                          */
    bool actors;             /* the sequence is of actors in C: a diagram says it all */
    const char *output;      /* what the program printed                          */
    size_t output_size;
    const char *trace_path;  /* for the command to replay it; NULL: not written   */
    Arena *arena;            /* of the sequence, or NULL                          */
    const char *doubt;       /* why it is not confirmed, NULL if it is            */
} BugView;

#endif
