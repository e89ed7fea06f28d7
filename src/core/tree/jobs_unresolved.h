/* jobs_unresolved.h - nodes of the common tree whose footprint is not known yet
 *
 * Of a node read from text only the agent and the outcomes of its choices are known. resolve.h completes
 * the labels by running the program.
 */
#ifndef CORE_TREE_JOBS_UNRESOLVED_H
#define CORE_TREE_JOBS_UNRESOLVED_H

#include "core/tree/jobs_steps.h"

/* The nodes on a path from a child of the root down. */
typedef VEC(Job *) JobPath;

/* Puts a path with unresolved nodes into *path that has to be resolved before `job` can be explored. False
 * if there is none. */
bool jobs_find_unresolved(Jobs *jobs, Job *job, JobPath *path);
bool job_is_resolved(const Job *job);
/* The step that leads to the node. Unresolved: only its agent and choices are known, and a choice with a
 * condition has condition UINT32_MAX. */
const Label *job_label(const Job *job);
/* Completes the label of an unresolved node (copied). */
void jobs_resolve(Jobs *jobs, Job *job, const Label *label);

#endif
