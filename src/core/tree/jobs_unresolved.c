/* jobs_unresolved.c - see jobs_unresolved.h */
#include "core/tree/jobs_unresolved.h"

#include "core/tree/jobs_internal.h"

static void path_to(Job *node, JobPath *path)
{
    path->count = 0;
    VEC_RESERVE(path, node->depth + 1);
    path->count = node->depth;
    for (; node->parent; node = node->parent)
        path->items[node->depth - 1] = node;
}

/* Down to a leaf, as far as sequences descend: one run then resolves all steps. */
static Job *lowest_unresolved(Job *node)
{
    while (node->state == PRESCRIBED && node->children) {
        Job *child = node->children;
        while (child && child->resolved)
            child = child->next;
        if (!child)
            return node;
        node = child;
    }
    return node;
}

/* What was found to be complete is not visited again: branches are long, and queried node by node. */
static Job *find_unresolved(Job *child)
{
    for (; child; child = child->next) {
        if (!child->resolved)
            return lowest_unresolved(child);
        Job *below = child->state == PRESCRIBED && !child->settled ? find_unresolved(child->children) : NULL;
        if (below)
            return below;
        child->settled = child->state == PRESCRIBED;
    }
    return NULL;
}

bool jobs_find_unresolved(Jobs *jobs, Job *job, JobPath *path)
{
    Job *found = NULL;
    jobs_lock(jobs);
    for (Job *node = job; jobs->from_text && node->parent && !found; node = node->parent)
        if (!node->resolved)
            found = job;
    for (Job *node = job; jobs->from_text && node->parent && !found; node = node->parent)
        found = find_unresolved(node->parent->children);
    if (found)
        path_to(found, path);
    jobs_unlock(jobs);
    return found != NULL;
}

bool job_is_resolved(const Job *job) { return job->resolved; }
const Label *job_label(const Job *job) { return job->label; }

void jobs_resolve(Jobs *jobs, Job *job, const Label *label)
{
    jobs_lock_to_change(jobs);
    if (!job->resolved) {
        jobs_set_label(jobs, job, label);
        job->resolved = true;
    }
    jobs_unlock(jobs);
}
