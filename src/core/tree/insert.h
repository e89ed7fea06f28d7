/* insert.h - putting a sequence of steps into an exploration tree, unless it is covered
 *
 * A step c, possible where a sequence v starts, fits v if it is a step of v that can be
 * moved to its front, or if it is not in v and commutes with all of v. The sequence goes
 * down through the first child that fits; a step of v is taken out of it. It is covered when
 * it reaches a node below which everything is explored anyway.
 * With inputs: a child with a condition serves only the inputs for which it has that outcome;
 * for the others the sequence goes on to the next child, unchanged. Fix one input: the
 * executions that are possible for it must form a complete search. (INS-1)
 * If a branch is added although independent steps were passed, it is prolonged by the other
 * outcomes of those, so that nothing sleeps at its end. (INS-2)
 * A child may be there for the sake of other inputs only, and then so may the children with its
 * other outcomes. A sequence that passes a step with choices without conditions therefore goes
 * behind each outcome of the step. (INS-4)
 */
#ifndef CORE_TREE_INSERT_H
#define CORE_TREE_INSERT_H

#include "base/vec.h"
#include "core/label.h"
#include "core/program.h"

typedef VEC(const Label *) LabelSequence;

/* A node of a tree, as the tree likes to name it. */
typedef struct TreeNode {
    uint32_t level;
    void *node;
} TreeNode;

typedef struct TreeChild {
    const Label *label;
    TreeNode below;
    bool covers;        /* everything below it is or will be explored */
    uint32_t phase;     /* the tree's own: where it is in its lists   */
    const void *cursor;
} TreeChild;

typedef struct Tree Tree;
struct Tree {
    /* The next child of a node, from left to right; `child` is zeroed before the first call. */
    bool (*next_child)(Tree *tree, TreeNode node, TreeChild *child);
    /* Adds the steps below the node, on the right; children that are the same are shared. */
    void (*append)(Tree *tree, TreeNode node, const Label *const *steps, uint32_t count);
};

/* Tells the outcomes that the next step of an agent can have behind some steps. */
typedef struct OutcomeSource OutcomeSource;
struct OutcomeSource {
    /* Calls `each` for every outcome after the first `first` events of the current execution
     * and then `steps`. Labels are borrowed for the call. */
    void (*outcomes)(OutcomeSource *self, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                     void (*each)(void *context, const Label *label), void *context);
};

/* Working memory and surroundings of insertions. */
typedef struct Insertion {
    Program *program;
    OutcomeSource *source;
    Tree *tree;
    uint32_t first;               /* level of the node at which it began              */
    bool conditional;             /* conditions on inputs play a part                 */
    VEC(Literal) all;             /* path condition of the way so far and the sequence */
    VEC(Literal) any;             /* clauses: inputs that were served already          */
    VEC(uint32_t) ends;
    const LabelSequence *sleepers; /* what sleeps at the first node                    */
    LabelSequence asleep;         /* conditional steps passed by, still independent   */
    LabelSequence path;           /* steps from the first node to the current one     */
    VEC(Label *) owned;           /* copies of labels, freed at the end               */
    uint64_t inserted, covered;
} Insertion;

void insertion_init(Insertion *insertion, Program *program, OutcomeSource *source);
void insertion_release(Insertion *insertion);

/* Makes sure that `sequence` (used up) is explored from `node` on. `literals` is the path
 * condition of the node; `asleep` are the steps that sleep there. Answers whether anything
 * was added. */
bool insertion_run(Insertion *insertion, Tree *tree, TreeNode node, uint32_t first, const LabelSequence *asleep,
                   const Literal *literals, uint32_t literal_count, LabelSequence *sequence);

/* Are there inputs for which the literals hold and the step has its outcome? */
bool insertion_feasible(Program *program, const Literal *literals, uint32_t count, const Label *step);

/* How a step relates to a sequence. */
typedef enum Fit {
    FIT_NO,         /* it conflicts with it, or has another outcome in it */
    FIT_MATCH,      /* it is a step of it that can be moved to the front  */
    FIT_INDEPENDENT /* it is not in it and commutes with all of it        */
} Fit;
Fit label_fit(const Label *step, const Label *const *sequence, uint32_t count, uint32_t *at);

#endif
