/* pair.c PORT | HOST PORT - a server that expects a pair of bytes at once, and its client */
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void serve(struct sockaddr_in *address)
{
    char pair[2];
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)address, sizeof *address) == 0 && listen(listener, 1) == 0);
    int connection = accept(listener, NULL, NULL);
    assert(read(connection, pair, sizeof pair) == sizeof pair);
    assert(write(connection, "k", 1) == 1);
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[argc - 1]))};
    char answer;
    if (argc == 2) {
        serve(&address);
        return 0;
    }
    assert(inet_pton(AF_INET, argv[1], &address.sin_addr) == 1);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
        return 0;
    assert(write(connection, "ab", 2) == 2 && read(connection, &answer, 1) == 1);
    return 0;
}
