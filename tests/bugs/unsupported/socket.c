// not modelled: a socket other than SOCK_STREAM
// Threads that meet through a socket would influence each other unseen.
#include <sys/socket.h>

int main(void)
{
    int s = socket(AF_INET, SOCK_DGRAM, 0); // HERE
    return s < 0;
}
