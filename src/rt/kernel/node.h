/* node.h - the programs of a cluster, each with the state that a process has
 *
 * Nodes are numbered from 1; a program that is no cluster, and the agent that starts the nodes, have number 0. What
 * the C library and the runtime keep per process is either a table with an entry per node, or kept by this file: it is
 * exchanged when a thread of another node continues (node_keep).
 */
#ifndef RT_KERNEL_NODE_H
#define RT_KERNEL_NODE_H

#include <stddef.h>

#include "rt/abi/cluster.h"
#include "rt/kernel/runtime.h"

enum { RT_MAX_NODES = 16, RT_NODES = RT_MAX_NODES + 1 };

/* The number of nodes; 0: no cluster. */
unsigned node_count(void);
const SennitNode *node_get(unsigned node);
/* The node of the running thread. */
static inline unsigned node_self(void) { return rt.self ? rt.self->node : rt.node; }
/* The node with this address or name; 0: none. */
unsigned node_of_address(uint32_t address);
unsigned node_of_name(const char *name);
/* The node that an agent belongs to, also outside executions. */
unsigned node_of_agent(AgentId agent);

/* What distinguishes the resources of the running thread's node, in bits that their names leave free. */
static inline uint64_t node_bits(unsigned shift) { return (uint64_t)node_self() << shift; }

/* ---- State of a process --------------------------------------------------------------- */

/* Once per process: the variables that exist once per node; that all of them are named, and are now as every node finds
 * them; and that every execution begins with what they are then. */
void node_keep(void *variable, size_t size);
void node_begin(void);
void node_settle(void);
/* Makes the variables those of this node. */
void node_switch(unsigned node);
/* They are as every execution begins with them, for the node of the running thread. */
void node_restore(void);
/* The same variables, if the program can fork: copies for a process that is not the one in place. */
size_t node_keep_size(void);
void node_keep_save(unsigned char *to);
void node_keep_load(const unsigned char *from);

/* ---- Threads and ends ------------------------------------------------------------------- */

/* A new execution. */
void node_reset(void);
/* The running thread is the first one of its node, and the only one; answers how often the node has started before. */
unsigned node_start(void);
/* How often it has started. */
unsigned node_starts(void);
/* Does the node of the running thread start again after a crash? */
bool node_starts_again(void);
/* A thread of the program was created in the running thread's node. */
void node_note_thread(void);
/* Has the node of the running thread more than one? */
bool node_has_threads(void);
/* Is the running thread the one that the node began with? */
bool node_is_first(void);
/* Is the running thread one that must not continue when its node ends: not the only one, as far as it knows itself? */
bool node_may_end(void);
/* Is the node running? Inside a step that accesses node_resource. */
int64_t *node_running(unsigned node);
uint64_t node_resource(unsigned node);
/* The node of the running thread has ended: that its threads wait means nothing any more. */
void node_note_end(void);
/* Can it crash, where the search asks for crashes? */
bool node_is_mortal(void);
/* Does it mean nothing that the thread waits: it is something that travels, or its node has ended, or nothing waits for
 * the nodes that serve? */
bool node_is_idle(const Thread *thread);

#endif
