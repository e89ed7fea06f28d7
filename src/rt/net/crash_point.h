/* crash_point.h - where a node of a cluster may be killed, with --crash
 *
 * Before each operation on a socket, and before it waits for some: at any other time no other node could observe a
 * difference. The system closes the sockets of a node that was killed. It does not start again.
 */
#ifndef RT_NET_CRASH_POINT_H
#define RT_NET_CRASH_POINT_H

/* Does not return if the node is killed here. */
void crash_point(void);

#endif
