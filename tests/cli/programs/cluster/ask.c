/* ask.c - sends a byte to each server that is given as ADDRESS:PORT, and asserts what they answer: WANTED */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count; /* the same name as in the server */

static void ask(char *server, const char *wanted)
{
    char *colon = strchr(server, ':'), answer = 'x';
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(colon + 1))};
    *colon = '\0';
    assert(inet_pton(AF_INET, server, &address.sin_addr) == 1);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
        exit(errno == ECONNREFUSED ? 0 : 7);
    assert(write(connection, "x", 1) == 1 && read(connection, &answer, 1) == 1);
    count++;
    assert(strchr(wanted, answer));
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("WANTED");
    for (int i = 1; i < argc; i++)
        ask(argv[i], wanted ? wanted : "1");
    return count == argc - 1 ? 0 : 6;
}
