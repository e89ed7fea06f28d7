// not modelled: a socket other than SOCK_STREAM
// What a raw socket gets comes from the network of the machine.
#include <netinet/in.h>
#include <sys/socket.h>

int main(void)
{
    int s = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); // HERE
    return s < 0;
}
