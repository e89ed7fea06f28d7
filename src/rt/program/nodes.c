/* nodes.c - see nodes.h
 *
 * Arguments and environment are copies, since programs may change them (rt/memory/given.h).
 */
#include "rt/program/nodes.h"

#include "base/vec.h"
#include "rt/detect/bug.h"
#include "rt/inputs/tracking.h"
#include "rt/io/pipe.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/node.h"
#include "rt/kernel/object.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api_libc.h"
#include "rt/memory/given.h"
#include "rt/memory/globals.h"
#include "rt/net/partition.h"
#include "rt/signal/signals.h"
#include "rt/sync/hidden.h"
#include "rt/sync/keys.h"
#include "rt/sync/lifetime.h"

static struct {
    char **arguments, **environment;
    uint64_t given_end; /* of the memory of both */
} nodes[RT_NODES];

typedef VEC(const char *) TextList;

/* With what systemd tells a node that begins with sockets. */
static char **make_environment(unsigned node)
{
    const SennitNode *self = node_get(node);
    TextList texts = {0};
    char count[40], process[40];
    for (const char *const *at = self->environment; *at; at++)
        VEC_PUSH(&texts, *at);
    if (self->socket_count) {
        snprintf(count, sizeof count, "LISTEN_FDS=%d", self->socket_count);
        snprintf(process, sizeof process, "LISTEN_PID=%d", IDENTITY_PROCESS + (int)node);
        VEC_PUSH(&texts, count);
        VEC_PUSH(&texts, process);
    }
    VEC_PUSH(&texts, NULL);
    char **environment = given_list(texts.items);
    VEC_FREE(&texts);
    return environment;
}

/* ---- Before the first execution ----------------------------------------------------------- */

static void construct(unsigned node)
{
    const SennitNode *self = node_get(node);
    char **arguments = nodes[node].arguments = given_list(self->arguments);
    char **environment = nodes[node].environment = make_environment(node);
    nodes[node].given_end = address_of(given_variable()->address) + given_variable()->size;
    node_switch(node);
    libc_begin_node(environment);
    for (void (*const *each)(int, char **, char **) = self->constructors; each < self->constructors_end; each++)
        (*each)(self->count, arguments, environment);
}

/* No node has a terminal: standard input is empty. */
static bool empty_input(Error *error)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        return error_set(error, EXIT_USAGE, "cannot open /dev/null");
    close(nothing);
    return true;
}

bool nodes_init(Error *error)
{
    libc_init_environment();
    libc_init_hidden();
    libc_init_random();
    libc_init_handlers();
    libc_init_strings();
    libc_init_fork();
    hidden_init();
    pipe_init();
    signals_init();
    if (!node_count())
        return true;
    if (tracking.on)
        return error_set(error, EXIT_USAGE, "a cluster with symbolic inputs is not supported");
    libc_reset();
    node_begin();
    for (unsigned node = 1; node <= node_count(); node++)
        construct(node);
    node_settle();
    return empty_input(error);
}

/* ---- In an execution ------------------------------------------------------------------------ */

/* The sockets that a node begins with, as systemd hands them over: descriptors from 3 on. */
static void open_sockets(const SennitNode *node)
{
    static struct sockaddr_in address = {.sin_family = AF_INET};
    for (int i = 0; i < node->socket_count; i++) {
        bool udp = node->sockets[i] & SENNIT_NODE_UDP;
        int made = sennit_rt_socket(AF_INET, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
        address.sin_port = htons((uint16_t)node->sockets[i]);
        sennit_rt_bind(made, (const struct sockaddr *)&address, sizeof address);
        if (!udp)
            sennit_rt_listen(made, SOMAXCONN);
    }
}

static void forget_objects(void *unused, uint64_t begin, uint64_t end)
{
    (void)unused;
    object_forget_within(begin, end);
}

/* After a crash: memory and the state of the process are as they were at first, the files as it has left them. */
static void begin_again(const SennitNode *node)
{
    node_restore();
    libc_restore_handlers();
    globals_restore_node(node_self());
    globals_restore_within(address_of(nodes[node_self()].arguments), nodes[node_self()].given_end);
    globals_each_range_of(node_self(), forget_objects, NULL);
    open_sockets(node);
}

static void *run_node(void *argument)
{
    const SennitNode *self = argument;
    unsigned node = node_self();
    if (node_start())
        begin_again(self);
    libc_begin_node(nodes[node].environment);
    int status = self->main(self->count, nodes[node].arguments, environ);
    libc_exit(status);
}

void nodes_run(void)
{
    if (keys_made_early())
        report_not_modelled("pthread_key_create before main in a node of a cluster");
    for (unsigned node = 1; node <= node_count(); node++) {
        rt.self->node = (uint8_t)node;
        open_sockets(node_get(node));
    }
    for (unsigned node = 1; node <= node_count(); node++) {
        rt.self->node = (uint8_t)node;
        lifetime_create_own(run_node, (void *)(uintptr_t)node_get(node));
    }
    rt.self->node = 0;
    partition_start();
    thread_leave();
}
