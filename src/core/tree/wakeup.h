/* wakeup.h - the exploration tree: what is explored, being explored, and still to do
 *
 * The tree is kept along the current execution only. Level i stands for the node
 * after its first i events and holds
 *   done      labels of steps explored from there (their subtrees are complete),
 *   (current) the event at position i of the execution,
 *   pending   subtrees still to be explored, left to right: wakeup trees.
 * A leaf of a pending subtree is free: below it everything is explored.
 * Paper: Abdulla, Aronis, Jonsson, Sagonas, "Optimal DPOR", JACM 2017.
 * Invariants (docs/design/exploration.md):
 * WUT-1  at a leaf nothing sleeps, so no execution is ever cut off;
 * WUT-2  children are only appended on the right, and only if no step to their left is a
 *        first step of them; so two siblings never share a class.
 */
#ifndef CORE_TREE_WAKEUP_H
#define CORE_TREE_WAKEUP_H

#include "base/region.h"
#include "base/vec.h"
#include "core/hb.h"
#include "core/label.h"
#include "core/tree/insert.h"

/* A prescribed step with its subtree; owned by its parent or level, in the region. */
typedef struct WakeupNode WakeupNode;
struct WakeupNode {
    Label label;
    WakeupNode *next;  /* sibling to the right */
    WakeupNode *children; /* leftmost             */
};

typedef struct Level {
    WakeupNode *done;
    WakeupNode *pending;
} Level;

/* Lives in the region; survives the process. */
typedef struct WakeupTree {
    Region *region;
    Level *levels;       /* EXECUTION_MAX_EVENTS of them, reserved */
    uint32_t depth;      /* levels above this are empty            */
} WakeupTree;

/* Nodes below each other, owned by the holder. */
typedef VEC(WakeupNode *) WakeupBranch;

WakeupTree *wakeup_create(Region *region);
void wakeup_destroy(WakeupTree *tree);

/* The steps asleep at each level, worked out from the levels; process-local. */
typedef struct SleepSets {
    LabelSequence labels;
    VEC(uint32_t) starts;      /* per level: first index into labels; ends with the total */
    bool whole_agents;         /* an agent sleeps with all outcomes of its step, or not at all */
} SleepSets;

/* Removes the labels of an agent, from `first` on. */
void sleep_wake(LabelSequence *asleep, uint32_t first, AgentId agent);

/* Works out the sleep sets along the events of `hb` up to `level`, then along the nodes of
 * `branch`. Sets of levels up to `unchanged` stay as they are if they are known. Answers the
 * number of steps asleep at the end. */
uint32_t wakeup_sleep(SleepSets *sleep, const WakeupTree *tree, const Hb *hb, uint32_t level,
                      const WakeupBranch *branch, uint32_t unchanged);

/* How many steps sleep at a level; 0 if the level is beyond those worked out. */
uint32_t wakeup_asleep(const SleepSets *sleep, uint32_t level);

/* The steps asleep at a level. */
static inline void wakeup_sleepers(const SleepSets *sleep, uint32_t level, LabelSequence *out)
{
    if (level + 1 < sleep->starts.count)
        for (uint32_t s = sleep->starts.items[level]; s < sleep->starts.items[level + 1]; s++)
            VEC_PUSH(out, sleep->labels.items[s]);
}

/* The levels and the subtrees pending there, as a tree to insert sequences into: node
 * {level, NULL} is a level. */
typedef struct WakeupView {
    Tree tree;
    WakeupTree *levels;
    const Hb *hb;
} WakeupView;
void wakeup_view(WakeupView *view, WakeupTree *tree, const Hb *hb);

/* Source sets instead of wakeup trees: adds the first step of the sequence to the level
 * unless a step of the sequence is there; answers whether it did. Below it the search has to
 * mind the sleep sets. */
bool wakeup_insert_first(WakeupTree *tree, const SleepSets *sleep, const Hb *hb, uint32_t first,
                         const LabelSequence *sequence);

/* Adds a subtree of one step on the right of a level. */
void wakeup_add_pending(WakeupTree *tree, uint32_t level, const Label *label);

/* The same, unless it is pending already. */
void wakeup_add_outcome(WakeupTree *tree, uint32_t level, const Label *label);

/* Marks a step as explored from a level (copied). */
void wakeup_add_done(WakeupTree *tree, uint32_t level, const Label *label);

/* Empties the levels level..end-1. */
void wakeup_clear(WakeupTree *tree, uint32_t level, uint32_t end);
/* Empties the levels from `level` on. */
void wakeup_truncate(WakeupTree *tree, uint32_t level);

/* Takes the leftmost pending subtree of a level and spreads it: the labels of its leftmost
 * branch are appended to `branch` (owned by the caller, see wakeup_free_node), the other
 * children along it become pending at the levels below. */
void wakeup_take(WakeupTree *tree, uint32_t level, WakeupBranch *branch);
/* The branch just taken cannot be run to its end: its last step counts as done, what else is to
 * be explored along it is pending at the level again. The branch is empty then. */
void wakeup_give_up(WakeupTree *tree, uint32_t level, WakeupBranch *branch);
/* A node with a copy of the label. */
WakeupNode *wakeup_make_node(WakeupTree *tree, const Label *label);
void wakeup_free_node(WakeupTree *tree, WakeupNode *node);

#endif
