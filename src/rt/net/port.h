/* port.h - addresses that sockets are bound to
 *
 * A port is a number (for all addresses of the machine), or the name of a Unix socket. Its value counts changes, and
 * the connections that were made to it.
 */
#ifndef RT_NET_PORT_H
#define RT_NET_PORT_H

#include "rt/net/socket.h"

#define PORT_CHANGE ((int64_t)1)
#define PORT_CONNECTION ((int64_t)1 << 24)
#define PORT_LISTENING ((int64_t)1 << 48) /* how many sockets listen */

/* The port of the address for sockets like this one; it may be unused. */
SocketPort *port_find(const SocketAddress *address, const Socket *socket);
/* Adds it to the step. */
Access *port_touch(SocketPort *port, LiveAccesses *touches, Mode mode);

uint64_t port_resource(const SocketPort *port);
/* Does anybody listen there, at whatever address? A condition on its value. */
bool port_is_listened(const SocketPort *port);

/* The following are for steps that write the port. May the socket be bound to this address? 0 or EADDRINUSE; accesses
 * the connections that are in its way. */
int port_join(SocketPort *port, LiveAccesses *touches, Socket *socket, const SocketAddress *address, bool reuse);
int port_listen(SocketPort *port, Socket *socket);
void port_leave(SocketPort *port, Socket *socket);

/* For steps that read it: who listens at this address, or NULL. */
Socket *port_listener(const SocketPort *port, const SocketAddress *address);
/* Who gets a datagram from `from` that is sent to `to`, or NULL. */
Socket *port_receiver(const SocketPort *port, const SocketAddress *to, const SocketAddress *from);
/* In steps that write it: the address of a socket that is bound to it has changed. */
void port_rename(SocketPort *port, Socket *socket);
/* A socket that connects got this port, which is its own. In a step that accumulates. */
void port_note_own(SocketPort *port, Socket *socket, bool reuse);
/* A connection was made to it. In a step that accumulates. */
void port_note_connection(SocketPort *port, Socket *accepted);

#endif
