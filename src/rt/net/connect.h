/* connect.h - sockets find each other: bind, listen, connect, accept
 *
 * The connections that wait for accept are a flow of the listening socket (flow.h): the kth accept depends on the kth
 * connect, and not on later ones. The queue has no limit. A connection exists as soon as one has connected; connect
 * without waiting says EINPROGRESS all the same, as the kernel does.
 */
#ifndef RT_NET_CONNECT_H
#define RT_NET_CONNECT_H

#include "rt/net/socket.h"

/* As the system's functions: 0, or -1 and errno. */
int socket_bind(Socket *socket, const struct sockaddr *address, socklen_t length);
/* A port that the system chooses: a function of the socket's name. */
uint16_t socket_choose_port(const Socket *socket);
int socket_listen(Socket *socket);
int socket_connect(Socket *socket, const struct sockaddr *address, socklen_t length);
/* The accepted end, which has no descriptor yet; or NULL and errno. */
Socket *socket_accept(Socket *socket);

#endif
