/* tree.h - the executions of a model as the tree of their decisions, as text and for Graphviz */
#ifndef SUBJECT_ABS_TREE_H
#define SUBJECT_ABS_TREE_H

#include "subject/abs/portrait.h"

typedef struct Tree Tree;

Tree *tree_create(void);
void tree_destroy(Tree *tree);

/* Adds an execution; its portrait has the names. */
void tree_add(Tree *tree, const Execution *ex, const Portrait *portrait);

/* `dot`: for Graphviz. */
void tree_write(const Tree *tree, bool dot, Text *out);

#endif
