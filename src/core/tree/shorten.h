/* shorten.h - the part of a wakeup sequence that has to be prescribed
 *
 * INS-5: a sequence w that is to be appended at a node is not covered there, so each step that sleeps at the node
 * conflicts with a step of w (or has another outcome in it). It suffices to append those steps, with all that happens
 * before them: then nothing sleeps behind them, so the rest of w is explored freely, and no class is explored that lies
 * below a step to their left.
 */
#ifndef CORE_TREE_SHORTEN_H
#define CORE_TREE_SHORTEN_H

#include "core/tree/insert.h"

/* Removes from the sequence what need not be prescribed below `node`, which was reached from the first node on the way.
 * Without the order of the sequence's steps (Grounds.hb) it stays as it is. */
void insertion_shorten(Insertion *insertion, TreeNode node, LabelSequence *sequence);

#endif
