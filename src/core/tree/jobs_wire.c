/* jobs_wire.c - the common tree as text, and as part of a store's tree; see jobs.h
 *
 *     tree STATE                          of the root
 *     PARENT STATE AGENT[:CHOICE,...]     node 1, 2, ...; the root is 0
 *
 * STATE: p prescribed, o open, d done. A choice on inputs is written with a question mark.
 */
#include <stdio.h>
#include <string.h>

#include "core/tree/jobs_internal.h"

enum { AGENT_TEXT = 512 };

/* ---- Entries ------------------------------------------------------------------ */

static char state_letter(const Job *node)
{
    return node->state == PRESCRIBED ? 'p' : node->state == OVER ? 'd' : 'o';
}

void jobs_write_entry(const Job *node, uint32_t parent, Program *program, Text *text)
{
    char agent[AGENT_TEXT];
    program->ops->agent_path(program, node->label.agent, agent, sizeof agent);
    text_add(text, "%u %c %s", parent, state_letter(node), agent);
    for (uint32_t c = 0; c < node->label.choice_count; c++) {
        const Literal *choice = &node->label.choices[c];
        text_add(text, "%c%s%u", c ? ',' : ':', choice->condition ? "?" : "", choice->taken);
    }
    text_add_string(text, "\n");
}

typedef struct Reader {
    const char *at, *end;
} Reader;

static bool read_number(Reader *reader, uint32_t *number)
{
    uint64_t value = 0;
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9' && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(*reader->at++ - '0');
    *number = (uint32_t)value;
    return reader->at > start && value <= UINT32_MAX;
}

