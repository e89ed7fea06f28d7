/* frame.h - messages over a socket: a length and that many bytes */
#ifndef SYM_SOLVE_FRAME_H
#define SYM_SOLVE_FRAME_H

#include "base/text.h"

/* False if the other side is gone. */
bool frame_send(int fd, const Text *bytes);

/* Receives one message into `bytes`. Waits for at most `limit_ms` (-1: for ever) in all;
 * false after that, or if the other side is gone. */
bool frame_receive(int fd, int limit_ms, Text *bytes);

#endif
