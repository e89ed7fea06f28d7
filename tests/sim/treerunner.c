/* treerunner.c - see treerunner.h
 *
 * Entries have the form that the engine's have (core/tree/jobs_wire.c): "parent state name.leaves".
 */
#include "treerunner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The store's tree ------------------------------------------------------------------- */

static KnownDomain *find_domain(TreeRunner *self, uint64_t name)
{
    uint64_t *place = map_find(&self->by_name, name);
    return place ? &self->domains.items[*place] : NULL;
}

static KnownDomain *add_domain(TreeRunner *self, uint64_t name, uint64_t parent, uint32_t entry)
{
    KnownDomain *domain = find_domain(self, name);
    if (domain)
        return domain;
    *map_insert(&self->by_name, name, NULL) = self->domains.count;
    VEC_PUSH(&self->domains, ((KnownDomain){.name = name, .parent = parent, .entry = entry}));
    domain = &self->domains.items[self->domains.count - 1];
    VEC_PUSH(&domain->entries, (KnownEntry){0});
    return domain;
}

static void read_entries(TreeRunner *self, KnownDomain *domain, const char *text, const char *end, bool resolved)
{
    while (text < end) {
        unsigned parent;
        char state;
        unsigned long long name, leaves;
        if (sscanf(text, "%u %c %llx.%llu", &parent, &state, &name, &leaves) != 4)
            abort();
        domain->entries.items[parent].children++;
        domain->entries.items[parent].resolved |= resolved;
        VEC_PUSH(&domain->entries, ((KnownEntry){.node = {name, leaves}, .parent = parent}));
        text = strchr(text, '\n') + 1;
        self->nodes++;
    }
}

/* Partial runs until everything beside the way to the entry is known. */
static uint32_t resolve(TreeRunner *self, uint64_t name, uint32_t entry)
{
    uint32_t runs = 0;
    for (KnownDomain *domain = find_domain(self, name); domain; domain = domain->name ? find_domain(self, name) : NULL) {
        while (entry) {
            KnownEntry *parent = &domain->entries.items[domain->entries.items[entry].parent];
            runs += parent->resolved ? 0 : parent->children;
            parent->resolved = true;
            entry = domain->entries.items[entry].parent;
        }
        name = domain->parent;
        entry = domain->entry;
    }
    return runs;
}

static SimNode node_of(TreeRunner *self, uint64_t domain, uint32_t entry)
{
    return domain == 0 && entry == 0 ? self->root : find_domain(self, domain)->entries.items[entry].node;
}

/* ---- Slices ------------------------------------------------------------------------------- */

static void drop_job(TreeRunner *self, uint64_t domain, uint32_t entry)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->jobs.count; i++)
        if (self->jobs.items[i].domain != domain || self->jobs.items[i].entry != entry)
            self->jobs.items[kept++] = self->jobs.items[i];
    self->jobs.count = kept;
}

static double read_slice(TreeRunner *self, const Text *slice)
{
    const char *at = text_borrow(slice), *end = at + slice->length;
    double seconds = strtod(at, NULL);
    uint32_t runs = 0;
    at = strchr(at, '\n') + 1;
    while (at < end) {
        unsigned long long first, second;
        unsigned entry;
        size_t size;
        const char *next = strchr(at, '\n') + 1;
        if (sscanf(at, "domain %llu %llu %u %zu", &first, &second, &entry, &size) == 4) {
            read_entries(self, add_domain(self, first, second, entry), next, next + size, false);
            next += size;
        } else if (sscanf(at, "job %llu %u %llu", &first, &entry, &second) == 3) {
            VEC_PUSH(&self->jobs, ((TreeJob){.domain = first, .entry = entry, .name = second, .node = node_of(self, first, entry)}));
            runs += resolve(self, first, entry);
        } else if (sscanf(at, "drop %llu %u", &first, &entry) == 2) {
            drop_job(self, first, entry);
        } else {
            abort();
        }
        at = next;
    }
    self->overhead = runs * self->probe;
    self->learning += self->overhead;
    return seconds;
}

/* ---- Results -------------------------------------------------------------------------------- */

static void write_entry(Text *out, uint32_t parent, char state, SimNode node)
{
    text_add(out, "%u %c %llx.%llu\n", parent, state, (unsigned long long)node.name, (unsigned long long)node.leaves);
}

