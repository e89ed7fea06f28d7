/* channel.c - see channel.h: "word size\n", then the payload */
#include "base/channel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_MAX = 64 };

bool channel_send(int fd, const char *word, const char *payload, size_t size)
{
    Text message = {0};
    text_add(&message, "%s %zu\n", word, size);
    text_add_bytes(&message, payload, size);
    bool good = text_write_all(fd, message.data, message.length);
    text_release(&message);
    return good;
}

static bool read_some(int fd, char *bytes, size_t size, size_t *got)
{
    ssize_t n;
    do
        n = read(fd, bytes, size);
    while (n < 0 && errno == EINTR);
    *got = n > 0 ? (size_t)n : 0;
    return n > 0;
}

static bool read_head(int fd, char *head)
{
    size_t got;
    for (size_t i = 0; i + 1 < HEAD_MAX; i++) {
        if (!read_some(fd, head + i, 1, &got))
            return false;
        if (head[i] == '\n') {
            head[i] = '\0';
            return true;
        }
    }
    return false;
}

bool channel_receive(int fd, char word[CHANNEL_WORD], Text *payload)
{
    char head[HEAD_MAX], block[1 << 14];
    size_t left, got;
    text_reset(payload);
    if (!read_head(fd, head) || sscanf(head, "%31s %zu", word, &left) != 2)
        return false;
    for (; left > 0; left -= got) {
        if (!read_some(fd, block, left < sizeof block ? left : sizeof block, &got))
            return false;
        text_add_bytes(payload, block, got);
    }
    return true;
}
