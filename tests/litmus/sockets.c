/* sockets.c - threads that talk through sockets
 *
 * litmus: -DVOTE=3 -> executions 13
 * litmus: -DVOTE=4 -> executions 825
 * litmus: -DPIPELINED=2 -DREQUESTS=2 -> executions 13
 * litmus: -DPIPELINED=2 -DREQUESTS=3 -> executions 63
 * litmus: -DACCEPT=2 -> executions 2 verdict exhaustive-but-for
 * litmus: -DACCEPT=3 -> executions 6 verdict exhaustive-but-for
 *
 * VOTE: every thread writes one byte to each other one, then polls all and takes one byte from each in the order of
 * readiness. PIPELINED: clients send all requests before they read; a server polls them and answers byte by byte.
 * ACCEPT: clients connect, send a byte and close, a server accepts all: only the order of the connections
 * matters.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "litmus.h"

#ifdef VOTE
static int ends[VOTE][VOTE];

static void *voter(void *argument)
{
    int self = number_of(argument), left = VOTE - 1;
    struct pollfd files[VOTE];
    for (int i = 0; i < VOTE; i++) {
        files[i] = (struct pollfd){.fd = i == self ? -1 : ends[self][i], .events = POLLIN};
        assert(i == self || write(ends[self][i], "x", 1) == 1);
    }
    while (left > 0) {
        assert(poll(files, VOTE, -1) > 0);
        for (int i = 0; i < VOTE; i++)
            if (files[i].fd >= 0 && files[i].revents) {
                char byte;
                assert(read(files[i].fd, &byte, 1) == 1);
                files[i].fd = -1;
                left--;
            }
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < VOTE; i++)
        for (int k = 0; k < i; k++) {
            int pair[2];
            assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
            ends[i][k] = pair[0];
            ends[k][i] = pair[1];
        }
    for (int i = 0; i < VOTE; i++)
        start(voter, i);
    join_all();
    return 0;
}
#elif defined PIPELINED
static int ends[PIPELINED][2];

static void *client(void *argument)
{
    int socket = ends[number_of(argument)][0];
    char byte;
    for (int i = 0; i < REQUESTS; i++)
        assert(write(socket, "q", 1) == 1);
    for (int i = 0; i < REQUESTS; i++)
        assert(read(socket, &byte, 1) == 1);
    return NULL;
}

int main(void)
{
    struct pollfd files[PIPELINED];
    for (int i = 0; i < PIPELINED; i++) {
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]) == 0);
        files[i] = (struct pollfd){.fd = ends[i][1], .events = POLLIN};
        start(client, i);
    }
    for (int left = PIPELINED * REQUESTS; left > 0;) {
        assert(poll(files, PIPELINED, -1) > 0);
        for (int i = 0; i < PIPELINED; i++)
            if (files[i].revents & POLLIN) {
                char byte;
                assert(read(files[i].fd, &byte, 1) == 1 && write(files[i].fd, &byte, 1) == 1);
                left--;
            }
    }
    join_all();
    return 0;
}
#elif defined ACCEPT
static const struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = 0x5000, .sin_addr.s_addr = 0x0100007f};

static void *client(void *argument)
{
    int self = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(self, (const struct sockaddr *)&place, sizeof place) == 0);
    assert(write(self, "c", 1) == 1);
    close(self);
    return argument;
}

int main(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (const struct sockaddr *)&place, sizeof place) == 0 && listen(listener, 8) == 0);
    for (int i = 0; i < ACCEPT; i++)
        start(client, i);
    for (int i = 0; i < ACCEPT; i++) {
        char byte;
        int accepted = accept(listener, NULL, NULL);
        assert(read(accepted, &byte, 1) == 1 && byte == 'c');
        close(accepted);
    }
    join_all();
    return 0;
}
#endif
