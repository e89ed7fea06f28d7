/* interleaving_tree.c - see interleaving_tree.h */
#include "subject/abs/interleaving_tree.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

/* A step, after those above it. */
typedef struct InterleavingNode {
    char *label;              /* "DB_1 register (24)"                    */
    char *outcome;            /* of an execution that ends here, or NULL */
    char *id;                 /* of its final state                      */
    uint64_t decision;        /* agent and choices                       */
    uint32_t first_child, next_sibling; /* 0: none             */
} InterleavingNode;

struct InterleavingTree {
    VEC(InterleavingNode) nodes; /* 0 is the root              */
};

InterleavingTree *interleaving_tree_create(void)
{
    InterleavingTree *tree = mem_alloc(sizeof *tree);
    VEC_PUSH(&tree->nodes, ((InterleavingNode){0}));
    return tree;
}

void interleaving_tree_destroy(InterleavingTree *tree)
{
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        free(tree->nodes.items[i].label);
        free(tree->nodes.items[i].outcome);
        free(tree->nodes.items[i].id);
    }
    VEC_FREE(&tree->nodes);
    free(tree);
}

/* ---- Adding ------------------------------------------------------------------------- */

static uint64_t decision_of(const Execution *ex, uint32_t position)
{
    const Event *event = &ex->events[position];
    uint64_t decision = event->agent + 1;
    for (uint32_t i = 0; i < event->choice_count; i++)
        decision = decision * 1000003 + ex->choices[event->first_choice + i].taken + 1;
    return decision;
}

static char *label_of(const Execution *ex, uint32_t position, const Sequence *sequence)
{
    const SequenceStep *step = &sequence->steps[position];
    const Event *event = &ex->events[position];
    Text text = {0};
    text_add(&text, "%s %s (%u)", sequence->lifelines[step->lifeline], step->task, step->line);
    for (uint32_t i = 0; i < event->choice_count; i++)
        text_add(&text, "%s%u", i ? "," : " choice ", ex->choices[event->first_choice + i].taken);
    return text.data;
}

static uint32_t find_child(const InterleavingTree *tree, uint32_t node, uint64_t decision)
{
    uint32_t child = tree->nodes.items[node].first_child;
    while (child && tree->nodes.items[child].decision != decision)
        child = tree->nodes.items[child].next_sibling;
    return child;
}

/* After its siblings, so that the order is that of the executions. */
static uint32_t add_child(InterleavingTree *tree, uint32_t parent, uint64_t decision, char *label)
{
    uint32_t child = tree->nodes.count, *link;
    VEC_PUSH(&tree->nodes, ((InterleavingNode){.label = label, .decision = decision}));
    link = &tree->nodes.items[parent].first_child;
    while (*link)
        link = &tree->nodes.items[*link].next_sibling;
    *link = child;
    return child;
}

void interleaving_tree_add(InterleavingTree *tree, const Execution *ex, const ExecutionView *view)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < view->sequence->step_count; i++) {
        uint64_t decision = decision_of(ex, i);
        uint32_t child = find_child(tree, node, decision);
        node = child ? child : add_child(tree, node, decision, label_of(ex, i, view->sequence));
    }
    InterleavingNode *last = &tree->nodes.items[node];
    if (!last->outcome) {
        last->outcome = mem_copy_string(view->outcome);
        last->id = mem_copy_string(view->id);
    }
}

/* ---- Text ------------------------------------------------------------------------------ */

/* Indents only where the tree branches. */
static void write_text(const InterleavingTree *tree, uint32_t number, Text *prefix, Text *out)
{
    const InterleavingNode *node = &tree->nodes.items[number];
    if (node->outcome)
        text_add(out, "%s=> %s (final state %s)\n", text_borrow(prefix), node->outcome, node->id);
    size_t length = prefix->length;
    for (uint32_t child = node->first_child; child; child = tree->nodes.items[child].next_sibling) {
        const InterleavingNode *below = &tree->nodes.items[child];
        bool branches = below->next_sibling || node->first_child != child;
        text_add(out, "%s%s%s\n", text_borrow(prefix), branches ? "+- " : "", below->label);
        if (branches)
            text_add_string(prefix, below->next_sibling ? "|  " : "   ");
        write_text(tree, child, prefix, out);
        prefix->length = length;
        if (prefix->data)
            prefix->data[length] = '\0';
    }
}

/* ---- Graphviz -------------------------------------------------------------------------------- */

static const char *colour_of(const char *outcome)
{
    return strcmp(outcome, "ok") == 0 ? "green" : strcmp(outcome, "cut") == 0 ? "orange" : "red";
}

static void write_dot(const InterleavingTree *tree, Text *out)
{
    text_add_string(out, "digraph executions {\n  node [shape=box, fontname=monospace];\n  n0 [label=\"start\"];\n");
    for (uint32_t i = 1; i < tree->nodes.count; i++)
        text_add(out, "  n%u [label=\"%s\"];\n", i, tree->nodes.items[i].label);
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        const InterleavingNode *node = &tree->nodes.items[i];
        if (node->outcome)
            text_add(out, "  e%u [label=\"%s\\n%s\", shape=ellipse, color=%s];\n  n%u -> e%u;\n", i, node->outcome,
                     node->id, colour_of(node->outcome), i, i);
        for (uint32_t child = node->first_child; child; child = tree->nodes.items[child].next_sibling)
            text_add(out, "  n%u -> n%u;\n", i, child);
    }
    text_add_string(out, "}\n");
}

void interleaving_tree_write(const InterleavingTree *tree, bool dot, Text *out)
{
    Text prefix = {0};
    if (dot)
        write_dot(tree, out);
    else
        write_text(tree, 0, &prefix, out);
    text_release(&prefix);
}
