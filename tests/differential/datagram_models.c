/* datagram_models.c - datagrams of UDP against brute force, see models.h */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "models.h"
#include "rt/libc/api_libc.h"

static struct {
    int bound[2]; /* at places[0] and [1] */
    int client;   /* connected to places[0] */
} shared;

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_cancel[] = "pthread_cancel";

/* The last one is free at first. */
static const struct sockaddr_in places[] = {
    {.sin_family = AF_INET, .sin_port = 0x5000, .sin_addr.s_addr = 0x0100007f},
    {.sin_family = AF_INET, .sin_port = 0x5100, .sin_addr.s_addr = 0x0100007f},
    {.sin_family = AF_INET, .sin_port = 0x5200, .sin_addr.s_addr = 0x0100007f},
};

static const struct sockaddr *place(int n) { return (const struct sockaddr *)&places[n]; }
static void see_result(ssize_t result) { see(result < 0 ? -errno - 1000 : (int)result); }

static void send_to(int descriptor, int n)
{
    char bytes[2] = {(char)('a' + thread_self()), 'x'};
    see_result(sennit_rt_sendto(descriptor, bytes, 1 + (size_t)n % 2, 0, place(n), sizeof places[n]));
}

static void receive(int descriptor, int flags)
{
    char bytes[2] = {0};
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    ssize_t result = sennit_rt_recvfrom(descriptor, bytes, 1, flags, (struct sockaddr *)&from, &length);
    see_result(result);
    if (result >= 0) {
        see(bytes[0]);
        see(from.sin_port);
    }
}

static void op_send(int n) { send_to(shared.bound[1 - n], n); }
static void op_send_unbound(int n) { send_to(sennit_rt_socket(AF_INET, SOCK_DGRAM, 0), n); }
static void op_send_connected(int n) { see_result(sennit_rt_send(shared.client, "yes", 1 + (size_t)n, 0)); }
static void op_receive(int n) { receive(shared.bound[n], 0); }
static void op_try(int n) { receive(shared.bound[n], MSG_DONTWAIT); }
static void op_peek(int n) { receive(shared.bound[n], MSG_PEEK | MSG_TRUNC); }
static void op_close(int n) { see_result(sennit_rt_close(shared.bound[n])); }
static void op_close_client(int n) { (void)n, see_result(sennit_rt_close(shared.client)); }
static void op_no_wait(int n) { see_result(sennit_rt_fcntl(shared.bound[n], F_SETFL, O_NONBLOCK)); }
static void op_end(int n) { see_result(sennit_rt_shutdown(n ? shared.client : shared.bound[0], SHUT_RD)); }
static void op_end_writing(int n) { (void)n, see_result(sennit_rt_shutdown(shared.client, SHUT_WR)); }
static void op_receive_client(int n) { receive(shared.client, n ? MSG_DONTWAIT : 0); }

static void op_connect(int n) { see_result(sennit_rt_connect(shared.bound[1], place(n ? 0 : 2), sizeof *places)); }
static void op_connect_again(int n) { see_result(sennit_rt_connect(shared.client, place(1 + n), sizeof *places)); }
static void op_send_free(int n) { send_to(n ? shared.client : shared.bound[0], 2); }

static void op_bind(int n)
{
    int late = sennit_rt_socket(AF_INET, SOCK_DGRAM, 0);
    see_result(sennit_rt_bind(late, place(n ? 2 : 0), sizeof *places));
    receive(late, MSG_DONTWAIT);
}

static void op_unread(int n)
{
    int count = -1;
    see_result(sennit_rt_ioctl(shared.bound[n], FIONREAD, &count));
    see(count);
}

static void op_error(int n)
{
    int value = -1;
    socklen_t length = sizeof value;
    see_result(sennit_rt_getsockopt(n ? shared.client : shared.bound[0], SOL_SOCKET, SO_ERROR, &value, &length));
    see(value);
}

static void op_poll(int n)
{
    struct pollfd files[] = {{.fd = shared.bound[0], .events = POLLIN}, {.fd = shared.client, .events = POLLIN}};
    see_result(sennit_rt_poll(files, 2, n ? -1 : 10));
    see(files[0].revents);
    see(files[1].revents);
}

static void op_poll_writable(int n)
{
    struct pollfd file = {.fd = shared.bound[n], .events = POLLIN | POLLOUT};
    see_result(sennit_rt_poll(&file, 1, -1));
    see(file.revents);
}

/* The first thread can be cancelled where it waits. */
static void op_cancel(int n)
{
    (void)n;
    if (models_self() != models_first())
        see(sennit_rt_pthread_cancel(models_first()->handle));
}

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name}
    OPERATION(send), OPERATION(receive), OPERATION(send_unbound), OPERATION(try), OPERATION(poll), OPERATION(close),
    OPERATION(peek), OPERATION(no_wait), OPERATION(end), OPERATION(unread), OPERATION(poll_writable),
    OPERATION(connect), OPERATION(send_connected), OPERATION(receive_client), OPERATION(error),
    OPERATION(connect_again), OPERATION(end_writing), OPERATION(send_free), OPERATION(bind),
    OPERATION(close_client), OPERATION(cancel),
#undef OPERATION
};

static void prepare(void)
{
    for (int i = 0; i < 2; i++) {
        shared.bound[i] = sennit_rt_socket(AF_INET, SOCK_DGRAM, 0);
        sennit_rt_bind(shared.bound[i], place(i), sizeof *places);
    }
    shared.client = sennit_rt_socket(AF_INET, SOCK_DGRAM, 0);
    sennit_rt_connect(shared.client, place(0), sizeof *places);
}

int main(int argc, char **argv)
{
    static const Models models = {operations, sizeof operations / sizeof *operations, prepare};
    return models_main(argc, argv, &models);
}
