/* jobs_insert.c - see jobs_insert.h */
#include "core/tree/jobs_insert.h"

#include <string.h>

#include "core/tree/jobs_internal.h"
#include "core/tree/jobs_replica.h"

typedef struct JobTree {
    Tree tree;
    Jobs *jobs;
    bool added;
} JobTree;

/* ---- The tree for insertions ------------------------------------------------ */

static bool next_job_child(Tree *tree, TreeNode node, TreeChild *child)
{
    (void)tree;
    const Job *parent = node.node, *cursor = child->cursor;
    Job *job = cursor ? cursor->next : parent->children;
    if (!job)
        return false;
    child->cursor = job;
    child->label = job->label;
    child->below = (TreeNode){.node = job};
    child->covers = job->state != PRESCRIBED; /* JOB-1, JOB-2 */
    return true;
}

static Job *find_child(const Job *node, const Label *label)
{
    Job *child = node->children;
    while (child && !label_same_outcome(child->label, label))
        child = child->next;
    return child;
}

static void append_jobs(Tree *tree, TreeNode where, const Label *const *steps, uint32_t count)
{
    Jobs *jobs = ((JobTree *)tree)->jobs;
    Job *node = where.node;
    atomic_store(&jobs->changing, true);
    for (uint32_t i = 0; i < count; i++) {
        Job *child = find_child(node, steps[i]);
        node = child ? child : jobs_make_node(jobs, node, steps[i]);
    }
    if (node->state == PRESCRIBED && !node->children)
        jobs_open_node(jobs, node);
    atomic_store(&jobs->changing, false);
}

/* Only to find out whether something would be added. */
static void append_nothing(Tree *tree, TreeNode where, const Label *const *steps, uint32_t count)
{
    (void)where, (void)steps, (void)count;
    ((JobTree *)tree)->added = true;
}

static void note_added(Jobs *jobs, Job *node)
{
    if (jobs->journal_count == jobs->journal_capacity) {
        uint32_t capacity = jobs->journal_capacity ? 2 * jobs->journal_capacity : 64;
        Job **grown = region_alloc(jobs->region, capacity * sizeof *grown);
        if (jobs->journal_count)
            memcpy(grown, jobs->journal, jobs->journal_count * sizeof *grown);
        if (jobs->journal_capacity)
            region_free(jobs->region, jobs->journal, jobs->journal_capacity * sizeof *grown);
        jobs->journal = grown;
        jobs->journal_capacity = capacity;
    }
    jobs->journal[jobs->journal_count++] = node;
}

static void append_offered(Tree *tree, TreeNode where, const Label *const *steps, uint32_t count)
{
    Jobs *jobs = ((JobTree *)tree)->jobs;
    Job *node = where.node;
    atomic_store(&jobs->changing, true);
    for (uint32_t i = 0; i < count; i++) {
        Job *child = find_child(node, steps[i]);
        if (!child) {
            child = jobs_make_node(jobs, node, steps[i]);
            note_added(jobs, child);
        }
        node = child;
    }
    if (node->state == PRESCRIBED && !node->children)
        node->state = FOREIGN;
    atomic_store(&jobs->changing, false);
}

/* ---- Insertion ---------------------------------------------------------------- */

/* JOB-3. A step that sleeps at an ancestor sleeps at the node unless a step in between wakes it. */
static void collect_asleep(const Job *node, Program *program, const Literal *literals, uint32_t count,
                           LabelSequence *asleep)
{
    for (const Job *below = node; below->parent; below = below->parent)
        for (const Job *sibling = below->parent->children; sibling != below; sibling = sibling->next) {
            bool sleeps = insertion_feasible(program, literals, count, sibling->label);
            for (const Job *step = node; sleeps; step = step->parent) {
                sleeps = step->label->agent != sibling->label->agent && !label_conflict(step->label, sibling->label);
                if (step == below)
                    break;
            }
            if (sleeps)
                VEC_PUSH(asleep, sibling->label);
        }
}

static Job *ancestor_at(const Job *job, uint32_t depth)
{
    while (job->depth > depth)
        job = job->parent;
    return (Job *)job;
}

static void insert_at(JobTree *view, Job *node, Insertion *insertion, const Literal *literals, uint32_t count,
                      LabelSequence *sequence)
{
    LabelSequence asleep = {0};
    collect_asleep(node, insertion->program, literals, count, &asleep);
    insertion_run(insertion, &view->tree, (TreeNode){.node = node}, node->depth, &asleep, literals, count, sequence);
    VEC_FREE(&asleep);
}

