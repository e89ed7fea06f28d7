/* frame.c - see frame.h */
#include "sym/solve/frame.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { LARGEST = 1 << 30 };

/* ---- Sending ----------------------------------------------------------------- */

static bool send_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

bool frame_send(int fd, const Text *bytes)
{
    uint32_t length = (uint32_t)bytes->length;
    /* One system call in the common case. */
    char together[1024];
    if (length <= sizeof together - sizeof length) {
        memcpy(together, &length, sizeof length);
        memcpy(together + sizeof length, text_borrow(bytes), length);
        return send_all(fd, together, sizeof length + length);
    }
    return send_all(fd, (const char *)&length, sizeof length) && send_all(fd, bytes->data, length);
}

/* ---- Receiving ------------------------------------------------------------------ */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits until there is something to read; false at the deadline (-1: none). */
static bool wait_readable(int fd, int64_t deadline)
{
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = deadline < 0 ? -1 : deadline - now_ms();
        if (deadline >= 0 && left <= 0)
            return false;
        int ready = poll(&p, 1, left > INT32_MAX ? INT32_MAX : (int)left);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

/* Appends exactly `size` bytes to the text. */
static bool receive_all(int fd, int64_t deadline, size_t size, Text *bytes)
{
    char buffer[16384];
    while (size > 0) {
        if (deadline >= 0 && !wait_readable(fd, deadline))
            return false;
        ssize_t n = recv(fd, buffer, size < sizeof buffer ? size : sizeof buffer, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text_add_bytes(bytes, buffer, (size_t)n);
        size -= (size_t)n;
    }
    return true;
}

bool frame_receive(int fd, int limit_ms, Text *bytes)
{
    int64_t deadline = limit_ms < 0 ? -1 : now_ms() + limit_ms;
    uint32_t length;
    text_reset(bytes);
    if (!receive_all(fd, deadline, sizeof length, bytes))
        return false;
    memcpy(&length, bytes->data, sizeof length);
    text_reset(bytes);
    return length <= LARGEST && receive_all(fd, deadline, length, bytes);
}
