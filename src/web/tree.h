/* tree.h - the kept executions of a run as a tree: what they have in common, and where they part */
#ifndef WEB_TREE_H
#define WEB_TREE_H

#include "base/text.h"

/* Adds the tree of the run in this directory as JSON (docs/design/page.md). */
void tree_write(const char *run, Text *out);

#endif
