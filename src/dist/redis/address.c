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
    static const char scheme[] = "redis://", form[] = "a store is redis://[:password@]host[:port][/database]";
    *address = (Address){.port = 6379};
    if (strncmp(url, "rediss://", 9) == 0)
        return error_set(error, EXIT_USAGE,
                         "%s: TLS is not supported; use a tunnel (stunnel, ssh -L) and its local port", url);
    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return error_set(error, EXIT_USAGE, "%s: the address of %s", url, form);
    const char *at = url + sizeof scheme - 1, *sign = strrchr(at, '@'), *colon = strchr(at, ':');
    bool good = true;
    if (sign) { /* a user name before the colon is ignored */
        const char *password = colon && colon < sign ? colon + 1 : at;
        good = copy_part(address->password, sizeof address->password, password, (size_t)(sign - password));
        at = sign + 1;
    }
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
        return error_set(error, EXIT_USAGE, "%s: invalid; the address of %s", sign ? "--store" : url, form);
    return true;
}
