/* api_resolve.c - addresses of names: getaddrinfo
 *
 * Numbers and services are left to the library. In a cluster its nodes have their names as those of hosts, and
 * localhost is one; there are no others. The list is memory of the program.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>

#include "rt/detect/unseen.h"
#include "rt/kernel/node.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/sync/plain.h"

/* An entry of the program's list, in one block. */
typedef struct Entry {
    struct addrinfo info;
    struct sockaddr_storage address;
    char name[];
} Entry;

/* `host`: as the program calls it. */
static Entry *copy_entry(const struct addrinfo *from, const char *host)
{
    const char *canonical = from->ai_canonname && host ? host : "";
    size_t name = from->ai_canonname ? strlen(canonical) + 1 : 0;
    Entry *entry = sennit_rt_malloc(sizeof *entry + name);
    plain_overwrite(entry, sizeof *entry + name);
    entry->info = *from;
    memset(&entry->address, 0, sizeof entry->address);
    memcpy(&entry->address, from->ai_addr, from->ai_addrlen);
    memcpy(entry->name, canonical, name);
    entry->info.ai_addr = (struct sockaddr *)&entry->address;
    entry->info.ai_canonname = name ? entry->name : NULL;
    entry->info.ai_next = NULL;
    return entry;
}

static struct addrinfo *copy_list(const struct addrinfo *from, const char *host)
{
    struct addrinfo *first = NULL, **end = &first;
    for (; from; from = from->ai_next) {
        *end = &copy_entry(from, host)->info;
        end = &(*end)->ai_next;
    }
    return first;
}

static bool is_number(const char *host)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *list;
    if (getaddrinfo(host, NULL, &hints, &list) != 0)
        return false;
    freeaddrinfo(list);
    return true;
}

/* The number of a host of the cluster; NULL: there is none of this name. */
static const char *number_of_host(const char *host, char number[INET_ADDRSTRLEN])
{
    unsigned node = node_of_name(host);
    uint32_t address = htonl(node ? node_get(node)->address : INADDR_LOOPBACK);
    if (!node && strcmp(host, "localhost") != 0)
        return NULL;
    return inet_ntop(AF_INET, &address, number, INET_ADDRSTRLEN);
}

int sennit_rt_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    char number[INET_ADDRSTRLEN];
    const char *name = host;
    struct addrinfo wanted = {.ai_family = AF_UNSPEC}, *list;
    if (!rt.self)
        return getaddrinfo(host, service, hints, result);
    if (host)
        text_read(host);
    if (service)
        text_read(service);
    if (hints) {
        plain_use(hints, sizeof *hints);
        wanted = *hints;
    }
    if (host && !is_number(host)) {
        if (!node_self())
            unseen_note(UNSEEN_CALL, "getaddrinfo", sennit_rt_site);
        else if (wanted.ai_flags & AI_NUMERICHOST || !(host = number_of_host(host, number)))
            return EAI_NONAME;
    }
    wanted.ai_flags &= ~AI_ADDRCONFIG; /* what addresses this machine has does not matter */
    int error = getaddrinfo(host, service, &wanted, &list);
    if (error)
        return error;
    struct addrinfo *copy = copy_list(list, name);
    freeaddrinfo(list);
    plain_overwrite(result, sizeof *result);
    *result = copy;
    return 0;
}

void sennit_rt_freeaddrinfo(struct addrinfo *list)
{
    if (!rt.self) {
        freeaddrinfo(list);
        return;
    }
    while (list) {
        plain_use(list, sizeof *list);
        struct addrinfo *next = list->ai_next;
        sennit_rt_free(list);
        list = next;
    }
}
