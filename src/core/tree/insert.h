/* insert.h - inserting a wakeup sequence into an exploration tree, unless it is covered
 *
 * A step c that is possible where a sequence v starts fits v if it is a step of v that can be moved to its
 * front, or if it is not in v and commutes with all of v. The sequence descends through the first child that
 * fits; a step of v is removed from it. It is covered when it reaches a node below which everything is explored
 * anyway; otherwise it is appended on the right.
 * With inputs: a child with a condition serves only the inputs for which it has that outcome; for the others
 * the sequence continues, unchanged, to the next child. For each single input the executions possible with it
 * must form a complete search. (INS-1)
 * If a branch is added after independent conditional steps were passed, it is prolonged by their other outcomes,
 * so that nothing sleeps at its end. (INS-2)
 * A child may have been added for other inputs only, and so may the children with its other outcomes. A sequence
 * that passes a step with choices without conditions is therefore inserted behind each outcome of it. (INS-4)
 */
#ifndef CORE_TREE_INSERT_H
#define CORE_TREE_INSERT_H

#include "base/vec.h"
#include "core/hb.h"
#include "core/label.h"
#include "core/program.h"

typedef VEC(const Label *) LabelSequence;

/* A node of a tree; what names it is up to the tree. */
typedef struct TreeNode {
    uint32_t level;
    void *node;
} TreeNode;

/* A child of a node, while the children are enumerated. */
typedef struct TreeChild {
    const Label *label;
    TreeNode below;
    bool covers;        /* everything below it is or will be explored */
    uint32_t phase;     /* for the tree: the list it is in            */
    const void *cursor;
} TreeChild;

typedef struct Tree Tree;
struct Tree {
    /* The next child of a node, from left to right; `child` is zeroed before the first call. */
    bool (*next_child)(Tree *tree, TreeNode node, TreeChild *child);
    /* Adds the steps as a branch below the node, on the right; it shares the nodes that exist already. */
    void (*append)(Tree *tree, TreeNode node, const Label *const *steps, uint32_t count);
};

/* Finds the outcomes that the next step of an agent can have after some steps. */
typedef struct OutcomeSource OutcomeSource;
struct OutcomeSource {
    /* Calls `each` for every outcome after the first `first` events of the current execution and then
     * `steps`. Labels are borrowed for the call. */
    void (*outcomes)(OutcomeSource *self, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                     void (*each)(void *context, const Label *label), void *context);
};

/* What a verdict "covered" rests on (REV-5). */
typedef struct Grounds {
    const Hb *hb;         /* the steps of the sequence are its events, but for one: */
    const Label *step;    /* the reversed step,                                     */
    uint32_t position;    /* which counts there; GROUNDS_NONE: behind all events    */
    uint32_t previous;    /* the event before it of its agent, or that created this; HB_NONE */
    uint32_t end;         /* the answer: the verdict stays as long as the first so many events are the same */
} Grounds;
#define GROUNDS_NONE UINT32_MAX

/* A node through which a sequence descended, and the step that it took there. */
typedef struct TreeStep {
    TreeNode node;
    const Label *taken;
} TreeStep;

/* The context and working memory of insertions. */
typedef struct Insertion {
    Program *program;
    OutcomeSource *source;
    Tree *tree;
    uint32_t first;               /* level of the node at which it began               */
    bool conditional;             /* the program may have conditions on inputs         */
    VEC(Literal) all;             /* path condition so far, with that of the sequence  */
    VEC(Literal) any;             /* clauses: inputs that were served already          */
    VEC(uint32_t) ends;
    const LabelSequence *sleepers; /* the sleep set of the first node                   */
    LabelSequence asleep;         /* conditional steps passed, still independent       */
    LabelSequence path;           /* steps from the first node to the current one      */
    VEC(TreeStep) way;            /* the same with the nodes; without conditions only  */
    VEC(uint8_t) needed;          /* see shorten.c */
    VEC(Label *) owned;           /* copies of labels, freed at the end                */
    uint64_t inserted, covered;
    Grounds grounds;              /* of the newest verdict; all but the answer is set by the caller */
} Insertion;

void insertion_init(Insertion *insertion, Program *program, OutcomeSource *source);
void insertion_release(Insertion *insertion);

/* Makes sure that `sequence` (used up) is explored from `node` on. `first` is the node's depth, `literals` its
 * path condition and `asleep` its sleep set. Returns whether anything was added. */
bool insertion_run(Insertion *insertion, Tree *tree, TreeNode node, uint32_t first, const LabelSequence *asleep,
                   const Literal *literals, uint32_t literal_count, LabelSequence *sequence);

/* Whether there are inputs for which the literals hold and the step has its outcome. */
bool insertion_feasible(Program *program, const Literal *literals, uint32_t count, const Label *step);

/* How a step relates to a sequence. */
typedef enum Fit {
    FIT_NO,         /* it conflicts with it, or has another outcome there */
    FIT_MATCH,      /* it is a step of it that can be moved to the front  */
    FIT_INDEPENDENT /* it is not in it and commutes with all of it        */
} Fit;
/* *at: the place in the sequence that decided; FIT_MATCH: of the step; FIT_INDEPENDENT: its end. */
Fit label_fit(const Label *step, const Label *const *sequence, uint32_t count, uint32_t *at);

#endif
