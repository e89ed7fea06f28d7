/* nodes.h - running a cluster: every node is the main function of its program on a thread of its own */
#ifndef RT_PROGRAM_NODES_H
#define RT_PROGRAM_NODES_H

#include "base/error.h"

/* Once per process, before globals are saved: runs the constructors of the nodes. */
bool nodes_init(Error *error);
/* The body of agent 0 in a cluster: starts the nodes. */
_Noreturn void nodes_run(void);

#endif
