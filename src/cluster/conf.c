/* conf.c - see conf.h */
#include "cluster/conf.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "host/words.h"
#include "rt/abi/cluster.h"

enum { MOST_SOCKETS = 8 };

typedef VEC(char *) ConfWords;

static void release_words(ConfWords *words)
{
    for (uint32_t i = 0; i < words->count; i++)
        free(words->items[i]);
    VEC_FREE(words);
}

/* ---- ConfWords ---------------------------------------------------------------------------------- */

static bool split(const char *text, const char *place, ConfWords *words, Error *error)
{
    for (;;) {
        Text word = {0};
        if (!words_skip(&text) || *text == '#')
            return true;
        bool closed = words_take(&text, &word);
        VEC_PUSH(words, word.data);
        if (!closed)
            return error_set(error, EXIT_USAGE, "%s: a quote is not closed", place);
    }
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '-')
            return false;
    return length > 0 && length <= 24 && isalpha((unsigned char)*text);
}

static ConfNode *add_node(Conf *conf, const char *name, bool client, const char *place, Error *error)
{
    if (!is_name(name, strlen(name))) {
        error_set(error, EXIT_USAGE, "%s: %s is no name of a node (at most 24 letters, digits, - and _)", place, name);
        return NULL;
    }
    for (uint32_t i = 0; i < conf->nodes.count; i++)
        if (strcmp(conf->nodes.items[i].name, name) == 0) {
            error_set(error, EXIT_USAGE, "%s: there is a node %s already (%s)", place, name,
                      conf->nodes.items[i].place);
            return NULL;
        }
    if (conf->nodes.count == CONF_MOST_NODES) {
        error_set(error, EXIT_USAGE, "%s: more than %d nodes", place, CONF_MOST_NODES);
        return NULL;
    }
    VEC_PUSH(&conf->nodes, ((ConfNode){.name = mem_copy_string(name), .client = client,
                                       .faults = {-1, -1, -1, -1, -1}, .place = mem_copy_string(place)}));
    return &conf->nodes.items[conf->nodes.count - 1];
}

static void move_words(ConfNode *node, ConfWords *words, uint32_t from)
{
    for (uint32_t i = from; i < words->count; i++)
        VEC_PUSH(&node->words, mem_copy_string(words->items[i]));
}

/* ---- The file ------------------------------------------------------------------------------- */

static bool set_address(ConfNode *node, const char *text, const char *place, Error *error)
{
    struct in_addr address;
    if (inet_pton(AF_INET, text, &address) != 1)
        return error_set(error, EXIT_USAGE, "%s: %s is no IPv4 address", place, text);
    node->address = ntohl(address.s_addr);
    if (node->address >> 24 == 127 || node->address >> 24 == 0 || node->address >> 28 >= 14)
        return error_set(error, EXIT_USAGE, "%s: %s cannot be the address of a node", place, text);
    return true;
}

static bool add_variable(ConfNode *node, char *const *values, const char *place, Error *error)
{
    const char *text = values[0];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return error_set(error, EXIT_USAGE, "%s: env %s: expected NAME=VALUE", place, text);
    VEC_PUSH(&node->environment, mem_copy_string(text));
    return true;
}

static bool add_address(ConfNode *node, char *const *values, const char *place, Error *error)
{
    return set_address(node, values[0], place, error);
}

static bool add_socket(ConfNode *node, char *const *values, const char *place, Error *error)
{
    char *end;
    bool udp = strcmp(values[0], "udp") == 0;
    unsigned long port = strtoul(values[1], &end, 10);
    if (!udp && strcmp(values[0], "tcp") != 0)
        return error_set(error, EXIT_USAGE, "%s: %s is neither tcp nor udp", place, values[0]);
    if (!isdigit((unsigned char)*values[1]) || *end || port < 1 || port > 65535)
        return error_set(error, EXIT_USAGE, "%s: %s is no port", place, values[1]);
    unsigned socket = (unsigned)port | (udp ? SENNIT_NODE_UDP : 0);
    for (uint32_t i = 0; i < node->sockets.count; i++)
        if (node->sockets.items[i] == socket)
            return error_set(error, EXIT_USAGE, "%s: node %s has this port already", place, node->name);
    if (node->sockets.count == MOST_SOCKETS)
        return error_set(error, EXIT_USAGE, "%s: more than %d sockets", place, MOST_SOCKETS);
    VEC_PUSH(&node->sockets, socket);
    return true;
}

static bool set_budget(ConfNode *node, const char *fault, char *const *values, const char *place, Error *error)
{
    static const char *const names[CONF_FAULTS] = {"lose", "duplicate", "crash", "reset", "short"}; /* as Fault */
    enum { MOST = 1000 };
    char *end;
    unsigned kind = 0;
    unsigned long most = strtoul(values[0], &end, 10);
    while (strcmp(names[kind], fault) != 0)
        kind++;
    if (!isdigit((unsigned char)*values[0]) || *end || most > MOST)
        return error_set(error, EXIT_USAGE, "%s: %s %s: expected a number up to %d", place, fault, values[0], MOST);
    node->faults[kind] = (int)most;
    return true;
}

