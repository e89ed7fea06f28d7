/* jobs.c - see jobs.h */
#include "core/tree/jobs.h"

#include <errno.h>
#include <string.h>

#include "core/tree/jobs_internal.h"

/* ---- Locking ------------------------------------------------------------ */

static bool take_lock(Jobs *jobs, int result)
{
    if (result == EOWNERDEAD) {
        pthread_mutex_consistent(&jobs->mutex);
        jobs->broken |= atomic_exchange(&jobs->changing, false);
        if (!jobs->broken)
            jobs_undo_journal(jobs); /* the store knows nothing of these nodes */
    }
    return result == 0 || result == EOWNERDEAD;
}

void jobs_lock(Jobs *jobs) { take_lock(jobs, pthread_mutex_lock(&jobs->mutex)); }

/* False if a process holds the lock. */
static bool jobs_try_lock(Jobs *jobs) { return take_lock(jobs, pthread_mutex_trylock(&jobs->mutex)); }

void jobs_lock_to_change(Jobs *jobs)
{
    jobs_lock(jobs);
    atomic_store(&jobs->changing, true);
}

void jobs_unlock(Jobs *jobs)
{
    atomic_store(&jobs->changing, false);
    pthread_mutex_unlock(&jobs->mutex);
}

bool jobs_are_sound(Jobs *jobs)
{
    jobs_lock(jobs);
    bool sound = !jobs->broken;
    jobs_unlock(jobs);
    return sound;
}

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

/* Or drops its label. */
static void free_body(Jobs *jobs, Job *node)
{
    if (node->body_size)
        region_free(jobs->region, node->body, node->body_size);
    else if (node->label)
        labelpool_drop(&jobs->labels, node->label);
    node->body = NULL;
    node->body_size = 0;
}

void *job_body(const Job *job) { return job->body; }

void *jobs_make_body(Jobs *jobs, Job *node, size_t size)
{
    free_body(jobs, node);
    node->body = size ? region_alloc(jobs->region, size) : NULL;
    node->body_size = (uint32_t)size;
    return node->body;
}

Job *jobs_add_node(Jobs *jobs, Job *parent)
{
    Job *job = region_alloc(jobs->region, sizeof *job);
    *job = (Job){.parent = parent, .depth = parent ? parent->depth + 1 : 0, .resolved = true};
    if (parent) {
        if (parent->last_child)
            parent->last_child->next = job;
        else
            parent->children = job;
        parent->last_child = job;
    }
    return job;
}

static void free_node(Jobs *jobs, Job *job)
{
    free_body(jobs, job);
    region_free(jobs->region, job, sizeof *job);
}

/* Frees the nodes below `top`. Branches are as long as executions, so nothing here is recursive. */
static void free_below(Jobs *jobs, Job *top)
{
    Job *node = top;
    while (top->children || node != top) {
        if (node->children) {
            node = node->children;
            continue;
        }
        Job *parent = node->parent;
        parent->children = node->next;
        free_node(jobs, node);
        node = parent;
    }
    top->last_child = NULL;
}

Job *jobs_next_below(const Job *top, const Job *node)
{
    if (node->children)
        return node->children;
    for (; node != top; node = node->parent)
        if (node->next)
            return node->next;
    return NULL;
}

/* Removes a node without children, the last one of its parent. */
static void remove_last(Jobs *jobs, Job *node)
{
    Job *parent = node->parent, *before = NULL;
    for (Job *child = parent->children; child != node; child = child->next)
        before = child;
    parent->last_child = before;
    if (before)
        before->next = NULL;
    else
        parent->children = NULL;
    free_node(jobs, node);
}

void jobs_undo_journal(Jobs *jobs)
{
    while (jobs->journal_count > 0)
        remove_last(jobs, jobs->journal[--jobs->journal_count]);
}

void jobs_count_live(Job *node, int change)
{
    for (; node; node = node->parent)
        node->live = (uint32_t)((int64_t)node->live + change);
}

/* Frees what is below finished jobs from `node` upwards. JOB-4: without workers below a job, its subtree is
 * of no interest. */
static void collapse(Jobs *jobs, Job *node)
{
    Job *highest = NULL;
    for (; node && node->live == 0; node = node->parent) {
        if (node->state == OVER && !node->domain)
            highest = node;
        if (node->entry)
            break;
    }
    if (highest)
        free_below(jobs, highest);
}

void jobs_open_node(Jobs *jobs, Job *job)
{
    job->state = OPEN;
    job->next_open = NULL;
    if (jobs->last_open)
        jobs->last_open->next_open = job;
    else
        jobs->first_open = job;
    jobs->last_open = job;
    jobs->open++;
    jobs_count_live(job, 1);
}

/* ---- Lifecycle ------------------------------------------------------------ */

Jobs *jobs_create(Region *region, const JobForm *form)
{
    Jobs *jobs = region_alloc(region, sizeof *jobs);
    memset(jobs, 0, sizeof *jobs);
    jobs->region = jobs->labels.region = region;
    jobs->form = form;
    init_mutex(&jobs->mutex);
    jobs->root = jobs_add_node(jobs, NULL);
    jobs_open_node(jobs, jobs->root);
    return jobs;
}

static void free_domains(Jobs *jobs)
{
    for (JobDomain *domain = jobs->domains, *next; domain; domain = next) {
        next = domain->next;
        region_free(jobs->region, domain->nodes, domain->capacity * sizeof *domain->nodes);
        region_free(jobs->region, domain, sizeof *domain);
    }
}

