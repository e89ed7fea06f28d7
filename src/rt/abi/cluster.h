/* cluster.h - what a cluster is linked from: the programs that are its nodes
 *
 * The tool writes a source file with the table and copies of the programs whose names are local (src/cluster); the
 * runtime finds it by its name. The types stand in a macro because that source file repeats them.
 */
#ifndef RT_ABI_CLUSTER_H
#define RT_ABI_CLUSTER_H

#include "rt/abi/hooks.h"

#define SENNIT_CLUSTER_TYPES                                                     \
    typedef struct SennitNode {                                                  \
        const char *name;                                                        \
        unsigned address; /* IPv4, in the byte order of the machine */           \
        int client;       /* the execution is over when all clients have ended */ \
        int starts_again; /* after a crash                                     */ \
        const int *faults; /* how often each may happen there, in the order of Fault (rt/actors/actor.h); -1: as often \
                            * as the options say */                               \
        int count;        /* of arguments, the program's name among them */      \
        const char *const *arguments, *const *environment; /* end with NULL */   \
        int socket_count;                                                        \
        const unsigned *sockets; /* ports that it begins with, + SENNIT_NODE_UDP */ \
        int (*main)(int, char **, char **);                                      \
        void (*const *constructors)(int, char **, char **);                      \
        void (*const *constructors_end)(int, char **, char **);                  \
        const void *destructors, *destructors_end; /* SennitDestructor */        \
        const void *globals, *globals_end;         /* SennitGlobal */            \
    } SennitNode;                                                                \
    typedef struct SennitCut { /* of the links between two groups of nodes */    \
        int most;           /* how often; -1: it shares the budget of the option */ \
        unsigned sides[2];  /* a bit for each node, from the lowest one on */    \
    } SennitCut;                                                                 \
    typedef struct SennitCluster {                                               \
        unsigned count;                                                          \
        const SennitNode *nodes;                                                 \
        unsigned cut_count;                                                      \
        const SennitCut *cuts;                                                   \
    } SennitCluster;

SENNIT_CLUSTER_TYPES

enum { SENNIT_NODE_UDP = 1 << 16 };

#define SENNIT_CLUSTER_TEXT_OF(...) #__VA_ARGS__
#define SENNIT_CLUSTER_TEXT_(...) SENNIT_CLUSTER_TEXT_OF(__VA_ARGS__)
#define SENNIT_CLUSTER_TEXT SENNIT_CLUSTER_TEXT_(SENNIT_CLUSTER_TYPES)

/* Not defined in a program that is no cluster. */
extern const SennitCluster sennit_cluster __attribute__((weak));

#endif
