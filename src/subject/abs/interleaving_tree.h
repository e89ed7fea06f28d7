/* interleaving_tree.h - the executions of a model as the tree of their decisions, as text and for Graphviz */
#ifndef SUBJECT_ABS_INTERLEAVING_TREE_H
#define SUBJECT_ABS_INTERLEAVING_TREE_H

#include "subject/abs/execution_view.h"

typedef struct InterleavingTree InterleavingTree;

InterleavingTree *interleaving_tree_create(void);
void interleaving_tree_destroy(InterleavingTree *tree);

/* Adds an execution; its view contains the names. */
void interleaving_tree_add(InterleavingTree *tree, const Execution *ex, const ExecutionView *view);

/* `dot`: for Graphviz. */
void interleaving_tree_write(const InterleavingTree *tree, bool dot, Text *out);

#endif
