/* waits.c - waits for a byte that nobody sends, after it has sent one to ADDRESS, if there is an argument */
#include <arpa/inet.h>
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char byte;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(4000)};
    int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(socket_, (struct sockaddr *)&address, sizeof address) == 0);
    if (argc > 1) {
        assert(inet_pton(AF_INET, argv[1], &address.sin_addr) == 1);
        assert(sendto(socket_, "x", 1, 0, (struct sockaddr *)&address, sizeof address) == 1);
    }
    return read(socket_, &byte, 1) == 1 ? 0 : 5;
}