/* Whether the node lies above the job of the store that this machine explores. */
static bool is_shared(const Jobs *jobs, const Job *job, uint32_t first)
{
    if (!jobs->link)
        return false;
    while (job && !job->assigned)
        job = job->parent;
    return job && first < job->depth;
}

JobsAnswer jobs_insert(Jobs *jobs, const JobHand *hand, JobCover *cover, uint32_t first, Insertion *insertion,
                       const Literal *literals, uint32_t count, LabelSequence *sequence)
{
    bool known, shared = is_shared(jobs, hand->job, first);
    JobTree view = {.tree = {.next_child = next_job_child, .append = shared ? append_nothing : append_jobs},
                    .jobs = jobs};
    Job *node = ancestor_at(hand->job, first);
    jobcover_begin(cover, hand);
    if (jobcover_covers(cover, first, sequence, insertion->program->ops->feasible != NULL)) {
        insertion->covered++;
        return JOBS_COVERED;
    }
    jobs_lock(jobs);
    LabelSequence *asleep = jobcover_asleep(cover, first, &known);
    if (!known)
        collect_asleep(node, insertion->program, literals, count, asleep);
    insertion_run(insertion, &view.tree, (TreeNode){.node = node}, node->depth, asleep, literals, count, sequence);
    jobcover_learn(cover, node);
    jobs_unlock(jobs);
    return view.added ? JOBS_DEFERRED : JOBS_INSERTED;
}

/* ---- With the consent of the store ----------------------------------------------------- */

static JobDomain *domain_of(const Job *node)
{
    while (!node->domain)
        node = node->parent;
    return node->domain;
}

static void confirm(Jobs *jobs, JobDomain *domain)
{
    for (uint32_t i = 0; i < jobs->journal_count; i++)
        jobs_add_entry(jobs, domain, jobs->journal[i]);
    jobs->journal_count = 0;
}

static void write_journal(Jobs *jobs, const JobDomain *domain, Program *program, Text *text)
{
    for (uint32_t i = 0; i < jobs->journal_count; i++)
        jobs->journal[i]->entry = domain->count + i; /* children refer to it */
    for (uint32_t i = 0; i < jobs->journal_count; i++) {
        const Job *node = jobs->journal[i];
        jobs_write_entry(jobs, node, node->parent->domain == domain ? 0 : node->parent->entry, program, text);
    }
}

/* Offers the journal to the store; the result is that of JobsLink.extend. */
static int offer(Jobs *jobs, JobDomain *domain, Program *program)
{
    Text entries = {0}, news = {0};
    if (jobs->journal_count == 0)
        return 1;
    write_journal(jobs, domain, program, &entries);
    int answer = jobs->link->extend(jobs->link, domain->name, domain->count - 1, text_borrow(&entries), &news);
    atomic_store(&jobs->changing, true);
    if (answer == 1) {
        confirm(jobs, domain);
    } else {
        jobs_undo_journal(jobs);
        Error ignored;
        if (answer == 0 && !jobs_read_entries(jobs, program, domain, text_borrow(&news), news.length, false, &ignored))
            answer = -1;
    }
    atomic_store(&jobs->changing, false);
    text_release(&entries);
    text_release(&news);
    return answer;
}

static void insert_item(Jobs *jobs, Job *node, Insertion *insertion, const Literal *literals, uint32_t count,
                        const JobsItem *item)
{
    JobTree view = {.tree = {.next_child = next_job_child, .append = append_offered}, .jobs = jobs};
    LabelSequence sequence = {0};
    for (uint32_t i = 0; i < item->sequence.count; i++)
        VEC_PUSH(&sequence, item->sequence.items[i]);
    insert_at(&view, node, insertion, literals, count, &sequence);
    VEC_FREE(&sequence);
}

int jobs_insert_batch(Jobs *jobs, const Job *job, Insertion *insertion, const Literal *literals,
                      const uint32_t *literal_ends, JobsItem *items, uint32_t count)
{
    JobDomain *domain = NULL;
    int answer = 1;
    jobs_lock(jobs);
    for (uint32_t i = 0; i < count && answer == 1; i++) {
        Job *node = ancestor_at(job, items[i].first);
        JobDomain *mine = domain_of(node);
        if (domain && mine != domain)
            answer = offer(jobs, domain, insertion->program);
        domain = mine;
        if (answer == 1)
            insert_item(jobs, node, insertion, literals, literal_ends[items[i].first], &items[i]);
    }
    if (answer == 1 && domain)
        answer = offer(jobs, domain, insertion->program);
    atomic_store(&jobs->changing, true);
    jobs_undo_journal(jobs);
    jobs_unlock(jobs);
    return answer;
}