void jobs_destroy(Jobs *jobs)
{
    if (!jobs)
        return;
    free_below(jobs, jobs->root);
    free_node(jobs, jobs->root);
    labelpool_release(&jobs->labels);
    free_domains(jobs);
    if (jobs->journal_capacity)
        region_free(jobs->region, jobs->journal, jobs->journal_capacity * sizeof *jobs->journal);
    pthread_mutex_destroy(&jobs->mutex);
    region_free(jobs->region, jobs, sizeof *jobs);
}

void jobs_close_root(Jobs *jobs)
{
    jobs->first_open = jobs->last_open = NULL;
    jobs->open = 0;
    jobs_count_live(jobs->root, -1);
    jobs->root->state = OVER;
}

/* ---- Taking and ending ---------------------------------------------------- */

static void pass_to(JobHand *hand, Job *job)
{
    hand->job = job;
    hand->serial++;
}

void jobs_take(Jobs *jobs, JobHand *hand, bool *finished)
{
    jobs_lock_to_change(jobs);
    jobs->waiting -= hand->waiting;
    Job *job = jobs->broken ? NULL : jobs->first_open;
    if (job) {
        jobs->first_open = job->next_open;
        if (!jobs->first_open)
            jobs->last_open = NULL;
        job->state = RUNNING;
        job->progress = 0;
        jobs->open--;
        jobs->running++;
        pass_to(hand, job);
    }
    *finished = !job && jobs->running == 0 && !jobs->broken;
    hand->waiting = !job && !*finished;
    jobs->waiting += hand->waiting;
    jobs_unlock(jobs);
}

/* The job is over, or was split: what is left are the nodes below it. */
static void close_node(Jobs *jobs, Job *job)
{
    job->state = OVER;
    jobs->running--;
    jobs_count_live(job, -1);
    if (jobs->form->whole)
        free_body(jobs, job);
}

static void end_node(Jobs *jobs, Job *job)
{
    close_node(jobs, job);
    collapse(jobs, job);
}

void jobs_end(Jobs *jobs, JobHand *hand)
{
    jobs_lock_to_change(jobs);
    end_node(jobs, hand->job);
    pass_to(hand, NULL);
    jobs_unlock(jobs);
}

void jobs_put_back(Jobs *jobs, JobHand *hand)
{
    jobs_lock_to_change(jobs);
    jobs->running--;
    jobs_count_live(hand->job, -1);
    jobs_open_node(jobs, hand->job);
    pass_to(hand, NULL);
    jobs_unlock(jobs);
}

bool jobs_wanted(const Jobs *jobs)
{
    return __atomic_load_n(&jobs->waiting, __ATOMIC_RELAXED) > __atomic_load_n(&jobs->open, __ATOMIC_RELAXED);
}

uint32_t jobs_open(const Jobs *jobs) { return __atomic_load_n(&jobs->open, __ATOMIC_RELAXED); }
uint32_t jobs_running(const Jobs *jobs) { return __atomic_load_n(&jobs->running, __ATOMIC_RELAXED); }
size_t jobs_bytes(const Jobs *jobs) { return region_used(jobs->region); }

static uint32_t count_children(const Job *node)
{
    uint32_t count = 0;
    for (const Job *child = node->children; child; child = child->next)
        count++;
    return count;
}

static double share_of_leaf(const Job *node)
{
    return node->state == OVER ? 1 : node->state == RUNNING ? (double)node->progress : 0;
}

/* Smaller shares are neglected: a tree may be as deep as executions are long. */
static double share_over(const Job *root)
{
    static const double LEAST = 1e-12;
    const Job *node = root;
    double sum = 0, share = 1;
    for (;;) {
        if (node->children && share >= LEAST) {
            share /= count_children(node);
            node = node->children;
            continue;
        }
        if (!node->children)
            sum += share * share_of_leaf(node);
        while (node != root && !node->next) {
            node = node->parent;
            share *= count_children(node);
        }
        if (node == root)
            return sum;
        node = node->next;
    }
}

void job_note_progress(Job *job, double share) { job->progress = (float)share; }

double jobs_progress(Jobs *jobs)
{
    if (!jobs_try_lock(jobs))
        return -1;
    double share = share_over(jobs->root);
    jobs_unlock(jobs);
    return share;
}

/* ---- Giving jobs away -------------------------------------------------------------- */

Job *jobs_begin_giving(Jobs *jobs, const JobHand *hand)
{
    jobs_lock_to_change(jobs);
    return hand->job;
}

Job *jobs_add_explored(Jobs *jobs, Job *parent)
{
    Job *node = jobs_add_node(jobs, parent);
    node->state = OVER;
    return node;
}

Job *jobs_add_job(Jobs *jobs, Job *parent)
{
    Job *job = jobs_add_node(jobs, parent);
    jobs_open_node(jobs, job);
    return job;
}

void jobs_end_giving(Jobs *jobs, JobHand *hand, Job *rest)
{
    Job *job = hand->job;
    if (rest) {
        rest->state = RUNNING;
        rest->progress = 0;
        jobs->running++;
        jobs_count_live(rest, 1);
    }
    end_node(jobs, job);
    pass_to(hand, rest);
    jobs_unlock(jobs);
}