#define BUDGET(fault)                                                                                 \
    static bool set_##fault(ConfNode *node, char *const *values, const char *place, Error *error)     \
    {                                                                                                 \
        return set_budget(node, #fault, values, place, error);                                        \
    }
BUDGET(lose)
BUDGET(duplicate)
BUDGET(reset)
BUDGET(short)
#undef BUDGET

static bool set_crash(ConfNode *node, char *const *values, const char *place, Error *error)
{
    if (node->client)
        return error_set(error, EXIT_USAGE, "%s: clients do not crash", place);
    return set_budget(node, "crash", values, place, error);
}

static bool set_restart(ConfNode *node, char *const *values, const char *place, Error *error)
{
    (void)values;
    if (node->client)
        return error_set(error, EXIT_USAGE, "%s: clients do not crash", place);
    node->starts_again = true;
    return true;
}

/* What can be said about a node. */
static const struct {
    const char *name, *usage;
    uint32_t values;
    bool (*add)(ConfNode *node, char *const *values, const char *place, Error *error);
} settings[] = {
    {"address", "address 10.0.0.7", 1, add_address},
    {"env", "env NAME=VALUE", 1, add_variable},
    {"crash", "crash 1", 1, set_crash},
    {"lose", "lose 1", 1, set_lose},
    {"duplicate", "duplicate 1", 1, set_duplicate},
    {"reset", "reset 1", 1, set_reset},
    {"short", "short 1", 1, set_short},
    {"restart", "restart", 0, set_restart},
    {"socket", "socket tcp 4000", 2, add_socket},
};

/* A line that says something about the node above it. */
static bool add_setting(ConfNode *node, const ConfWords *words, const char *place, Error *error)
{
    const char *key = words->items[0];
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (strcmp(key, settings[i].name) != 0)
            continue;
        if (!node)
            return error_set(error, EXIT_USAGE, "%s: %s before the first node", place, key);
        if (words->count != 1 + settings[i].values)
            return error_set(error, EXIT_USAGE, "%s: expected: %s", place, settings[i].usage);
        return settings[i].add(node, words->items + 1, place, error);
    }
    return error_set(error, EXIT_USAGE,
                     "%s: unknown word %s (node, client, partition, address, env, crash, lose, duplicate, reset, "
                     "short, restart, socket)",
                     place, key);
}

/* "partition 1 a b / c": the nodes are looked up when all are known. */
static bool add_cut(Conf *conf, const ConfWords *words, const char *place, Error *error)
{
    enum { MOST_CUTS = 64, MOST = 1000 };
    uint32_t first = words->count > 1 && isdigit((unsigned char)*words->items[1]) ? 2 : 1;
    char *end = NULL;
    unsigned long most = first == 2 ? strtoul(words->items[1], &end, 10) : 0;
    if (words->count == first || (end && *end) || most > MOST)
        return error_set(error, EXIT_USAGE, "%s: expected: partition [NUMBER] NAME ... / NAME ...", place);
    if (conf->cuts.count == MOST_CUTS)
        return error_set(error, EXIT_USAGE, "%s: more than %d partitions", place, MOST_CUTS);
    int budget = first == 2 ? (int)most : -1;
    VEC_PUSH(&conf->cuts, ((ConfCut){.most = budget, .place = mem_copy_string(place)}));
    for (uint32_t i = first; i < words->count; i++)
        VEC_PUSH(&conf->cuts.items[conf->cuts.count - 1].words, mem_copy_string(words->items[i]));
    return true;
}

static bool read_line(Conf *conf, const char *line, const char *place, Error *error)
{
    ConfWords words = {0};
    bool good = split(line, place, &words, error);
    if (good && words.count) {
        bool client = strcmp(words.items[0], "client") == 0;
        ConfNode *last = conf->nodes.count ? &conf->nodes.items[conf->nodes.count - 1] : NULL;
        if (strcmp(words.items[0], "partition") == 0) {
            good = add_cut(conf, &words, place, error);
        } else if (!client && strcmp(words.items[0], "node") != 0) {
            good = add_setting(last, &words, place, error);
        } else if (words.count < 3) {
            good = error_set(error, EXIT_USAGE, "%s: expected: %s NAME PROGRAM [ARGUMENT ...]", place,
                             words.items[0]);
        } else {
            ConfNode *node = add_node(conf, words.items[1], client, place, error);
            good = node != NULL;
            if (good)
                move_words(node, &words, 2);
        }
    }
    release_words(&words);
    return good;
}

bool conf_read(Conf *conf, const char *path, Error *error)
{
    Text content = {0};
    conf->given = true;
    bool good = file_read(path, &content) || error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (good && strlen(text_borrow(&content)) < content.length)
        good = error_set(error, EXIT_USAGE, "%s: not a text file", path);
    char *rest = content.data, *line;
    for (unsigned number = 1; good && (line = strsep(&rest, "\n")); number++) {
        char place[PATH_MAX];
        snprintf(place, sizeof place, "%s:%u", path, number);
        good = read_line(conf, line, place, error);
    }
    text_release(&content);
    return good;
}

