/* vote.c - every node sends a datagram to each other node, then receives one of each, in the order of arrival */
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
    int nodes = atoi(argv[1]), self = atoi(argv[2]);
    char own = (char)('0' + self), got;
    assert(argc == 3);
    for (int i = 1; i <= nodes; i++) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(5000),
                                 .sin_addr.s_addr = htonl(0x0a000000u + (unsigned)i)};
        assert(i == self || sendto(3, &own, 1, 0, (struct sockaddr *)&to, sizeof to) == 1);
    }
    for (int i = 1; i < nodes; i++)
        assert(recv(3, &got, 1, 0) == 1 && got != own);
    return 0;
}