static bool read_char(Reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool read_agent(Reader *reader, Program *program, AgentId *agent)
{
    char path[AGENT_TEXT];
    size_t size = 0;
    while (reader->at < reader->end && *reader->at != ':' && *reader->at != '\n' && size + 1 < sizeof path)
        path[size++] = *reader->at++;
    path[size] = 0;
    *agent = program->ops->agent_find(program, path);
    return *agent != AGENT_NONE;
}

typedef VEC(Literal) Choices;

static bool read_choices(Reader *reader, Choices *choices)
{
    for (char before = ':'; read_char(reader, before); before = ',') {
        Literal choice = {.condition = read_char(reader, '?') ? UINT32_MAX : 0};
        if (!read_number(reader, &choice.taken))
            return false;
        VEC_PUSH(choices, choice);
    }
    return choices->count <= UINT16_MAX;
}

static bool read_state(Reader *reader, char *state)
{
    if (reader->at == reader->end)
        return false;
    *state = *reader->at++;
    return *state == 'p' || *state == 'o' || *state == 'd';
}

static void add_node(Jobs *jobs, JobDomain *domain, uint32_t parent, char state, const Label *label, bool open)
{
    Job *node = jobs_make_node(jobs, domain->nodes[parent], label);
    node->resolved = false;
    for (Job *above = node->parent; above; above = above->parent) /* some in between may never have been asked about */
        above->settled = false;
    jobs->from_text = true;
    node->state = state == 'o' ? FOREIGN : state == 'd' ? OVER : PRESCRIBED;
    if (state == 'o' && open)
        jobs_open_node(jobs, node);
    jobs_add_entry(jobs, domain, node);
}

static bool read_entry(Jobs *jobs, Program *program, JobDomain *domain, Reader *reader, bool open, Choices *choices)
{
    uint32_t parent;
    char state;
    Label label = {0};
    choices->count = 0;
    if (!read_number(reader, &parent) || parent >= domain->count || !read_char(reader, ' ') ||
        !read_state(reader, &state) || !read_char(reader, ' ') || !read_agent(reader, program, &label.agent) ||
        !read_choices(reader, choices) || !read_char(reader, '\n'))
        return false;
    label.choices = choices->items;
    label.choice_count = (uint16_t)choices->count;
    add_node(jobs, domain, parent, state, &label, open);
    return true;
}

bool jobs_read_entries(Jobs *jobs, Program *program, JobDomain *domain, const char *text, size_t size, bool open,
                       Error *error)
{
    Reader reader = {.at = text, .end = text + size};
    Choices choices = {0};
    bool good = true;
    while (good && reader.at < reader.end)
        good = read_entry(jobs, program, domain, &reader, open, &choices);
    VEC_FREE(&choices);
    return good || error_set(error, EXIT_INTERNAL, "the tree of jobs is damaged at entry %u", domain->count);
}

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

JobDomain *jobs_find_domain(const Jobs *jobs, uint64_t name)
{
    JobDomain *domain = jobs->domains;
    while (domain && domain->name != name)
        domain = domain->next;
    return domain;
}

/* ---- The whole tree ----------------------------------------------------------------- */

static uint32_t write_below(const Job *node, uint32_t number, uint32_t last, Program *program, Text *text)
{
    for (const Job *child = node->children; child; child = child->next) {
        jobs_write_entry(child, number, program, text);
        last++;
        last = write_below(child, last, last, program, text);
    }
    return last;
}

void jobs_write(Jobs *jobs, Program *program, Text *text)
{
    jobs_lock(jobs);
    text_add(text, "tree %c\n", state_letter(jobs->root));
    write_below(jobs->root, 0, 0, program, text);
    jobs_unlock(jobs);
}

/* The search begins with the tree that is read, not with its root. */
static void close_root(Jobs *jobs)
{
    jobs->first_open = jobs->last_open = NULL;
    jobs->open = 0;
    jobs_count_live(jobs->root, -1);
    jobs->root->state = OVER;
}

static void forget_domain(Jobs *jobs, JobDomain *domain)
{
    for (uint32_t i = 0; i < domain->count; i++)
        domain->nodes[i]->entry = 0;
    domain->nodes[0]->domain = NULL;
    jobs->domains = domain->next;
    region_free(jobs->region, domain->nodes, domain->capacity * sizeof *domain->nodes);
    region_free(jobs->region, domain, sizeof *domain);
}

bool jobs_read(Jobs *jobs, Program *program, const char *text, size_t size, Error *error)
{
    char state;
    if (size < 7 || sscanf(text, "tree %c", &state) != 1 || text[6] != '\n')
        return error_set(error, EXIT_INTERNAL, "the tree of jobs is damaged at its beginning");
    if (state == 'o')
        return true;
    close_root(jobs);
    JobDomain *domain = jobs_add_domain(jobs, jobs->root, 0);
    bool good = jobs_read_entries(jobs, program, domain, text + 7, size - 7, true, error);
    forget_domain(jobs, domain);
    return good;
}

/* ---- Labels that are not complete ----------------------------------------------------- */

static void path_to(Job *node, JobPath *path)
{
    path->count = 0;
    VEC_RESERVE(path, node->depth + 1);
    path->count = node->depth;
    for (; node->parent; node = node->parent)
        path->items[node->depth - 1] = node;
}

/* On to a leaf, as far as sequences go down: one run then tells all steps. */
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

/* What was found to be complete is not looked at again: sequences are long, and asked about one by one. */
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
const Label *job_label(const Job *job) { return &job->label; }

void jobs_resolve(Jobs *jobs, Job *job, const Label *label)
{
    jobs_lock_to_change(jobs);
    if (!job->resolved) {
        jobs_set_label(jobs, job, label);
        job->resolved = true;
    }
    jobs_unlock(jobs);
}

/* ---- The store's tree ------------------------------------------------------------------ */

void jobs_connect(Jobs *jobs, JobsLink *link)
{
    jobs->link = link;
    close_root(jobs);
    jobs->root->state = FOREIGN;
}

bool jobs_connected(const Jobs *jobs) { return jobs->link != NULL; }

static Job *find_entry(const Jobs *jobs, uint64_t name, uint32_t entry)
{
    const JobDomain *domain = jobs_find_domain(jobs, name);
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
    JobDomain *domain = jobs_find_domain(jobs, name);
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

static void number_below(Jobs *jobs, JobDomain *domain, Job *node, uint32_t number, Program *program, Text *text)
{
    for (Job *child = node->children; child; child = child->next) {
        jobs_write_entry(child, number, program, text);
        jobs_add_entry(jobs, domain, child);
        if (child->state == OPEN)
            close_open(jobs, child);
        number_below(jobs, domain, child, child->entry, program, text);
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
