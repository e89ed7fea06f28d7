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
    bool evaluates_inputs; /* it uses `inputs` as they are */
    SymStats *stats;      /* in the archive, or `own` */
    SymStats own;
    bool full;            /* the archive had no room */

    /* -- the execution -- */
    Assignment inputs;
    bool changed;         /* inputs got values since evaluator and path were told */
    VEC(InputId) met;
    VEC(uint32_t) met_in; /* by input: the execution that met it last */
    uint32_t execution;
    Map given;            /* hash of name and number -> index into values */
    VEC(Bits) values;

    /* -- the path that was asked about last -- */
    PathCond *path;
    VEC(Literal) literals;
    VEC(PathMark) marks;  /* before each literal */
    uint32_t held;        /* as many of them hold for `inputs`, which were made from them */
    Map answers;          /* hash of a question -> answer */
};

/* Forgets the path; to be called before the pool is reset. */
void session_path_reset(Session *session);

/* Makes these literals the path, adding the ranges of their inputs. */
void session_path_set(Session *session, const Literal *literals, uint32_t count);

/* Inputs for the path, into *assignment (may be NULL). */
SolverResult session_path_solve(Session *session, Assignment *assignment);

#endif
