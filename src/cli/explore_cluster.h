/* explore_cluster.h - `sennit explore --cluster FILE`, `--node NAME=PROGRAM`: programs linked to one, then explored */
#ifndef CLI_EXPLORE_CLUSTER_H
#define CLI_EXPLORE_CLUSTER_H

#include "app/options/options.h"
#include "cluster/conf.h"

/* Takes --cluster, --node or --client, which may be repeated; OPTION_FOREIGN if it is another word. */
OptionMatch explore_take_node(Conf *conf, char **argv, int argc, int *i, Error *error);
/* Links the cluster into the run directory and becomes it. Returns on failure only. `shown`: its name. */
void explore_cluster(Conf *conf, const char *shown, const Options *options, int argc, char **argv, Error *error);

#endif
