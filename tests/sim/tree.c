/* tree.c - see tree.h */
#include "tree.h"

#include <math.h>

#include "base/rng.h"

static double random_share(Rng *rng, double skew)
{
    return pow(1e-9 + (double)(rng_next(rng) >> 11) / 9007199254740992.0, skew);
}

/* Every child has at least one leaf; the last one gets what is left by rounding. */
uint32_t tree_children(const TreeShape *shape, SimNode node, SimNode children[TREE_CHILDREN])
{
    Rng rng = {.state = node.name};
    uint32_t count = 2 + rng_below(&rng, shape->children - 1);
    if (count > node.leaves)
        count = (uint32_t)node.leaves;
    double share[TREE_CHILDREN], sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += share[i] = random_share(&rng, shape->skew);
    uint64_t left = node.leaves - count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t extra = (uint64_t)((double)(node.leaves - count) * share[i] / sum);
        if (extra > left || i == count - 1)
            extra = left;
        left -= extra;
        children[i] = (SimNode){.name = rng_next(&rng) | 1, .leaves = 1 + extra};
    }
    return count;
}
