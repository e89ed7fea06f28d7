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

void jobs_set_label(Jobs *jobs, Job *node, const Label *label)
{
    size_t size = label_tail_size(label);
    void *tail = size ? region_alloc(jobs->region, size) : NULL;
    label_copy(&node->label, label, tail);
    if (node->tail_size)
        region_free(jobs->region, node->tail, node->tail_size);
    node->tail = tail;
    node->tail_size = size;
}

Job *jobs_make_node(Jobs *jobs, Job *parent, const Label *label)
{
    Job *job = region_alloc(jobs->region, sizeof *job);
    *job = (Job){.parent = parent, .depth = parent ? parent->depth + 1 : 0, .resolved = true};
    jobs_set_label(jobs, job, label);
    if (parent) {
        if (parent->last_child)
            parent->last_child->next = job;
        else
            parent->children = job;
        parent->last_child = job;
    }
    jobs->nodes++;
    return job;
}

static void free_node(Jobs *jobs, Job *job)
{
    if (job->tail_size)
        region_free(jobs->region, job->tail, job->tail_size);
    region_free(jobs->region, job, sizeof *job);
    jobs->nodes--;
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

Jobs *jobs_create(Region *region)
{
    Label nothing = {0};
    Jobs *jobs = region_alloc(region, sizeof *jobs);
    memset(jobs, 0, sizeof *jobs);
    jobs->region = region;
    init_mutex(&jobs->mutex);
    jobs->root = jobs_make_node(jobs, NULL, &nothing);
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

static void end_node(Jobs *jobs, Job *job)
{
    job->state = OVER;
    jobs->running--;
    jobs_count_live(job, -1);
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
uint32_t jobs_nodes(const Jobs *jobs) { return __atomic_load_n(&jobs->nodes, __ATOMIC_RELAXED); }

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
        ex->plan[job->depth - 1] =
            (PlanStep){.agent = job->label.agent, .choice_count = job->label.choice_count, .first_choice = choice};
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

/* ---- Giving jobs away -------------------------------------------------------------- */

static void add_finished(Jobs *jobs, Job *node, const WakeupNode *done)
{
    for (; done; done = done->next)
        jobs_make_node(jobs, node, &done->label)->state = OVER;
}

static void add_pending(Jobs *jobs, Job *node, const WakeupNode *pending)
{
    for (; pending; pending = pending->next) {
        Job *child = jobs_make_node(jobs, node, &pending->label);
        if (pending->children)
            add_pending(jobs, child, pending->children);
        else
            jobs_open_node(jobs, child);
    }
}

/* Turns the levels job->depth..end-1 into nodes; returns the node at `end`. */
static Job *add_levels(Jobs *jobs, Job *job, const WakeupTree *tree, const Hb *hb, uint32_t end)
{
    Job *node = job;
    for (uint32_t level = job->depth; level < end; level++) {
        Level none = {0}, *given = level < tree->depth ? &tree->levels[level] : &none;
        add_finished(jobs, node, given->done);
        Job *current = jobs_make_node(jobs, node, &hb->events.items[level].label);
        add_pending(jobs, node, given->pending);
        node = current;
    }
    return node;
}

void jobs_give(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb, uint32_t end)
{
    jobs_lock_to_change(jobs);
    Job *job = hand->job, *node = add_levels(jobs, job, tree, hb, end);
    job->state = OVER;
    node->state = RUNNING; /* the worker's own: one job less, one more */
    node->progress = 0;
    jobs_count_live(job, -1);
    jobs_count_live(node, 1);
    wakeup_clear(tree, job->depth, end);
    pass_to(hand, node);
    jobs_unlock(jobs);
}

void jobs_give_all(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb)
{
    jobs_lock_to_change(jobs);
    Job *job = hand->job;
    uint32_t end = tree->depth;
    while (end > 0 && !tree->levels[end - 1].pending)
        end--;
    if (end > job->depth)
        add_levels(jobs, job, tree, hb, end)->state = OVER; /* the last execution was there */
    end_node(jobs, job);
    wakeup_truncate(tree, 0);
    pass_to(hand, NULL);
    jobs_unlock(jobs);
}
