/* frame.h - messages over a socket: a length and that many bytes */
#ifndef SYM_SOLVE_FRAME_H
#define SYM_SOLVE_FRAME_H

#include "base/text.h"

/* Sends one message; false if the other side has closed the socket. */
bool frame_send(int fd, const Text *bytes);

/* Receives one message into `bytes`. Waits at most `limit_ms` in total (-1: no limit); false after that, or if the
 * other side has closed the socket. */
bool frame_receive(int fd, int limit_ms, Text *bytes);

#endif
