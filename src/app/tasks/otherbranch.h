/* otherbranch.h - what if a branch that the inputs decided had gone the other way?
 *
 * The execution of a trace is run once, to learn the conditions that its inputs satisfy. Those up to the branch, and
 * the opposite of the branch's own, give other inputs, if there are any. With them the execution takes the steps of
 * the trace up to the branch, and continues by the default policy.
 */
#ifndef APP_TASKS_OTHERBRANCH_H
#define APP_TASKS_OTHERBRANCH_H

#include "app/tasks/replaysession.h"
#include "app/tasks/whatif.h"

/* The execution of the trace has been run: is the choice that is asked for one that the inputs decided? */
bool otherbranch_applies(const ReplaySession *session, const WhatIf *whatif);

/* Finds the inputs, and prepares the session for an execution with them. False if there are none. */
bool otherbranch_prepare(ReplaySession *session, WhatIf *whatif, Error *error);

#endif