/* ---- The command line ----------------------------------------------------------------------- */

bool conf_add(Conf *conf, const char *option, const char *text, bool client, Error *error)
{
    conf->given = true;
    ConfWords words = {0};
    Text place = {0};
    const char *equals = strchr(text, '=');
    bool named = equals && is_name(text, (size_t)(equals - text));
    text_add(&place, "--%s %s", option, text);
    bool good = true;
    if (!named && !client)
        good = error_set(error, EXIT_USAGE, "%s: expected NAME='PROGRAM [ARGUMENT ...]'", place.data);
    good = good && split(named ? equals + 1 : text, place.data, &words, error);
    if (good && !words.count)
        good = error_set(error, EXIT_USAGE, "%s: no program", place.data);
    if (good) {
        Text name = {0};
        text_add(&name, "%.*s", named ? (int)(equals - text) : 6, named ? text : "client");
        ConfNode *node = add_node(conf, name.data, client, place.data, error);
        good = node != NULL;
        if (good)
            move_words(node, &words, 0);
        text_release(&name);
    }
    text_release(&place);
    release_words(&words);
    return good;
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* Among the first nodes; NULL: none of them has it. */
static const ConfNode *find_address(const Conf *conf, uint32_t address, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (conf->nodes.items[i].address == address)
            return &conf->nodes.items[i];
    return NULL;
}

/* Which nodes are on which side of it. */
static bool find_sides(const Conf *conf, ConfCut *cut, Error *error)
{
    unsigned side = 0, all = (1u << conf->nodes.count) - 1;
    for (uint32_t i = 0; i < cut->words.count; i++) {
        uint32_t node = 0;
        if (strcmp(cut->words.items[i], "/") == 0 && side++ == 0)
            continue;
        while (node < conf->nodes.count && strcmp(conf->nodes.items[node].name, cut->words.items[i]) != 0)
            node++;
        if (side > 1 || node == conf->nodes.count)
            return error_set(error, EXIT_USAGE, "%s: there is no node %s", cut->place, cut->words.items[i]);
        cut->sides[side] |= 1u << node;
    }
    if (!side)
        cut->sides[1] = all & ~cut->sides[0];
    if (!cut->sides[0] || !cut->sides[1] || cut->sides[0] & cut->sides[1])
        return error_set(error, EXIT_USAGE, "%s: a node must be on one side, and another one on the other side",
                         cut->place);
    return true;
}

bool conf_check(Conf *conf, Error *error)
{
    for (uint32_t i = 0; i < conf->cuts.count; i++)
        if (!find_sides(conf, &conf->cuts.items[i], error))
            return false;
    enum { FIRST = 10 << 24 | 1 };
    bool clients = false;
    for (uint32_t i = 0; i < conf->nodes.count; i++) {
        ConfNode *node = &conf->nodes.items[i];
        const ConfNode *other = node->address ? find_address(conf, node->address, i) : NULL;
        clients |= node->client;
        for (unsigned k = 0; k < CONF_FAULTS && i == CONF_MOST_NODES - 1; k++)
            if (node->faults[k] >= 0)
                return error_set(error, EXIT_USAGE, "%s: the last of %d nodes cannot have budgets of its own",
                                 node->place, CONF_MOST_NODES);
        if (other)
            return error_set(error, EXIT_USAGE, "%s: node %s has the address of node %s (%s)", node->place, node->name,
                             other->name, other->place);
    }
    for (uint32_t i = 0; i < conf->nodes.count; i++) {
        ConfNode *node = &conf->nodes.items[i];
        uint32_t address = FIRST + i;
        while (!node->address && find_address(conf, address, conf->nodes.count))
            address++;
        node->address = node->address ? node->address : address;
        node->client |= !clients;
    }
    return conf->nodes.count || error_set(error, EXIT_USAGE, "the cluster has no nodes");
}

void conf_restart_all(Conf *conf)
{
    for (uint32_t i = 0; i < conf->nodes.count; i++)
        conf->nodes.items[i].starts_again = !conf->nodes.items[i].client;
}

void conf_release(Conf *conf)
{
    for (uint32_t i = 0; i < conf->nodes.count; i++) {
        ConfNode *node = &conf->nodes.items[i];
        free(node->name);
        free(node->place);
        for (uint32_t k = 0; k < node->words.count; k++)
            free(node->words.items[k]);
        for (uint32_t k = 0; k < node->environment.count; k++)
            free(node->environment.items[k]);
        VEC_FREE(&node->words);
        VEC_FREE(&node->environment);
        VEC_FREE(&node->sockets);
    }
    VEC_FREE(&conf->nodes);
    for (uint32_t i = 0; i < conf->cuts.count; i++) {
        for (uint32_t k = 0; k < conf->cuts.items[i].words.count; k++)
            free(conf->cuts.items[i].words.items[k]);
        VEC_FREE(&conf->cuts.items[i].words);
        free(conf->cuts.items[i].place);
    }
    VEC_FREE(&conf->cuts);
}
