/* conf.h - which programs a cluster consists of: a file, and options of the command line
 *
 *     # a comment
 *     node NAME PROGRAM [ARGUMENT ...]      words are quoted as for a shell
 *     client NAME PROGRAM [ARGUMENT ...]    the execution is over when all clients have ended
 *     address 10.0.0.7                      of the node above
 *     env NAME=VALUE                        its environment consists of these
 *     crash 1                               it may crash so often, whatever --crash says; likewise lose, duplicate (of
 *                                           datagrams that it sends), reset and short (of its connections)
 *     partition 1 NAME ... / NAME ...       the links between two groups of nodes may be cut so often; without a second
 *                                           group: from all others; without a number: it shares the budget of
 *                                           --partition with the other lines like it, which are all it may cut then
 *     restart                               after a crash it starts again
 *     socket tcp 4000                       it begins with a socket, as descriptor 3 or the next: one that listens, or,
 *                                           with udp, one that is bound
 */
#ifndef CLUSTER_CONF_H
#define CLUSTER_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

enum { CONF_MOST_NODES = 16, CONF_FAULTS = 5 };

typedef struct ConfNode {
    char *name;
    bool client, starts_again;
    int faults[CONF_FAULTS]; /* budgets, in the order of Fault; -1: those of the options */
    uint32_t address;      /* IPv4, in the byte order of the machine */
    VEC(char *) words;     /* the program and its arguments */
    VEC(char *) environment;
    VEC(unsigned) sockets; /* as in rt/abi/cluster.h */
    char *place;           /* where it is described, for messages */
} ConfNode;

typedef struct ConfCut {
    int most;              /* -1: it shares the budget of the option */
    unsigned sides[2];     /* a bit for each node */
    VEC(char *) words;     /* until all nodes are known */
    char *place;
} ConfCut;

typedef struct Conf {
    VEC(ConfNode) nodes;
    VEC(ConfCut) cuts;
    bool given; /* something was read */
} Conf;

bool conf_read(Conf *conf, const char *path, Error *error);
/* "NAME=PROGRAM ARGUMENT ..."; of a client the name may be missing. */
bool conf_add(Conf *conf, const char *option, const char *text, bool client, Error *error);
/* When all were added: gives addresses to the nodes that have none, and looks for contradictions. */
bool conf_check(Conf *conf, Error *error);
/* Every node that is no client starts again after a crash. */
void conf_restart_all(Conf *conf);
void conf_release(Conf *conf);

#endif
