/* labelpool.h - labels of which each is stored once, however many nodes of a tree say it
 *
 * The pending sequences of a wakeup tree are many and long, and made of few different steps.
 */
#ifndef CORE_TREE_LABELPOOL_H
#define CORE_TREE_LABELPOOL_H

#include "base/region.h"
#include "core/label.h"

typedef struct KeptLabel KeptLabel;

/* In the region; {.region = region} is an empty pool. */
typedef struct LabelPool {
    Region *region;
    KeptLabel **slots;
    uint32_t capacity, count;
} LabelPool;

/* The pool's copy of a label, which stays until it is dropped as often as it was kept. */
const Label *labelpool_keep(LabelPool *pool, const Label *label);
void labelpool_drop(LabelPool *pool, const Label *kept);

/* Empties the pool; a process that died may not have dropped all that it kept. */
void labelpool_release(LabelPool *pool);

#endif
