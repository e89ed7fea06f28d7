/* tree.h - synthetic search trees of any size, of which only the part looked at exists
 *
 * A node is a number and the number of leaves (executions) below it; its children follow from both.
 * So a subtree can be passed over without being walked through.
 */
#ifndef SIM_TREE_H
#define SIM_TREE_H

#include <stdint.h>

enum { TREE_CHILDREN = 8 };

typedef struct TreeShape {
    uint32_t children;     /* at most, 2..TREE_CHILDREN                                        */
    double skew;       /* sizes of children: random numbers to this power; 0: all the same */
} TreeShape;

typedef struct SimNode {
    uint64_t name;
    uint64_t leaves;
} SimNode;

/* The children of a node with at least two leaves; answers how many there are. */
uint32_t tree_children(const TreeShape *shape, SimNode node, SimNode children[TREE_CHILDREN]);

#endif
