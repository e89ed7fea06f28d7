/* datagram.h - datagrams of UDP between threads
 *
 * A send is not its own arrival: each datagram is an agent, a thread of the runtime whose one step puts it at the end
 * of what has arrived at its receiver. So the network is a bag, and all that can be observed of it is the order of
 * arrivals. What has arrived at a socket is a flow (flow.h): the kth receive depends on the kth arrival, and not on
 * later ones. With --channels=mailbox a datagram arrives as it is sent, which is what the loopback device does.
 * (docs/design/dependence.md)
 */
#ifndef RT_NET_DATAGRAM_H
#define RT_NET_DATAGRAM_H

#include "rt/net/socket.h"

/* What is told of a datagram that was received. */
typedef struct DatagramSource {
    SocketAddress address;
    bool truncated;
} DatagramSource;

/* As sendto and recvmsg; `to` and `source` may be NULL. */
ssize_t datagram_send(Socket *socket, const Places *from, int flags, const struct sockaddr *to, socklen_t length);
ssize_t datagram_receive(Socket *socket, const Places *to, int flags, DatagramSource *source);
int datagram_connect(Socket *socket, const SocketAddress *to);
/* The bytes of the first one (FIONREAD). */
int datagram_unread(Socket *socket);

#endif
