/* jobs.c - see jobs.h */
#include "core/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

typedef enum JobState {
    PRESCRIBED, /* part of a way, not a job (yet) */
    OPEN,
    RUNNING,
    OVER        /* explored, or split into the jobs below it */
} JobState;

/* A node of the common tree. */
struct Job {
    Label label;     /* the step that leads here; none for the root */
    Job *parent;
    Job *next;       /* sibling to the right */
    Job *kids;
    Job *next_open;
    uint32_t depth;
    JobState state;
};

struct Jobs {
    Region *region;
    pthread_mutex_t mutex;
    Job *root;
    Job *first_open, *last_open; /* oldest first: they are the shallowest */
    uint32_t open, running;
    uint32_t waiting;            /* workers that found nothing to take */
};

/* ---- Locking ------------------------------------------------------------ */

static void lock(Jobs *jobs)
{
    if (pthread_mutex_lock(&jobs->mutex) == EOWNERDEAD)
        pthread_mutex_consistent(&jobs->mutex);
}

static void unlock(Jobs *jobs) { pthread_mutex_unlock(&jobs->mutex); }

static void init_mutex(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

/* ---- Nodes -------------------------------------------------------------- */

static Job *make_job(Jobs *jobs, Job *parent, const Label *label)
{
    Job *job = region_alloc(jobs->region, sizeof *job + label_tail_size(label));
    *job = (Job){.parent = parent, .depth = parent ? parent->depth + 1 : 0};
    label_copy(&job->label, label, job + 1);
    if (parent) {
        Job **link = &parent->kids;
        while (*link)
            link = &(*link)->next;
        *link = job;
    }
    return job;
}

static void free_jobs(Jobs *jobs, Job *job)
{
    while (job) {
        Job *next = job->next;
        free_jobs(jobs, job->kids);
        region_free(jobs->region, job, sizeof *job + label_tail_size(&job->label));
        job = next;
    }
}

static void open_job(Jobs *jobs, Job *job)
{
    job->state = OPEN;
    job->next_open = NULL;
    if (jobs->last_open)
        jobs->last_open->next_open = job;
    else
        jobs->first_open = job;
    jobs->last_open = job;
    jobs->open++;
}

Jobs *jobs_create(Region *region)
{
    Label nothing = {0};
    Jobs *jobs = region_alloc(region, sizeof *jobs);
    memset(jobs, 0, sizeof *jobs);
    jobs->region = region;
    init_mutex(&jobs->mutex);
    jobs->root = make_job(jobs, NULL, &nothing);
    open_job(jobs, jobs->root);
    return jobs;
}

void jobs_destroy(Jobs *jobs)
{
    if (!jobs)
        return;
    free_jobs(jobs, jobs->root);
    pthread_mutex_destroy(&jobs->mutex);
    region_free(jobs->region, jobs, sizeof *jobs);
}

/* ---- Taking and ending ---------------------------------------------------- */

Job *jobs_take(Jobs *jobs, bool *waiting, bool *finished)
{
    lock(jobs);
    jobs->waiting -= *waiting;
    Job *job = jobs->first_open;
    if (job) {
        jobs->first_open = job->next_open;
        if (!jobs->first_open)
            jobs->last_open = NULL;
        job->state = RUNNING;
        jobs->open--;
        jobs->running++;
    }
    *finished = !job && jobs->running == 0;
    *waiting = !job && !*finished;
    jobs->waiting += *waiting;
    unlock(jobs);
    return job;
}

void jobs_end(Jobs *jobs, Job *job)
{
    lock(jobs);
    job->state = OVER;
    jobs->running--;
    unlock(jobs);
}

bool jobs_wanted(const Jobs *jobs)
{
    return __atomic_load_n(&jobs->waiting, __ATOMIC_RELAXED) > __atomic_load_n(&jobs->open, __ATOMIC_RELAXED);
}

uint32_t jobs_open(const Jobs *jobs) { return __atomic_load_n(&jobs->open, __ATOMIC_RELAXED); }

/* ---- Prefixes ------------------------------------------------------------- */

uint32_t job_depth(const Job *job) { return job->depth; }

static uint32_t choices_before(const Job *job)
{
    uint32_t count = 0;
    for (; job->parent; job = job->parent)
        count += job->label.choice_count;
    return count;
}

void job_plan(const Job *job, Execution *ex)
{
    uint32_t choice = choices_before(job);
    ex->plan_length = job->depth;
    for (; job->parent; job = job->parent) {
        choice -= job->label.choice_count;
        ex->plan[job->depth - 1] = (PlanStep){.agent = job->label.agent, .choice_count = job->label.choice_count, .first_choice = choice};
        if (job->label.choice_count)
            memcpy(&ex->plan_choices[choice], job->label.choices, job->label.choice_count * sizeof *job->label.choices);
    }
}

bool job_followed(const Job *job, const Hb *hb)
{
    if (hb->count < job->depth)
        return false;
    for (; job->parent; job = job->parent)
        if (!label_equal(&job->label, &hb->events.items[job->depth - 1].label))
            return false;
    return true;
}

/* ---- Insertion ------------------------------------------------------------- */

typedef struct JobTree {
    Tree tree;
    Jobs *jobs;
} JobTree;

static bool next_job_kid(Tree *tree, TreeNode node, TreeKid *kid)
{
    (void)tree;
    const Job *parent = node.node, *cursor = kid->cursor;
    Job *job = cursor ? cursor->next : parent->kids;
    if (!job)
        return false;
    kid->cursor = job;
    kid->label = &job->label;
    kid->below = (TreeNode){.node = job};
    kid->covers = job->state != PRESCRIBED; /* JOB-1, JOB-2 */
    return true;
}

static void append_jobs(Tree *tree, TreeNode where, const Label *const *steps, uint32_t count)
{
    Jobs *jobs = ((JobTree *)tree)->jobs;
    Job *node = where.node;
    for (uint32_t i = 0; i < count; i++) {
        Job *kid = node->kids;
        while (kid && !label_same_outcome(&kid->label, steps[i]))
            kid = kid->next;
        node = kid ? kid : make_job(jobs, node, steps[i]);
    }
    if (node->state == PRESCRIBED && !node->kids)
        open_job(jobs, node);
}

/* JOB-3. A step that sleeps at an ancestor sleeps at the node unless a step on the way wakes it. */
static void collect_asleep(const Job *node, Program *program, const Literal *literals, uint32_t count, LabelSequence *asleep)
{
    for (const Job *below = node; below->parent; below = below->parent)
        for (const Job *sibling = below->parent->kids; sibling != below; sibling = sibling->next) {
            bool sleeps = insertion_feasible(program, literals, count, &sibling->label);
            for (const Job *step = node; sleeps; step = step->parent) {
                sleeps = step->label.agent != sibling->label.agent && !label_conflict(&step->label, &sibling->label);
                if (step == below)
                    break;
            }
            if (sleeps)
                VEC_PUSH(asleep, &sibling->label);
        }
}

void jobs_insert(Jobs *jobs, const Job *job, uint32_t first, Insertion *insertion, const Literal *literals, uint32_t count,
                 LabelSequence *sequence)
{
    JobTree view = {.tree = {.next_kid = next_job_kid, .append = append_jobs}, .jobs = jobs};
    LabelSequence asleep = {0};
    lock(jobs);
    Job *node = (Job *)job;
    while (node->depth > first)
        node = node->parent;
    collect_asleep(node, insertion->program, literals, count, &asleep);
    insertion_run(insertion, &view.tree, (TreeNode){.node = node}, first, &asleep, literals, count, sequence);
    unlock(jobs);
    VEC_FREE(&asleep);
}

/* ---- Giving away -------------------------------------------------------------- */

static void add_finished(Jobs *jobs, Job *node, const WakeupNode *done)
{
    for (; done; done = done->next)
        make_job(jobs, node, &done->label)->state = OVER;
}

static void add_pending(Jobs *jobs, Job *node, const WakeupNode *pending)
{
    for (; pending; pending = pending->next) {
        Job *kid = make_job(jobs, node, &pending->label);
        if (pending->kids)
            add_pending(jobs, kid, pending->kids);
        else
            open_job(jobs, kid);
    }
}

Job *jobs_give(Jobs *jobs, Job *job, WakeupTree *tree, const Hb *hb, uint32_t end)
{
    lock(jobs);
    Job *node = job;
    for (uint32_t level = job->depth; level < end; level++) {
        Level none = {0}, *given = level < tree->depth ? &tree->levels[level] : &none;
        add_finished(jobs, node, given->done);
        Job *current = make_job(jobs, node, &hb->events.items[level].label);
        add_pending(jobs, node, given->pending);
        node = current;
    }
    job->state = OVER;
    node->state = RUNNING; /* the worker's own: one job less, one more */
    wakeup_clear(tree, job->depth, end);
    unlock(jobs);
    return node;
}
