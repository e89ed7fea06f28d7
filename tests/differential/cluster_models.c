/* cluster_models.c - nodes of a cluster against brute force, see models.h
 *
 * Three nodes, of which the third may have nothing to do. Each begins with a listening socket and one for datagrams,
 * and may have a second thread. With --restart, which is for --crash, nodes start again, and have files.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "models.h"
#include "rt/abi/cluster.h"
#include "rt/kernel/node.h"
#include "rt/libc/api_libc.h"

enum { NODES = 3, LISTENER = 3, DATAGRAMS, TCP_PORT = 4000, UDP_PORT = 5000, LATE_PORT = 6000 };

static int connection[RT_NODES]; /* of each node, or -1 */
static sem_t never[RT_NODES];

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_threads[] = "pthread_create\0socket\0atexit";

static int *own_connection(void) { return &connection[node_self()]; }
static void see_result(ssize_t result) { see(result < 0 ? -errno - 1000 : (int)result); }
static char own_letter(void) { return (char)('a' + models_index()); }

/* Another node that does something, one of two if there are. */
static struct sockaddr_in address_of_other(int n, int port)
{
    unsigned used = (unsigned)models_threads(), other = (node_self() + (used == 2 ? 0 : (unsigned)n)) % used + 1;
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(0x0a000000 + other)};
}

static void receive(int descriptor, int flags)
{
    char bytes[3] = {0};
    see_result(sennit_rt_recv(descriptor, bytes, rt.options.max_short ? sizeof bytes : 1, flags));
    see(bytes[0]);
}

/* With --short two, so that there are parts. */
static void send_letters(int descriptor, char letter)
{
    char letters[2] = {letter, letter};
    see_result(sennit_rt_send(descriptor, letters, rt.options.max_short ? 2 : 1, MSG_NOSIGNAL));
}

/* ---- Connections ---------------------------------------------------------------------------- */

static void connect_to(const struct sockaddr_in *to)
{
    char letter = own_letter();
    int made = sennit_rt_socket(AF_INET, SOCK_STREAM, 0);
    see_result(sennit_rt_connect(made, (const struct sockaddr *)to, sizeof *to));
    *own_connection() = made;
    send_letters(made, letter);
}

static void op_connect(int n)
{
    static struct sockaddr_in to[RT_NODES];
    to[node_self()] = address_of_other(n, TCP_PORT);
    connect_to(&to[node_self()]);
}

static void op_connect_late(int n)
{
    static struct sockaddr_in to[RT_NODES];
    to[node_self()] = address_of_other(n, LATE_PORT);
    connect_to(&to[node_self()]);
}

static void op_connect_self(int n)
{
    static struct sockaddr_in to[RT_NODES];
    uint32_t own = n ? 0x7f000001 : 0x0a000000 + node_self();
    to[node_self()] = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(TCP_PORT),
                                           .sin_addr.s_addr = htonl(own)};
    connect_to(&to[node_self()]);
}

static void op_listen_late(int n)
{
    static struct sockaddr_in own = {.sin_family = AF_INET};
    own.sin_port = htons(LATE_PORT);
    int listener = sennit_rt_socket(AF_INET, SOCK_STREAM, 0);
    see_result(sennit_rt_bind(listener, (const struct sockaddr *)&own, sizeof own));
    see_result(sennit_rt_listen(listener, 1));
    if (n)
        see_result(sennit_rt_close(listener));
}

static void op_accept(int n)
{
    if (n)
        see_result(sennit_rt_fcntl(LISTENER, F_SETFL, O_NONBLOCK));
    int accepted = sennit_rt_accept(LISTENER, NULL, NULL);
    see(accepted < 0 ? -errno : 1);
    if (accepted < 0)
        return;
    *own_connection() = accepted;
    receive(accepted, 0);
}

static void op_write(int n)
{
    (void)n;
    send_letters(*own_connection(), own_letter());
}

static void op_read(int n)
{
    receive(*own_connection(), n ? MSG_DONTWAIT : 0);
}

static void op_close(int n)
{
    see_result(sennit_rt_close(n ? LISTENER : *own_connection()));
    if (!n)
        *own_connection() = -1;
}

/* ---- Datagrams ------------------------------------------------------------------------------ */

static void op_send(int n)
{
    static struct sockaddr_in to[RT_NODES];
    char letter = own_letter();
    to[node_self()] = address_of_other(n, UDP_PORT);
    see_result(sennit_rt_sendto(DATAGRAMS, &letter, 1, 0, (const struct sockaddr *)&to[node_self()], sizeof *to));
}

static void op_receive(int n)
{
    receive(DATAGRAMS, n ? MSG_DONTWAIT : 0);
}

static void op_poll(int n)
{
    struct pollfd files[] = {{.fd = LISTENER, .events = POLLIN}, {.fd = DATAGRAMS, .events = POLLIN}};
    see_result(sennit_rt_poll(files, 2, n ? -1 : 10));
    for (int i = 0; i < 2; i++)
        see(files[i].revents);
}

