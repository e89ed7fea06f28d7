/* address.c - see address.h */
#include "rt/net/address.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/node.h"
#include "rt/libc/api_libc.h"

static size_t path_size(const SocketAddress *address)
{
    return address->length > offsetof(struct sockaddr_un, sun_path)
               ? address->length - offsetof(struct sockaddr_un, sun_path)
               : 0;
}

bool address_is_abstract(const SocketAddress *address) { return path_size(address) > 0 && !address->local.sun_path[0]; }

static int check_local(SocketAddress *address, socklen_t length)
{
    if (length <= offsetof(struct sockaddr_un, sun_path) || length > sizeof address->local)
        return EINVAL;
    address->length = length;
    if (!address_is_abstract(address))
        address->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
                                      strnlen(address->local.sun_path, path_size(address)) + 1);
    return 0;
}

int address_read(int family, const struct sockaddr *from, socklen_t length, SocketAddress *address)
{
    *address = (SocketAddress){0};
    if (length < sizeof from->sa_family || length > sizeof address->local)
        return EINVAL;
    plain_use(from, length);
    memcpy(address, from, length);
    if (family == AF_UNIX)
        return address->any.sa_family == AF_UNIX ? check_local(address, length) : EINVAL;
    socklen_t needed = family == AF_INET ? sizeof address->v4 : sizeof address->v6;
    if (length < needed)
        return EINVAL;
    address->length = needed;
    return address->any.sa_family == family ? 0 : EAFNOSUPPORT;
}

void address_write(const SocketAddress *address, struct sockaddr *to, socklen_t *length)
{
    plain_use(length, sizeof *length);
    socklen_t room = *length < address->length ? *length : address->length;
    if (room) {
        plain_overwrite(to, room);
        memcpy(to, address, room);
        shadow_memory_overwritten(to, room);
    }
    PLAIN_STORE(length, address->length);
}

SocketAddress address_none(int family)
{
    SocketAddress address = {.any.sa_family = (sa_family_t)family};
    address.length = family == AF_INET    ? sizeof address.v4
                     : family == AF_INET6 ? sizeof address.v6
                                          : sizeof address.any.sa_family;
    return address;
}

uint16_t address_port(const SocketAddress *address)
{
    return ntohs(address->any.sa_family == AF_INET ? address->v4.sin_port : address->v6.sin6_port);
}

void address_set_port(SocketAddress *address, uint16_t port)
{
    if (address->any.sa_family == AF_INET)
        address->v4.sin_port = htons(port);
    else
        address->v6.sin6_port = htons(port);
}

/* The IPv4 address, also one that is mapped; false for others. */
static bool get_v4(const SocketAddress *address, uint32_t *number)
{
    if (address->any.sa_family == AF_INET)
        *number = ntohl(address->v4.sin_addr.s_addr);
    else if (IN6_IS_ADDR_V4MAPPED(&address->v6.sin6_addr))
        *number = ntohl(address->v6.sin6_addr.s6_addr32[3]);
    else
        return false;
    return true;
}

bool address_is_any(const SocketAddress *address)
{
    uint32_t number;
    if (address->any.sa_family == AF_UNIX)
        return false;
    return get_v4(address, &number) ? number == INADDR_ANY : IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr);
}

void address_make_definite(SocketAddress *address)
{
    if (!address_is_any(address))
        return;
    if (address->any.sa_family == AF_INET)
        address->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        address->v6.sin6_addr = in6addr_loopback;
}

SocketAddress address_shown_to(int family, SocketAddress address)
{
    if (family != AF_INET6 || address.any.sa_family != AF_INET)
        return address;
    SocketAddress mapped = address_none(AF_INET6);
    mapped.v6.sin6_port = address.v4.sin_port;
    mapped.v6.sin6_addr.s6_addr16[5] = 0xffff;
    mapped.v6.sin6_addr.s6_addr32[3] = address.v4.sin_addr.s_addr;
    return mapped;
}

/* Any, or loopback. */
static bool is_local(const SocketAddress *address)
{
    uint32_t number;
    if (address_is_any(address))
        return true;
    return get_v4(address, &number) ? number >> 24 == IN_LOOPBACKNET : IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

bool address_node(const SocketAddress *address, unsigned *node)
{
    uint32_t number;
    *node = node_self();
    if (address->any.sa_family == AF_UNIX || is_local(address))
        return true;
    *node = get_v4(address, &number) ? node_of_address(number) : 0;
    return *node != 0;
}

bool address_is_here(const SocketAddress *address)
{
    unsigned node;
    return address_node(address, &node) && node == node_self();
}

/* The address of the own node if `to` is that of a node. */
void address_make_source(SocketAddress *address, const SocketAddress *to)
{
    bool any = address_is_any(address);
    address_make_definite(address);
    if (!any || is_local(to) || !node_self())
        return;
    uint32_t number = htonl(node_get(node_self())->address);
    if (address->any.sa_family == AF_INET) {
        address->v4.sin_addr.s_addr = number;
    } else {
        address->v6.sin6_addr = (struct in6_addr){0};
        address->v6.sin6_addr.s6_addr16[5] = 0xffff;
        address->v6.sin6_addr.s6_addr32[3] = number;
    }
}

bool address_matches(const SocketAddress *bound, const SocketAddress *to)
{
    uint32_t a, b;
    if (bound->any.sa_family == AF_UNIX || to->any.sa_family == AF_UNIX)
        return bound->length == to->length && memcmp(bound, to, to->length) == 0;
    if (address_port(bound) != address_port(to))
        return false;
    if (address_is_any(bound))
        return bound->any.sa_family == AF_INET6 || get_v4(to, &b);
    if (get_v4(bound, &a) && get_v4(to, &b))
        return a == b || (b == INADDR_ANY && a == INADDR_LOOPBACK);
    return !get_v4(bound, &a) && !get_v4(to, &b);
}

uint64_t address_hash(const SocketAddress *address)
{
    if (address->any.sa_family != AF_UNIX)
        return address_port(address);
    uint64_t hash = 14695981039346656037ull;
    for (size_t i = 0; i < path_size(address); i++)
        hash = (hash ^ (unsigned char)address->local.sun_path[i]) * 1099511628211ull;
    return hash | (uint64_t)1 << 40;
}
