/* option.c - see option.h */
#include "rt/net/option.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/time.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/libc/api_libc.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

/* One step on the socket's own state, and in `mode` on its error. */
static void begin(Socket *socket, LiveAccesses *touches, Mode file, Mode error)
{
    step_begin(OP_SOCKET_OPTION, 0);
    touch(touches, socket_resource(socket, SOCKET_FILE), file, &socket->file);
    if (error != MODE_NONE)
        touch(touches, socket_resource(socket, SOCKET_ERROR), error, &socket->error);
    step_opaque();
    step_wait();
    touches_begin(touches);
}

static int finish(LiveAccesses *touches, int error)
{
    touches_end(touches);
    step_done();
    return error ? fail(error) : 0;
}

/* ---- Names -------------------------------------------------------------------------- */

/* Of a TCP connection that is over the other name is not told. */
static bool has_peer(Socket *socket, LiveAccesses *touches)
{
    if (socket->datagrams)
        return socket_state(socket) == SOCKET_CONNECTED;
    if (!socket->peer || (socket->tcp && socket->error & ERROR_DEAD))
        return false;
    if (!socket->tcp)
        return true;
    touch(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
    if (!(socket->marks & MARK_WRITES_NOT))
        return true;
    touch(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket));
    return !(*socket_heard(socket) & MARK_WRITES_NOT);
}

int socket_name(Socket *socket, SocketWhich which, struct sockaddr *address, socklen_t *length)
{
    LiveAccesses touches = {0};
    begin(socket, &touches, MODE_READ, MODE_READ);
    if (socket->file & FILE_CLOSED)
        return finish(&touches, EBADF);
    bool missing = which == SOCKET_OTHER && !has_peer(socket, &touches);
    int result = finish(&touches, missing ? ENOTCONN : 0);
    if (!result)
        address_write(which == SOCKET_OWN ? &socket->local : &socket->remote, address, length);
    return result;
}

/* ---- Options ------------------------------------------------------------------------ */

/* Options that change nothing here, or that are looked up where they matter. */
static const struct {
    int level, name;
} kept[] = {
    {SOL_SOCKET, SO_REUSEADDR},   {SOL_SOCKET, SO_KEEPALIVE},     {SOL_SOCKET, SO_SNDBUF},
    {SOL_SOCKET, SO_RCVBUF},      {SOL_SOCKET, SO_OOBINLINE},     {SOL_SOCKET, SO_BROADCAST},
    {SOL_SOCKET, SO_PRIORITY},    {SOL_SOCKET, SO_RCVLOWAT},      {IPPROTO_TCP, TCP_NODELAY},
    {IPPROTO_TCP, TCP_CORK},      {IPPROTO_TCP, TCP_KEEPIDLE},    {IPPROTO_TCP, TCP_KEEPINTVL},
    {IPPROTO_TCP, TCP_KEEPCNT},   {IPPROTO_TCP, TCP_QUICKACK},    {IPPROTO_TCP, TCP_USER_TIMEOUT},
    {IPPROTO_TCP, TCP_SYNCNT},    {IPPROTO_TCP, TCP_DEFER_ACCEPT}, {IPPROTO_TCP, TCP_FASTOPEN},
    {IPPROTO_IPV6, IPV6_V6ONLY},  {IPPROTO_IP, IP_TOS},
};

static bool is_kept(int level, int name)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (kept[i].level == level && kept[i].name == name)
            return true;
    return false;
}

static SocketOption *find_option(Socket *socket, int level, int name)
{
    for (int i = 0; i < SOCKET_OPTIONS; i++)
        if ((socket->options[i].level == level && socket->options[i].name == name) ||
            (!socket->options[i].level && !socket->options[i].name))
            return &socket->options[i];
    report_not_modelled("more than 12 options of one socket");
}

static int set_linger(Socket *socket, const void *value, socklen_t length)
{
    struct linger linger;
    if (length < sizeof linger)
        return EINVAL;
    memcpy(&linger, value, sizeof linger);
    socket->resets = linger.l_onoff && linger.l_linger == 0;
    return 0;
}

