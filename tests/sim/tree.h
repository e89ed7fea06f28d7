/* tree.h - synthetic search trees of any size, of which only the part looked at exists
 *
 * A node is a number and the number of leaves (executions) below it; its kids follow from both.
 * So a subtree can be passed over without being walked through.
 */
#ifndef SIM_TREE_H
#define SIM_TREE_H

#include <stdint.h>

enum { TREE_KIDS = 8 };

typedef struct TreeShape {
    uint32_t kids;     /* at most, 2..TREE_KIDS                                        */
    double skew;       /* sizes of kids: random numbers to this power; 0: all the same */
} TreeShape;

typedef struct SimNode {
    uint64_t name;
    uint64_t leaves;
} SimNode;

/* The kids of a node with at least two leaves; answers how many there are. */
uint32_t tree_kids(const TreeShape *shape, SimNode node, SimNode kids[TREE_KIDS]);

#endif
