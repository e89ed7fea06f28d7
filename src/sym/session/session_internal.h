/* session_internal.h - a session, between session.c and session_path.c */
#ifndef SYM_SESSION_SESSION_INTERNAL_H
#define SYM_SESSION_SESSION_INTERNAL_H

#include "base/map.h"
#include "sym/session/session.h"

struct Session {
    Archive *archive;
    ExprPool *pool;
    ExprMark start;
    uint32_t pool_limit;
    Transfer to_archive, from_archive;
    Solver *solver;
    Support *support;
    Evaluator *evaluator;
    bool evaluates_inputs; /* the evaluator uses the current `inputs` */
    SymStats *stats;      /* in the archive, or `own` */
    SymStats own;
    bool full;            /* the archive had no room */

    /* -- the execution -- */
    Assignment inputs;
    bool changed;         /* inputs got values that evaluator and path do not know yet */
    VEC(InputId) met;
    VEC(uint32_t) met_in; /* by input: the last execution that read it */
    uint32_t execution;
    Map given;            /* hash of name and number -> index into values */
    VEC(Bits) values;

    /* -- the path of the last query -- */
    PathCond *path;
    VEC(Literal) literals;
    VEC(PathMark) marks;  /* before each literal */
    uint32_t held;        /* how many of them hold for `inputs`, which were solved from them */
    Map answers;          /* hash of a query -> answer */
};

/* Empties the path; to be called before the pool is reset. */
void session_path_reset(Session *session);

/* Makes these literals the path, adding the ranges of their inputs. */
void session_path_set(Session *session, const Literal *literals, uint32_t count);

/* Solves the path; the inputs are put into *assignment (may be NULL). */
SolverResult session_path_solve(Session *session, Assignment *assignment);

#endif
