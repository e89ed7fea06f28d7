/* resolve.c - the addresses of the nodes, by their names; without an argument it looks at them, else it is called so */
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <string.h>

static void expect(const char *host, const char *number)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_CANONNAME}, *list;
    char text[INET_ADDRSTRLEN];
    assert(getaddrinfo(host, "4000", &hints, &list) == 0 && !list->ai_next);
    const struct sockaddr_in *address = (const struct sockaddr_in *)(const void *)list->ai_addr;
    assert(list->ai_family == AF_INET && list->ai_addrlen == sizeof *address && address->sin_port == htons(4000));
    assert(strcmp(inet_ntop(AF_INET, &address->sin_addr, text, sizeof text), number) == 0);
    assert(strcmp(list->ai_canonname, host) == 0);
    freeaddrinfo(list);
}

int main(int argc, char **argv)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST}, *list;
    (void)argv;
    if (argc > 1)
        return 0;
    expect("s", "10.0.0.9");
    expect("a", "10.0.0.2");
    expect("localhost", "127.0.0.1");
    expect("10.1.2.3", "10.1.2.3");
    assert(getaddrinfo("nobody", "4000", NULL, &list) == EAI_NONAME);
    assert(getaddrinfo("s", "4000", &hints, &list) == EAI_NONAME);
    hints.ai_flags = AI_PASSIVE;
    assert(getaddrinfo(NULL, "80", &hints, &list) == 0);
    assert(((struct sockaddr_in *)(void *)list->ai_addr)->sin_addr.s_addr == INADDR_ANY);
#ifndef LEAK
    freeaddrinfo(list);
#endif
    return 0;
}
