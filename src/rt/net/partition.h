/* partition.h - links between the nodes of a cluster that are cut and heal
 *
 * A cut and its end are steps of an agent that does nothing else, so they come anywhere among what crosses the link;
 * which cuts there are in an execution is chosen at its beginning. Every cut ends. Over a cut link no datagram arrives,
 * connect fails, and what was sent through a connection either arrives when the link has healed, or times out: then
 * the sender is told, and the other end hears nothing. (docs/design/dependence.md)
 */
#ifndef RT_NET_PARTITION_H
#define RT_NET_PARTITION_H

#include "rt/kernel/touches.h"

/* Is there a cut in any execution? */
bool partition_possible(void);
/* By the agent that has started the nodes: chooses, and starts the agents. */
void partition_start(void);

/* A step over the link between two nodes: adds its access. None if they are one, or nothing is ever cut. */
void partition_touch(LiveAccesses *touches, unsigned a, unsigned b);
/* Inside that step: is the link cut? If so, it counts. */
bool partition_cuts(unsigned a, unsigned b);

#endif
