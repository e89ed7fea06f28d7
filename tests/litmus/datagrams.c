/* datagrams.c - threads that talk through UDP
 *
 * litmus: -DSENDERS=2 -> executions 2 verdict exhaustive-but-for
 * litmus: -DSENDERS=3 -> executions 6 verdict exhaustive-but-for
 * litmus: -DSENDERS=1 -DEACH=3 -> executions 6 verdict exhaustive-but-for
 * litmus: -DVOTE=3 -> executions 8 verdict exhaustive-but-for
 * litmus: -DVOTE=4 -> executions 1296 verdict exhaustive-but-for
 * litmus: -DSENDERS=2 -DTRY -> executions 4 verdict exhaustive-but-for
 * litmus: -DSENDERS=3 --channels=mailbox -> executions 6 verdict exhaustive-but-for
 * litmus: -DSENDERS=1 -DEACH=3 --channels=mailbox -> executions 1 verdict exhaustive-but-for
 * litmus: -DSENDERS=2 --duplicate=1 -> executions 8 verdict exhaustive-but-for
 * litmus: -DSENDERS=2 --lose=1 --duplicate=1 -> executions 12 bugs deadlock
 * litmus: -DSENDERS=2 --lose=1 -> executions 4 verdict exhaustive-but-for bugs deadlock
 *
 * SENDERS: each sends some datagrams, main receives them all: the orders of arrival. VOTE: every thread sends to each
 * other one, then receives from all: as many executions as with actors. TRY: main receives once without waiting.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "litmus.h"

#ifndef EACH
#define EACH 1
#endif

static struct sockaddr_in at(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int open_at(int port)
{
    struct sockaddr_in place = at(port);
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    assert(descriptor >= 0 && bind(descriptor, (struct sockaddr *)&place, sizeof place) == 0);
    return descriptor;
}

static void send_byte(int descriptor, int port, char byte)
{
    struct sockaddr_in place = at(port);
    assert(sendto(descriptor, &byte, 1, 0, (struct sockaddr *)&place, sizeof place) == 1);
}

#ifdef VOTE
static int sockets[VOTE];

static void *voter(void *argument)
{
    int self = number_of(argument);
    char byte;
    for (int i = 0; i < VOTE; i++)
        if (i != self)
            send_byte(sockets[self], 5000 + i, 'v');
    for (int i = 1; i < VOTE; i++)
        assert(recv(sockets[self], &byte, 1, 0) == 1);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < VOTE; i++)
        sockets[i] = open_at(5000 + i);
    for (int i = 0; i < VOTE; i++)
        start(voter, i);
    join_all();
    return 0;
}
#else
static void *sender(void *argument)
{
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < EACH; i++)
        send_byte(descriptor, 5000, (char)('a' + number_of(argument)));
    return NULL;
}

int main(void)
{
    int descriptor = open_at(5000);
    char byte;
    for (int i = 0; i < SENDERS; i++)
        start(sender, i);
#ifdef TRY
    ssize_t got = recv(descriptor, &byte, 1, MSG_DONTWAIT);
    assert(got == 1 || (got < 0 && errno == EAGAIN));
#else
    for (int i = 0; i < SENDERS * EACH; i++)
        assert(recv(descriptor, &byte, 1, 0) == 1 && byte >= 'a');
#endif
    join_all();
    return 0;
}
#endif