static int set_time(int64_t *time, const void *value, socklen_t length)
{
    struct timeval given;
    if (length < sizeof given)
        return EINVAL;
    memcpy(&given, value, sizeof given);
    if (given.tv_usec < 0 || given.tv_usec >= 1000000)
        return EDOM;
    *time = given.tv_sec * 1000000000ll + given.tv_usec * 1000ll;
    return 0;
}

static int set_now(Socket *socket, int level, int name, const void *value, socklen_t length)
{
    if (level == SOL_SOCKET && name == SO_LINGER)
        return set_linger(socket, value, length);
    if (level == SOL_SOCKET && name == SO_RCVTIMEO)
        return set_time(&socket->read_time, value, length);
    if (level == SOL_SOCKET && name == SO_SNDTIMEO)
        return set_time(&socket->write_time, value, length);
    if (length < sizeof(int))
        return EINVAL;
    SocketOption *option = find_option(socket, level, name);
    *option = (SocketOption){level, name, *(const int *)value};
    return 0;
}

static bool is_known(int level, int name)
{
    return is_kept(level, name) ||
           (level == SOL_SOCKET && (name == SO_LINGER || name == SO_RCVTIMEO || name == SO_SNDTIMEO));
}

int socket_set_option(Socket *socket, int level, int name, const void *value, socklen_t length)
{
    LiveAccesses touches = {0};
    if (!is_known(level, name))
        report_not_modelled("an option of setsockopt that is not known");
    if (level == IPPROTO_TCP && !socket->tcp)
        return fail(socket->datagrams ? ENOPROTOOPT : EOPNOTSUPP);
    plain_use(value, length);
    begin(socket, &touches, MODE_WRITE, MODE_NONE);
    int error = socket->file & FILE_CLOSED ? EBADF : set_now(socket, level, name, value, length);
    socket->file += FILE_OPTIONS;
    return finish(&touches, error);
}

/* The value of an option that is a number. */
static int get_now(Socket *socket, int level, int name)
{
    if (level == SOL_SOCKET)
        switch (name) {
        case SO_ERROR: return socket_take_error(socket);
        case SO_TYPE: return socket->datagrams ? SOCK_DGRAM : SOCK_STREAM;
        case SO_DOMAIN: return socket->family;
        case SO_PROTOCOL: return socket->tcp ? IPPROTO_TCP : socket->datagrams ? IPPROTO_UDP : 0;
        case SO_ACCEPTCONN: return socket_state(socket) == SOCKET_LISTENING;
        case SO_SNDBUF:
        case SO_RCVBUF: return FLOW_CAPACITY;
        default: break;
        }
    return find_option(socket, level, name)->value;
}

static bool is_asked(int level, int name)
{
    static const int names[] = {SO_ERROR, SO_TYPE, SO_DOMAIN, SO_PROTOCOL, SO_ACCEPTCONN};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (level == SOL_SOCKET && names[i] == name)
            return true;
    return is_kept(level, name);
}

int socket_get_option(Socket *socket, int level, int name, void *value, socklen_t *length)
{
    LiveAccesses touches = {0};
    if (!is_asked(level, name))
        report_not_modelled("an option of getsockopt that is not known");
    if (level == IPPROTO_TCP && !socket->tcp)
        return fail(socket->datagrams ? ENOPROTOOPT : EOPNOTSUPP);
    plain_use(length, sizeof *length);
    bool error = level == SOL_SOCKET && name == SO_ERROR;
    begin(socket, &touches, MODE_READ, error ? MODE_READ : MODE_NONE);
    bool closed = socket->file & FILE_CLOSED;
    if (error && socket->error)
        race_acquire(socket_resource(socket, SOCKET_ERROR));
    int found = closed ? 0 : get_now(socket, level, name);
    if (finish(&touches, closed ? EBADF : 0))
        return -1;
    socklen_t size = *length < sizeof found ? *length : sizeof found;
    plain_overwrite(value, size);
    memcpy(value, &found, size);
    shadow_memory_overwritten(value, size);
    PLAIN_STORE(length, size);
    return 0;
}
