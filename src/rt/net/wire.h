/* wire.h - what is sent through a connection of TCP is on its way for a while (--delivery=late)
 *
 * A send is not its own arrival: what is written, and that an end is closed or broken, are segments of a flow (flow.h)
 * that the other end cannot see. Of each direction there is an agent, a thread of the runtime whose every step is the
 * arrival of the next one. So the segments of one direction keep their order, and nothing else does. An end learns of
 * the other one by what arrives; to bytes that arrive at an end that is closed it answers with a reset. The first
 * arrival at the side that accepts is that of the connection itself.
 */
#ifndef RT_NET_WIRE_H
#define RT_NET_WIRE_H

#include "rt/net/socket.h"

/* Is this how the connections of TCP are? */
bool wire_is_late(void);
/* Inside the step that connects: what the two ends send is late; the listener learns of the second one later. */
void wire_lay(Socket *socket, Socket *listener);
/* After that step, by the same thread: starts the agents. */
void wire_start(Socket *socket);

#endif
