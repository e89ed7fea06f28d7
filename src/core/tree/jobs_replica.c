/* jobs_replica.c - see jobs_replica.h */
#include "core/tree/jobs_replica.h"

#include <string.h>

#include "core/tree/jobs_internal.h"

/* ---- Domains ---------------------------------------------------------------------- */

void jobs_add_entry(Jobs *jobs, JobDomain *domain, Job *node)
{
    if (domain->count == domain->capacity) {
        uint32_t capacity = 2 * domain->capacity;
        Job **grown = region_alloc(jobs->region, capacity * sizeof *grown);
        memcpy(grown, domain->nodes, domain->count * sizeof *grown);
        region_free(jobs->region, domain->nodes, domain->capacity * sizeof *grown);
        domain->nodes = grown;
        domain->capacity = capacity;
    }
    node->entry = domain->count;
    domain->nodes[domain->count++] = node;
}

JobDomain *jobs_add_domain(Jobs *jobs, Job *root, uint64_t name)
{
    JobDomain *domain = region_alloc(jobs->region, sizeof *domain);
    *domain = (JobDomain){.name = name, .capacity = 64, .count = 1, .next = jobs->domains};
    domain->nodes = region_alloc(jobs->region, domain->capacity * sizeof *domain->nodes);
    domain->nodes[0] = root;
    root->domain = domain;
    jobs->domains = domain;
    return domain;
}

static JobDomain *find_domain(const Jobs *jobs, uint64_t name)
{
    JobDomain *domain = jobs->domains;
    while (domain && domain->name != name)
        domain = domain->next;
    return domain;
}

void jobs_forget_domain(Jobs *jobs, JobDomain *domain)
{
    for (uint32_t i = 0; i < domain->count; i++)
        domain->nodes[i]->entry = 0;
    domain->nodes[0]->domain = NULL;
    jobs->domains = domain->next;
    region_free(jobs->region, domain->nodes, domain->capacity * sizeof *domain->nodes);
    region_free(jobs->region, domain, sizeof *domain);
}

/* ---- The store's tree ------------------------------------------------------------- */

void jobs_connect(Jobs *jobs, JobsLink *link)
{
    jobs->link = link;
    jobs_close_root(jobs);
    jobs->root->state = FOREIGN;
}

bool jobs_connected(const Jobs *jobs) { return jobs->link != NULL; }

static Job *find_entry(const Jobs *jobs, uint64_t name, uint32_t entry)
{
    const JobDomain *domain = find_domain(jobs, name);
    return domain && entry < domain->count ? domain->nodes[entry] : NULL;
}

static Job *domain_root(Jobs *jobs, uint64_t name, uint64_t parent, uint32_t entry)
{
    return name == 0 ? jobs->root : find_entry(jobs, parent, entry);
}

bool jobs_replicate(Jobs *jobs, Program *program, uint64_t name, uint64_t parent, uint32_t entry, const char *entries,
                    size_t size, Error *error)
{
    jobs_lock_to_change(jobs);
    JobDomain *domain = find_domain(jobs, name);
    Job *root = domain ? domain->nodes[0] : domain_root(jobs, name, parent, entry);
    bool good = root != NULL || error_set(error, EXIT_INTERNAL, "a part of the store's tree is missing");
    if (good && !domain) {
        domain = jobs_add_domain(jobs, root, name);
        root->state = OVER;
    }
    good = good && jobs_read_entries(jobs, program, domain, entries, size, false, error);
    jobs_unlock(jobs);
    return good;
}

/* The root job is entry 0 of domain 0 before there is such a domain. */
static Job *find_job(const Jobs *jobs, uint64_t name, uint32_t entry)
{
    return name == 0 && entry == 0 ? jobs->root : find_entry(jobs, name, entry);
}

bool jobs_assign(Jobs *jobs, uint64_t name, uint32_t entry)
{
    jobs_lock_to_change(jobs);
    Job *job = find_job(jobs, name, entry);
    bool good = job && job->state == FOREIGN && !job->assigned;
    if (good) {
        job->assigned = true;
        jobs_open_node(jobs, job);
    }
    jobs_unlock(jobs);
    return good;
}

static void close_open(Jobs *jobs, Job *job)
{
    Job **link = &jobs->first_open, *before = NULL;
    while (*link != job) {
        before = *link;
        link = &before->next_open;
    }
    *link = job->next_open;
    if (jobs->last_open == job)
        jobs->last_open = before;
    jobs->open--;
    jobs_count_live(job, -1);
    job->state = FOREIGN;
}

static void number_below(Jobs *jobs, JobDomain *domain, Job *top, uint32_t number, Program *program, Text *text)
{
    for (Job *node = jobs_next_below(top, top); node; node = jobs_next_below(top, node)) {
        jobs_write_entry(jobs, node, node->parent == top ? number : node->parent->entry, program, text);
        jobs_add_entry(jobs, domain, node);
        if (node->state == OPEN)
            close_open(jobs, node);
    }
}

JobFate jobs_return(Jobs *jobs, Program *program, uint64_t domain, uint32_t entry, uint64_t name, bool release,
                    Text *entries)
{
    jobs_lock_to_change(jobs);
    Job *job = find_job(jobs, domain, entry);
    JobFate fate = job->state == OPEN ? JOB_UNTOUCHED : job->children ? JOB_SPLIT : JOB_OVER;
    if (fate == JOB_UNTOUCHED && release)
        close_open(jobs, job);
    if (fate != JOB_UNTOUCHED || release)
        job->assigned = false;
    if (fate == JOB_SPLIT)
        number_below(jobs, jobs_add_domain(jobs, job, name), job, 0, program, entries);
    jobs_unlock(jobs);
    return fate;
}
