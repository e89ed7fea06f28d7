/* link.h - one test binary out of the programs of a cluster */
#ifndef CLUSTER_LINK_H
#define CLUSTER_LINK_H

#include "cluster/conf.h"

/* Links copies of the programs, which are test binaries, with names of their own, one for each node, to the test binary
 * `output`. */
bool cluster_link(const Conf *conf, const char *output, Error *error);

#endif
