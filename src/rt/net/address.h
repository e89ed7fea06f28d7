/* address.h - addresses of sockets
 *
 * 127.0.0.0/8, ::1 and names of Unix sockets, which each node of a cluster has for itself; and the IPv4 addresses of
 * the nodes. No other machine exists.
 */
#ifndef RT_NET_ADDRESS_H
#define RT_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

typedef struct SocketAddress {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
    };
    socklen_t length; /* 0: none */
} SocketAddress;

/* Reads one from the program; 0 or an error. */
int address_read(int family, const struct sockaddr *from, socklen_t length, SocketAddress *address);
/* Writes it to the program as getsockname does. */
void address_write(const SocketAddress *address, struct sockaddr *to, socklen_t *length);
/* The one that a socket has which was never bound. */
SocketAddress address_none(int family);

uint16_t address_port(const SocketAddress *address);
void address_set_port(SocketAddress *address, uint16_t port);
/* Is it one of this machine, or the one that stands for all? */
bool address_is_here(const SocketAddress *address);
/* The node that has it, seen from the running thread's; 0: of a program that is no cluster. False: none has it. */
bool address_node(const SocketAddress *address, unsigned *node);

bool address_is_any(const SocketAddress *address);
/* In place of the one that stands for all: the loopback address. */
void address_make_definite(SocketAddress *address);
/* The same for the address from which `to` is reached. */
void address_make_source(SocketAddress *address, const SocketAddress *to);
/* As a socket of this family shows it. */
SocketAddress address_shown_to(int family, SocketAddress address);
/* Has a Unix socket this name in no file system? */
bool address_is_abstract(const SocketAddress *address);
/* Does a socket that is bound to `bound` get what is sent to `to`? */
bool address_matches(const SocketAddress *bound, const SocketAddress *to);
/* Of what a port is named by: the number, or the name of a Unix socket. */
uint64_t address_hash(const SocketAddress *address);

#endif
