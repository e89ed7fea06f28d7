/* check.c - a client of store.c: sets a value at one server and, when that is confirmed, asks the other one for it */
#include <arpa/inet.h>
#include <assert.h>
#include <unistd.h>

static char ask(const char *host, char request)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(4000)};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    char answer;
    assert(inet_pton(AF_INET, host, &address.sin_addr) == 1);
    assert(connect(connection, (struct sockaddr *)&address, sizeof address) == 0);
    assert(write(connection, &request, 1) == 1 && read(connection, &answer, 1) == 1);
    close(connection);
    return answer;
}

int main(int argc, char **argv)
{
    assert(argc == 3);
    assert(ask(argv[1], '7') == 'k');
    assert(ask(argv[2], 'g') == '7');
    return 0;
}
