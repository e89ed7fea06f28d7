/* wakeup.h - the exploration tree: what has been explored, is being explored, and is pending
 *
 * The tree is kept along the current execution only. Level i stands for the node after its first i events and
 * holds
 *   done      labels of steps explored from there (their subtrees are complete),
 *   (current) the event at position i of the execution,
 *   pending   subtrees still to be explored, left to right: wakeup trees.
 * A leaf of a pending subtree is free: everything below it will be explored.
 * Paper: Abdulla, Aronis, Jonsson, Sagonas, "Optimal DPOR", JACM 2017.
 * Invariants (docs/design/exploration.md):
 * WUT-1  nothing sleeps at a leaf, so no execution is ever abandoned;
 * WUT-2  children are only appended on the right, and only if no step to their left fits them; so two
 *        siblings never share a class.
 */
#ifndef CORE_TREE_WAKEUP_H
#define CORE_TREE_WAKEUP_H

#include "base/region.h"
#include "base/vec.h"
#include "core/hb.h"
#include "core/label.h"
#include "core/tree/insert.h"
#include "core/tree/labelpool.h"

/* A prescribed step with its subtree; owned by its parent or level, in the region. */
typedef struct WakeupNode WakeupNode;
struct WakeupNode {
    const Label *label; /* of the tree's pool   */
    WakeupNode *next;   /* sibling to the right */
    WakeupNode *children; /* leftmost             */
};

typedef struct Level {
    WakeupNode *done;
    WakeupNode *pending;
} Level;

/* In the region; survives the process. */
typedef struct WakeupTree {
    Region *region;
    LabelPool labels;    /* of its nodes                                 */
    Level *levels;       /* EXECUTION_MAX_EVENTS of them, reserved */
    uint32_t depth;      /* levels from here on are empty          */
} WakeupTree;

/* A chain of nodes, each the child of the one before; owned by the holder. */
typedef VEC(WakeupNode *) WakeupBranch;

WakeupTree *wakeup_create(Region *region);
void wakeup_destroy(WakeupTree *tree);

/* The sleep set of each level, computed from the levels; process-local. */
typedef struct SleepSets {
    LabelSequence labels;
    VEC(uint32_t) starts;      /* per level: first index into labels; ends with the total */
    bool whole_agents;         /* source sets: an agent sleeps with all outcomes of its step, or not at all */
} SleepSets;

/* Removes the labels of an agent from the sleep set that begins at `first`. */
void sleep_wake(LabelSequence *asleep, uint32_t first, AgentId agent);

/* Computes the sleep sets along the events of `hb` up to `level`, then along the nodes of `branch`. Known sets
 * of levels up to `unchanged` are kept. Returns the number of steps asleep at the end. */
uint32_t wakeup_sleep(SleepSets *sleep, const WakeupTree *tree, const Hb *hb, uint32_t level,
                      const WakeupBranch *branch, uint32_t unchanged);

/* How many steps sleep at a level; 0 if its sleep set is not known. */
uint32_t wakeup_asleep(const SleepSets *sleep, uint32_t level);

/* Appends the steps asleep at a level. */
static inline void wakeup_sleepers(const SleepSets *sleep, uint32_t level, LabelSequence *out)
{
    if (level + 1 < sleep->starts.count)
        for (uint32_t s = sleep->starts.items[level]; s < sleep->starts.items[level + 1]; s++)
            VEC_PUSH(out, sleep->labels.items[s]);
}

/* The levels and their pending subtrees as a Tree to insert sequences into; node {level, NULL} is a level. */
typedef struct WakeupView {
    Tree tree;
    WakeupTree *levels;
    const Hb *hb;
} WakeupView;
/* Fills the view; tree and order are borrowed. */
void wakeup_view(WakeupView *view, WakeupTree *tree, const Hb *hb);

/* For source sets: makes the first step of the sequence pending at the level, unless a step with which the
 * sequence can begin is there already. Returns whether it did. */
bool wakeup_insert_first(WakeupTree *tree, const SleepSets *sleep, const Hb *hb, uint32_t first,
                         const LabelSequence *sequence);

/* Makes a step (copied) pending on the right of a level, unless it is pending there already. */
void wakeup_add_outcome(WakeupTree *tree, uint32_t level, const Label *label);

/* Marks a step (copied) as explored from a level. */
void wakeup_add_done(WakeupTree *tree, uint32_t level, const Label *label);

/* Empties the levels level..end-1. */
void wakeup_clear(WakeupTree *tree, uint32_t level, uint32_t end);
/* Empties the levels from `level` on. */
void wakeup_truncate(WakeupTree *tree, uint32_t level);

/* Takes the leftmost pending subtree of a level: the nodes of its leftmost branch are appended to `branch`
 * (owned by the caller, see wakeup_free_node), their other children become pending at the levels below. */
void wakeup_take(WakeupTree *tree, uint32_t level, WakeupBranch *branch);
/* The branch just taken cannot be run to its end: its last step counts as done, and what else is to be explored
 * along it is pending at the level again. The branch is empty then. */
void wakeup_give_up(WakeupTree *tree, uint32_t level, WakeupBranch *branch);
/* Frees a node alone, not its children. */
void wakeup_free_node(WakeupTree *tree, WakeupNode *node);

#endif