/* ---- A process for itself ------------------------------------------------------------------- */

/* Steps of no other node meet these. */
static void op_own_state(int n)
{
    if (n)
        sennit_rt_srand(7);
    see(sennit_rt_rand());
    see(sennit_rt_getpid() - (int)node_self());
}

static void op_end(int n) { sennit_rt_exit(n); }

static int nth_of_node[RT_MAX_AGENTS], threads_of_node[RT_NODES]; /* without its first thread */

/* It gets a copy of the descriptor, the variable is the first thread's; and its number. */
static void *run_second(void *argument)
{
    int descriptor = (int)(intptr_t)argument & 0xff;
    nth_of_node[thread_self()] = (int)((intptr_t)argument >> 8);
    char letter = own_letter();
    receive(descriptor, 0);
    if (descriptor != DATAGRAMS)
        see_result(sennit_rt_send(descriptor, &letter, 1, MSG_NOSIGNAL));
    return NULL;
}

static void op_thread(int n)
{
    pthread_t handle;
    intptr_t descriptor = n ? DATAGRAMS : *own_connection();
    if (rt.options.max_crashed) /* of nodes with threads: not modelled */
        return;
    descriptor = (descriptor & 0xff) | (intptr_t)threads_of_node[node_self()]++ << 8;
    see_result(sennit_rt_pthread_create(&handle, NULL, run_second, (void *)descriptor));
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void write_letter(const char *name, bool sync)
{
    char letter = own_letter();
    int file = sennit_rt_open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    see(file >= 0);
    see_result(sennit_rt_write(file, &letter, 1));
    if (sync)
        see_result(sennit_rt_fsync(file));
    see_result(sennit_rt_close(file));
}

static void op_save(int n) { write_letter("saved", n); }

static void op_replace(int n)
{
    write_letter("new", n);
    see_result(sennit_rt_rename("new", "saved"));
}

static void op_load(int n)
{
    char byte = 0;
    int file = sennit_rt_open(n ? "new" : "saved", O_RDONLY);
    see(file >= 0);
    if (file < 0)
        return;
    see_result(sennit_rt_read(file, &byte, 1));
    see(byte);
    see_result(sennit_rt_close(file));
}

static void op_remove(int n) { see_result(sennit_rt_unlink(n ? "new" : "saved")); }

static void op_sync(int n)
{
    if (n)
        sennit_rt_sync();
}

/* ---- The test ------------------------------------------------------------------------------- */

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name}
    OPERATION(connect), OPERATION(accept), OPERATION(write), OPERATION(read), OPERATION(close), OPERATION(connect_late),
    OPERATION(listen_late), OPERATION(thread), OPERATION(end), OPERATION(connect_self), OPERATION(poll),
    OPERATION(receive), OPERATION(send), OPERATION(own_state),
};

static const Operation with_files[] = {
    OPERATION(connect), OPERATION(accept), OPERATION(write), OPERATION(read), OPERATION(save), OPERATION(load),
    OPERATION(replace), OPERATION(remove), OPERATION(sync), OPERATION(poll), OPERATION(receive), OPERATION(send),
#undef OPERATION
};

static int run_node(int count, char **arguments, char **environment)
{
    (void)count;
    (void)arguments;
    (void)environment;
    connection[node_self()] = -1;
    threads_of_node[node_self()] = 0;
    sennit_rt_sem_init(&never[node_self()], 0, 0);
    models_run();
    sennit_rt_sem_wait(&never[node_self()]); /* an end is many steps: only where the program of the seed says so */
    return 0;
}

static const char *const nothing[] = {NULL};
static const int faults[] = {-1, -1, -1, -1, -1};
static const unsigned sockets[] = {TCP_PORT, SENNIT_NODE_UDP | UDP_PORT};
#define NODE(name, number)                                                                                     \
    {name, 0x0a000000 + (number), 0, 0, faults, 0, nothing, nothing, 2, sockets, run_node, NULL, NULL, NULL, NULL, NULL, NULL}
static SennitNode nodes[] = {NODE("a", 1), NODE("b", 2), NODE("c", 3)};
const SennitCluster sennit_cluster = {NODES, nodes, 0, NULL};

/* Other threads come after the first ones. */
static int index_of_thread(void)
{
    enum { CHILDREN = (MODELS_SEERS - NODES) / NODES };
    int node = (int)node_self() - 1;
    return node_is_first() ? node : NODES + node * CHILDREN + nth_of_node[thread_self()] % CHILDREN;
}

int main(int argc, char **argv)
{
    static Models models = {operations, sizeof operations / sizeof *operations, NULL};
    bool restarts = argc > 1 && strcmp(argv[1], "--restart") == 0;
    if (restarts) {
        models = (Models){with_files, sizeof with_files / sizeof *with_files, NULL};
        for (int i = 0; i < NODES; i++)
            nodes[i].starts_again = true;
    }
    models_number_by(index_of_thread);
    return models_main(argc, argv, &models);
}
