/* port.c - see port.h */
#include "rt/net/port.h"

#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/kernel/transient.h"

/* A socket that is bound to the port. */
typedef struct Binding Binding;
struct Binding {
    Binding *next;
    Socket *socket;
    SocketAddress address;
    bool reuse, listening;
};

/* An end of a connection to the port, which uses it, too. */
typedef struct Member Member;
struct Member {
    Member *next;
    Socket *socket;
};

struct SocketPort {
    SocketPort *next;
    uint64_t resource;
    int64_t value;
    Binding *bindings;
    Member *members;   /* by name */
};

static struct {
    uint32_t run; /* of the execution that this belongs to */
    SocketPort *first;
} ports;

/* TCP, UDP and Unix sockets have ports of their own, and so have nodes. */
static uint64_t name_port(const SocketAddress *address, const Socket *socket)
{
    enum { UDP = 1 << 20 };
    unsigned node;
    address_node(address, &node);
    uint64_t name = (address_hash(address) | (socket->datagrams ? UDP : 0)) << 1 | socket->tcp;
    return resource_make(RES_PORT, name ^ (uint64_t)node << 50);
}

SocketPort *port_find(const SocketAddress *address, const Socket *socket)
{
    uint64_t resource = name_port(address, socket);
    if (ports.run != rt.execution) {
        ports.run = rt.execution;
        ports.first = NULL;
    }
    for (SocketPort *port = ports.first; port; port = port->next)
        if (port->resource == resource)
            return port;
    SocketPort *port = transient_alloc(sizeof *port);
    *port = (SocketPort){.next = ports.first, .resource = resource};
    ports.first = port;
    return port;
}

Access *port_touch(SocketPort *port, LiveAccesses *touches, Mode mode)
{
    return touch(touches, port->resource, mode, &port->value);
}

uint64_t port_resource(const SocketPort *port) { return port->resource; }
bool port_is_listened(const SocketPort *port) { return port->value >= PORT_LISTENING; }

static bool overlap(const SocketAddress *a, const SocketAddress *b)
{
    return address_matches(a, b) || address_matches(b, a);
}

/* Is a connection open that was accepted at this address? */
static bool has_members(const SocketPort *port, LiveAccesses *touches, const SocketAddress *address)
{
    bool found = false;
    for (const Member *member = port->members; member; member = member->next) {
        Socket *socket = member->socket;
        touch(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
        found |= !(socket->marks & MARK_CLOSED) && overlap(&socket->local, address);
    }
    return found;
}

static void add_binding(SocketPort *port, Socket *socket, const SocketAddress *address, bool reuse)
{
    Binding *binding = transient_alloc(sizeof *binding);
    *binding = (Binding){.next = port->bindings, .socket = socket, .address = *address, .reuse = reuse};
    port->bindings = binding;
    port->value += PORT_CHANGE;
}

/* Of a Unix socket there is one at most, and what it has accepted does not count. */
int port_join(SocketPort *port, LiveAccesses *touches, Socket *socket, const SocketAddress *address, bool reuse)
{
    bool shared = reuse && socket->datagrams;
    reuse &= socket->tcp;
    for (const Binding *other = port->bindings; other; other = other->next)
        if (overlap(&other->address, address) && (!reuse || !other->reuse || other->listening)) {
            if (shared && other->reuse)
                report_not_modelled("two sockets of datagrams at one address (SO_REUSEADDR)");
            return EADDRINUSE;
        }
    if (!reuse && socket->tcp && has_members(port, touches, address))
        return EADDRINUSE;
    add_binding(port, socket, address, reuse || shared);
    return 0;
}

void port_note_own(SocketPort *port, Socket *socket, bool reuse) { add_binding(port, socket, &socket->local, reuse); }

int port_listen(SocketPort *port, Socket *socket)
{
    Binding *own = NULL;
    for (Binding *binding = port->bindings; binding; binding = binding->next)
        if (binding->socket == socket)
            own = binding;
    for (const Binding *other = port->bindings; other; other = other->next)
        if (other != own && other->listening && overlap(&other->address, &own->address))
            return EADDRINUSE;
    own->listening = true;
    port->value += PORT_CHANGE + PORT_LISTENING;
    race_release(port->resource);
    return 0;
}

void port_leave(SocketPort *port, Socket *socket)
{
    for (Binding **at = &port->bindings; *at; at = &(*at)->next)
        if ((*at)->socket == socket) {
            port->value += PORT_CHANGE - ((*at)->listening ? PORT_LISTENING : 0);
            *at = (*at)->next;
            return;
        }
}

Socket *port_listener(const SocketPort *port, const SocketAddress *address)
{
    Socket *found = NULL;
    for (const Binding *binding = port->bindings; binding; binding = binding->next)
        if (binding->listening && (binding->socket->tcp || !(binding->socket->marks & MARK_READS_NOT)) &&
            address_matches(&binding->address, address) &&
            (!found || address_is_any(&found->local)))
            found = binding->socket;
    if (found)
        race_acquire(port->resource);
    return found;
}

/* A connected socket gets what comes from the other end alone. */
static bool accepts(const Socket *socket, const SocketAddress *from)
{
    return socket_state(socket) != SOCKET_CONNECTED || address_matches(&socket->remote, from);
}

Socket *port_receiver(const SocketPort *port, const SocketAddress *to, const SocketAddress *from)
{
    Socket *found = NULL;
    for (const Binding *binding = port->bindings; binding; binding = binding->next)
        if (address_matches(&binding->address, to) && accepts(binding->socket, from) &&
            (!found || address_is_any(&found->local)))
            found = binding->socket;
    return found;
}

void port_rename(SocketPort *port, Socket *socket)
{
    for (Binding *binding = port->bindings; binding; binding = binding->next)
        if (binding->socket == socket)
            binding->address = socket->local;
    port->value += PORT_CHANGE;
}

void port_note_connection(SocketPort *port, Socket *accepted)
{
    Member **at = &port->members, *member = transient_alloc(sizeof *member);
    while (*at && (*at)->socket->name < accepted->name)
        at = &(*at)->next;
    *member = (Member){.next = *at, .socket = accepted};
    *at = member;
    port->value += PORT_CONNECTION;
}
