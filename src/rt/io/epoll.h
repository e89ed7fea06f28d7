/* epoll.h - epoll on pipes, socket pairs and eventfds, level-triggered
 *
 * The list of descriptors is a resource whose value counts its changes. A wait first reads the list (a step), then
 * waits for its descriptors or for a change of the list. In which order ready descriptors are reported is a choice.
 */
#ifndef RT_IO_EPOLL_H
#define RT_IO_EPOLL_H

#include "rt/io/pipe.h"

int epoll_close(Epoll *epoll);

#endif
