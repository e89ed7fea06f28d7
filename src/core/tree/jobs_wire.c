/* jobs_wire.c - see jobs_wire.h
 *
 *     tree STATE                          of the root
 *     PARENT STATE [...]                  node 1, 2, ...; the root is 0; then what the node says (JobForm)
 *
 * STATE: p prescribed, o open, d done.
 */
#include "core/tree/jobs_wire.h"

#include <stdio.h>

#include "base/vec.h"
#include "core/tree/jobs_internal.h"

/* ---- Entries ------------------------------------------------------------------ */

static char state_letter(const Job *node)
{
    return node->state == PRESCRIBED ? 'p' : node->state == OVER ? 'd' : 'o';
}

void jobs_write_entry(const Jobs *jobs, const Job *node, uint32_t parent, Program *program, Text *text)
{
    text_add(text, "%u %c", parent, state_letter(node));
    jobs->form->write(node, program, text);
    text_add_string(text, "\n");
}

static bool read_state(StepReader *reader, char *state)
{
    if (reader->at == reader->end)
        return false;
    *state = *reader->at++;
    return *state == 'p' || *state == 'o' || *state == 'd';
}

static bool read_entry(Jobs *jobs, Program *program, JobDomain *domain, StepReader *reader, bool open)
{
    uint32_t parent;
    char state;
    if (!step_read_number(reader, &parent) || parent >= domain->count || !step_read_char(reader, ' ') ||
        !read_state(reader, &state))
        return false;
    Job *node = jobs_add_node(jobs, domain->nodes[parent]);
    node->state = state == 'o' ? FOREIGN : state == 'd' ? OVER : PRESCRIBED;
    if (state == 'o' && open)
        jobs_open_node(jobs, node);
    jobs_add_entry(jobs, domain, node);
    return jobs->form->read(jobs, node, program, reader) && step_read_char(reader, '\n');
}

bool jobs_read_entries(Jobs *jobs, Program *program, JobDomain *domain, const char *text, size_t size, bool open,
                       Error *error)
{
    StepReader reader = {.at = text, .end = text + size};
    bool good = true;
    while (good && reader.at < reader.end)
        good = read_entry(jobs, program, domain, &reader, open);
    return good || error_set(error, EXIT_INTERNAL, "the tree of jobs is damaged at entry %u", domain->count);
}

/* ---- The whole tree ----------------------------------------------------------------- */

/* Nodes are numbered in the order in which they are written, each after its parent. */
static void write_below(const Jobs *jobs, Program *program, Text *text)
{
    const Job *top = jobs->root;
    VEC(uint32_t) numbers = {0}; /* of the nodes from `top` to the current one, by depth */
    uint32_t last = 0;
    VEC_PUSH(&numbers, last);
    for (const Job *node = jobs_next_below(top, top); node; node = jobs_next_below(top, node)) {
        numbers.count = node->depth - top->depth;
        jobs_write_entry(jobs, node, numbers.items[numbers.count - 1], program, text);
        VEC_PUSH(&numbers, ++last);
    }
    VEC_FREE(&numbers);
}

void jobs_write(Jobs *jobs, Program *program, Text *text)
{
    jobs_lock(jobs);
    text_add(text, "tree %c\n", state_letter(jobs->root));
    write_below(jobs, program, text);
    jobs_unlock(jobs);
}

bool jobs_read(Jobs *jobs, Program *program, const char *text, size_t size, Error *error)
{
    char state;
    if (size < 7 || sscanf(text, "tree %c", &state) != 1 || text[6] != '\n')
        return error_set(error, EXIT_INTERNAL, "the tree of jobs is damaged at its first line");
    if (state == 'o')
        return true;
    jobs_close_root(jobs);
    JobDomain *domain = jobs_add_domain(jobs, jobs->root, 0);
    bool good = jobs_read_entries(jobs, program, domain, text + 7, size - 7, true, error);
    jobs_forget_domain(jobs, domain);
    return good;
}
