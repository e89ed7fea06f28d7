/* address.c - see address.h */
#include "dist/redis/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool copy_part(char *to, size_t size, const char *from, size_t length)
{
    if (length >= size)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

/* What is between the scheme and `sign`: "user:password", ":password" or "password", as for redis-cli. */
static bool parse_identity(Address *address, const char *at, const char *sign)
{
    const char *colon = memchr(at, ':', (size_t)(sign - at)), *password = colon ? colon + 1 : at;
    return (!colon || copy_part(address->user, sizeof address->user, at, (size_t)(colon - at))) &&
           copy_part(address->password, sizeof address->password, password, (size_t)(sign - password)) &&
           (!*address->user || *address->password);
}

static bool read_small(const char **at, int limit, int *number)
{
    char *end;
    long value = strtol(*at, &end, 10);
    if (end == *at || value < 0 || value > limit)
        return false;
    *at = end;
    *number = (int)value;
    return true;
}

static bool parse_host(Address *address, const char **at)
{
    size_t length = **at == '[' ? strcspn(*at, "]") : strcspn(*at, ":/");
    if (**at == '[') { /* an IPv6 address */
        bool good = (*at)[length] == ']' && copy_part(address->host, sizeof address->host, *at + 1, length - 1);
        *at += length + 1;
        return good && *address->host;
    }
    bool good = copy_part(address->host, sizeof address->host, *at, length);
    *at += length;
    return good && *address->host;
}

bool address_parse(Address *address, const char *url, Error *error)
{
    static const char scheme[] = "redis://", form[] = "a store is redis://[[user]:password@]host[:port][/database]";
    const char *sign = strrchr(url, '@'), *shown = sign ? "--store" : url; /* messages do not show passwords */
    *address = (Address){.port = 6379};
    if (strncmp(url, "rediss://", 9) == 0)
        return error_set(error, EXIT_USAGE,
                         "%s: TLS is not supported; use a tunnel (stunnel, ssh -L) and its local port", shown);
    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return error_set(error, EXIT_USAGE, "%s: the address of %s", shown, form);
    const char *at = url + sizeof scheme - 1;
    bool good = !sign || parse_identity(address, at, sign);
    if (sign)
        at = sign + 1;
    good = good && parse_host(address, &at);
    if (good && *at == ':') {
        at++;
        good = read_small(&at, 65535, &address->port);
    }
    if (good && *at == '/' && at[1]) {
        at++;
        good = read_small(&at, 1 << 20, &address->database);
    } else if (good && *at == '/') {
        at++;
    }
    if (!good || *at)
        return error_set(error, EXIT_USAGE, "%s: invalid; the address of %s", shown, form);
    return true;
}
