/* counter.c - a server that answers every byte with how many it has got; its port is its only argument */
#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

static int count; /* of this node */

static int serve(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 5) != 0)
        exit(9);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        char byte, answer;
        while (read(connection, &byte, 1) == 1) {
            answer = (char)('0' + ++count);
            write(connection, &answer, 1);
        }
        close(connection);
    }
}

int main(int argc, char **argv)
{
    return argc == 2 ? serve(atoi(argv[1])) : 8;
}
