/* jobs_wire.c - see jobs_wire.h
 *
 *     tree STATE                          of the root
 *     PARENT STATE AGENT[:CHOICE,...]     node 1, 2, ...; the root is 0
 *
 * STATE: p prescribed, o open, d done. A choice on inputs is written with a question mark.
 */
#include "core/tree/jobs_wire.h"

#include <stdio.h>

#include "base/vec.h"
#include "core/tree/jobs_internal.h"

enum { AGENT_TEXT = 512 }; /* bytes of a structural name */

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
    for (Job *above = node->parent; above; above = above->parent) /* some in between may never have been queried */
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

/* ---- The whole tree ----------------------------------------------------------------- */

/* Nodes are numbered in the order in which they are written, each after its parent. */
static void write_below(const Job *top, Program *program, Text *text)
{
    VEC(uint32_t) numbers = {0}; /* of the nodes from `top` to the current one, by depth */
    uint32_t last = 0;
    VEC_PUSH(&numbers, last);
    for (const Job *node = jobs_next_below(top, top); node; node = jobs_next_below(top, node)) {
        numbers.count = node->depth - top->depth;
        jobs_write_entry(node, numbers.items[numbers.count - 1], program, text);
        VEC_PUSH(&numbers, ++last);
    }
    VEC_FREE(&numbers);
}

void jobs_write(Jobs *jobs, Program *program, Text *text)
{
    jobs_lock(jobs);
    text_add(text, "tree %c\n", state_letter(jobs->root));
    write_below(jobs->root, program, text);
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
