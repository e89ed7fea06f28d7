/* channel.h - messages between processes: a word and a payload, over a socket or pipe */
#ifndef BASE_CHANNEL_H
#define BASE_CHANNEL_H

#include <stdbool.h>

#include "base/text.h"

enum { CHANNEL_WORD = 32 };

/* Sends a message; false if the other side has closed the channel. */
bool channel_send(int fd, const char *word, const char *payload, size_t size);
/* Waits for a message; `payload` is replaced. False if the other side has closed the channel or sends anything else. */
bool channel_receive(int fd, char word[CHANNEL_WORD], Text *payload);

#endif
