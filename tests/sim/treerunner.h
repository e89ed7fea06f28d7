/* treerunner.h - a runner in virtual time for synthetic trees: executions are counted, not run */
#ifndef SIM_TREERUNNER_H
#define SIM_TREERUNNER_H

#include "base/map.h"
#include "base/vec.h"
#include "simrunner.h"
#include "tree.h"

/* What is known of the store's tree. */
typedef struct KnownEntry {
    SimNode node;
    uint32_t parent;
    uint32_t children;
    bool resolved;       /* its children are known to the engine: they were run once */
} KnownEntry;

typedef struct KnownDomain {
    uint64_t name, parent;
    uint32_t entry;
    VEC(KnownEntry) entries; /* entry 0 is the job that was split */
} KnownDomain;

typedef struct TreeJob {
    uint64_t domain, name;
    uint32_t entry;
    SimNode node;
    uint64_t done;       /* leaves */
} TreeJob;

typedef struct TreeRunner {
    SimRunner sim;       /* first: the runner is this */
    const TreeShape *shape;
    SimNode root;
    double seconds;      /* of an execution           */
    double probe;        /* of a partial one          */
    VEC(KnownDomain) domains;
    Map by_name;
    VEC(TreeJob) jobs;   /* held; they are explored one after another */
    double overhead;     /* seconds of this slice for learning the tree */
    double busy;         /* seconds of executions in all */
    double learning;     /* and of partial ones          */
    uint64_t nodes;
} TreeRunner;

void treerunner_init(TreeRunner *runner, World *world, const TreeShape *shape, SimNode root, double seconds, double probe);
void treerunner_release(TreeRunner *runner);

#endif
