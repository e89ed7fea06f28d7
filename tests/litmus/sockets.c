/* sockets.c - threads that talk through sockets
 *
 * litmus: -DVOTE=3 -> executions 13
 * litmus: -DVOTE=4 -> executions 825
 * litmus: -DVOTE=3 -DTCP -> executions 13 verdict exhaustive-but-for
 * litmus: -DVOTE=3 -DTCP --delivery=late -> executions 27
 * litmus: -DBEFORE -DTCP -> executions 1 verdict exhaustive-but-for
 * litmus: -DBEFORE -DTCP --delivery=late -> executions 2
 * litmus: -DPIPELINED=2 -DREQUESTS=2 -> executions 13
 * litmus: -DPIPELINED=2 -DREQUESTS=3 -> executions 63
 * litmus: -DACCEPT=2 -> executions 2 verdict exhaustive-but-for
 * litmus: -DACCEPT=3 -> executions 6 verdict exhaustive-but-for
 * litmus: -DEDGE=2 -> executions 3
 * litmus: -DEDGE=1 -> executions 2 bugs deadlock
 *
 * VOTE: every thread writes one byte to each other one, then polls all and takes one byte from each in the order of
 * readiness. PIPELINED: clients send all requests before they read; a server polls them and answers byte by byte.
 * TCP: instead of pairs. BEFORE: main sends to a thread and then to another one, which passes that on to the first: only
 * what is on its way for a while can arrive in both orders.
 * EDGE: a reader waits with EPOLLET, and reads until there is nothing, or only one byte at a time.
 * ACCEPT: clients connect, send a byte and close, a server accepts all: only the order of the connections
 * matters.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "litmus.h"

#ifdef TCP
static void make_pair(int pair[2])
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static unsigned short port = 4000;
    place.sin_port = htons(port++);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&place, sizeof place) == 0 && listen(listener, 1) == 0);
    pair[1] = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(pair[1], (struct sockaddr *)&place, sizeof place) == 0);
    pair[0] = accept(listener, NULL, NULL);
    assert(pair[0] >= 0);
}
#else
static void make_pair(int pair[2]) { assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0); }
#endif

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
            make_pair(pair);
            ends[i][k] = pair[0];
            ends[k][i] = pair[1];
        }
    for (int i = 0; i < VOTE; i++)
        start(voter, i);
    join_all();
    return 0;
}
#elif defined BEFORE
static int direct[2], there[2], onward[2];

static void *pass_on(void *argument)
{
    char byte;
    (void)argument;
    assert(read(there[1], &byte, 1) == 1 && write(onward[0], &byte, 1) == 1);
    return NULL;
}

static void *hear(void *argument)
{
    char byte;
    (void)argument;
    assert(read(onward[1], &byte, 1) == 1);
    recv(direct[1], &byte, 1, MSG_DONTWAIT);
    return NULL;
}

int main(void)
{
    int *pairs[] = {direct, there, onward};
    for (int i = 0; i < 3; i++)
        make_pair(pairs[i]);
    start(pass_on, 0);
    start(hear, 0);
    assert(write(direct[0], "d", 1) == 1 && write(there[0], "t", 1) == 1);
    join_all();
    return 0;
}
#elif defined EDGE
static int ends[2];

static void *write_twice(void *argument)
{
    (void)argument;
    assert(write(ends[1], "a", 1) == 1 && write(ends[1], "b", 1) == 1);
    return NULL;
}

int main(void)
{
    int epoll = epoll_create1(0), got = 0;
    char byte;
    make_pair(ends);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET}, found;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
    start(write_twice, 0);
    while (got < 2) {
        assert(epoll_wait(epoll, &found, 1, -1) == 1 && found.events == EPOLLIN);
        while (recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1) {
            got++;
            if (EDGE == 1)
                break;
        }
    }
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
