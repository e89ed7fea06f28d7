/* option.h - names and options of sockets */
#ifndef RT_NET_OPTION_H
#define RT_NET_OPTION_H

#include "rt/net/socket.h"

/* As getsockname and getpeername. */
typedef enum SocketWhich { SOCKET_OWN, SOCKET_OTHER } SocketWhich;
int socket_name(Socket *socket, SocketWhich which, struct sockaddr *address, socklen_t *length);

/* As setsockopt and getsockopt. Options that change nothing here are kept; unknown ones are not modelled. */
int socket_set_option(Socket *socket, int level, int name, const void *value, socklen_t length);
int socket_get_option(Socket *socket, int level, int name, void *value, socklen_t *length);

#endif
