/* crash_point.h - where a node of a cluster may crash, with --crash
 *
 * Before each operation on a socket, before it waits for some, and before each operation that changes a file: at any
 * other time no other node, nor the node itself when it starts again, could observe a difference. The system closes the
 * sockets of a node that has crashed. A node that starts again has a new first thread, with a heap of its own; its
 * memory is as at first, and its files are as durable_files.h says.
 */
#ifndef RT_IO_CRASH_POINT_H
#define RT_IO_CRASH_POINT_H

/* Does not return if the node crashes here. */
void crash_point(void);

#endif
