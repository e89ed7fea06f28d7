/* explore_cluster.c - see explore_cluster.h */
#include "cli/explore_cluster.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/rundir.h"
#include "cluster/link.h"
#include "host/binary.h"
#include "host/words.h"
#include "report/source.h"

OptionMatch explore_take_node(Conf *conf, char **argv, int argc, int *i, Error *error)
{
    const char *file = words_value("--cluster", argv, argc, i);
    const char *node = file ? NULL : words_value("--node", argv, argc, i);
    const char *client = file || node ? NULL : words_value("--client", argv, argc, i);
    if (!file && !node && !client)
        return OPTION_FOREIGN;
    bool good = file ? conf_read(conf, file, error)
                     : conf_add(conf, node ? "node" : "client", node ? node : client, client != NULL, error);
    return good ? OPTION_TAKEN : OPTION_WRONG;
}

static void add_word(Text *options, const char *name, const char *value)
{
    Text word = {0};
    text_add(&word, "--%s=%s", name, value);
    text_add_string(options, " ");
    options_quote(options, word.data);
    text_release(&word);
}

static void become(RunDir *dir, const char *binary, const char *shown, const Options *options, int argc, char **argv,
                   Error *error)
{
    char *none[] = {NULL}, **own = binary_argv(none);
    Text words = {0};
    options_write(options, USE_SEARCH, &words);
    binary_add_command(&words, argc, argv);
    add_word(&words, "program", shown);
    add_word(&words, "output", dir->path);
    binary_become(binary, words.data, own, error);
    text_release(&words);
    free(own);
}

void explore_cluster(Conf *conf, const char *shown, const Options *options, int argc, char **argv, Error *error)
{
    RunDir dir;
    Text binary = {0};
    if (!conf_check(conf, error))
        return;
    if (options->restart)
        conf_restart_all(conf);
    rundir_open(&dir, options->directory);
    if (rundir_check(&dir, error)) {
        rundir_forget(&dir);
        text_add(&binary, "%s/cluster", dir.path);
        if (cluster_link(conf, binary.data, error))
            become(&dir, binary.data, source_base_name(shown), options, argc, argv, error);
    }
    text_release(&binary);
    rundir_close(&dir);
}