/* What is left below a node of which the first `done` leaves are explored; entries from `number` on. */
static uint32_t write_rest(const TreeRunner *self, SimNode node, uint64_t done, uint32_t parent, uint32_t number, Text *out)
{
    SimNode children[TREE_CHILDREN];
    uint32_t count = tree_children(self->shape, node, children);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t here = done < children[i].leaves ? done : children[i].leaves;
        uint32_t own = ++number;
        write_entry(out, parent, here ? 'd' : 'o', children[i]);
        if (here && here < children[i].leaves)
            number = write_rest(self, children[i], here, own, number, out);
        done -= here;
    }
    return number;
}

static uint64_t write_jobs(TreeRunner *self, Text *out)
{
    uint32_t kept = 0;
    uint64_t executions = 0;
    for (uint32_t i = 0; i < self->jobs.count; i++) {
        TreeJob job = self->jobs.items[i];
        Text entries = {0};
        const char *fate = job.done == job.node.leaves ? "over" : job.done ? "split" : "kept";
        if (*fate == 's') {
            write_rest(self, job.node, job.done, 0, 0, &entries);
            KnownDomain *domain = add_domain(self, job.name, job.domain, job.entry);
            read_entries(self, domain, entries.data, entries.data + entries.length, true);
        }
        text_add(out, "job %llu %u %llu %s %zu\n", (unsigned long long)job.domain, job.entry, (unsigned long long)job.name, fate,
                 entries.length);
        text_add_bytes(out, text_borrow(&entries), entries.length);
        text_release(&entries);
        executions += job.done;
        if (*fate == 'k')
            self->jobs.items[kept++] = job;
    }
    self->jobs.count = kept;
    return executions;
}

/* ---- As a runner -------------------------------------------------------------------------------- */

static void open_tree(SimRunner *sim) { (void)sim; }

static void close_tree(SimRunner *sim)
{
    TreeRunner *self = (TreeRunner *)sim;
    for (uint32_t i = 0; i < self->domains.count; i++)
        VEC_FREE(&self->domains.items[i].entries);
    self->domains.count = self->jobs.count = 0;
    map_reset(&self->by_name);
    self->nodes = 0;
}

static void count_executions(TreeRunner *self, double seconds)
{
    uint64_t executions = seconds > 0 ? (uint64_t)(seconds / self->seconds + 0.5) : 0;
    self->busy += (double)executions * self->seconds;
    for (uint32_t i = 0; i < self->jobs.count && executions; i++) {
        TreeJob *job = &self->jobs.items[i];
        uint64_t left = job->node.leaves - job->done, some = left < executions ? left : executions;
        job->done += some;
        executions -= some;
    }
}

static bool explore_slice(SimRunner *sim, const Text *slice, Text *result)
{
    TreeRunner *self = (TreeRunner *)sim;
    double seconds = read_slice(self, slice), need = 0;
    for (uint32_t i = 0; i < self->jobs.count; i++)
        need += (double)self->jobs.items[i].node.leaves * self->seconds;
    if (seconds < self->overhead + self->seconds) /* the execution in hand is finished */
        seconds = self->overhead + self->seconds;
    if (need > seconds - self->overhead)
        need = seconds - self->overhead;
    simrunner_continue(sim, self->overhead, seconds);
    double begun = world_now(sim->world), end = begun + need;
    while (!sim->cancelled && !sim->release && world_now(sim->world) < end)
        world_wait(sim->world, end - world_now(sim->world));
    if (sim->cancelled)
        return false;
    count_executions(self, world_now(sim->world) - begun);
    uint64_t executions = write_jobs(self, result);
    text_add(result, "stats executions=%llu\ncpu 0\nbytes %llu\nending fine\n", (unsigned long long)executions,
             (unsigned long long)self->nodes);
    return true;
}

void treerunner_init(TreeRunner *self, World *world, const TreeShape *shape, SimNode root, double seconds, double probe)
{
    static const SimWork work = {.open = open_tree, .close = close_tree, .explore = explore_slice};
    *self = (TreeRunner){.shape = shape, .root = root, .seconds = seconds, .probe = probe};
    simrunner_init(&self->sim, world, &work);
}

void treerunner_release(TreeRunner *self)
{
    close_tree(&self->sim);
    VEC_FREE(&self->domains);
    VEC_FREE(&self->jobs);
    map_release(&self->by_name);
    simrunner_release(&self->sim);
}
