/* datagram_order.c - a datagram is sent, another thread looks for it: either may come first (-DNEG: the other order fails) */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
static int s;
static struct sockaddr_in a;
static int got;
static void *w(void *x)
{
    sendto(s, "x", 1, 0, (void *)&a, sizeof a);
    return 0;
}
static void *r(void *x)
{
    char b[4];
    got = recv(s, b, 4, MSG_DONTWAIT) == 1;
    return 0;
}
int main()
{
    s = socket(AF_INET, SOCK_DGRAM, 0);
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(s, (void *)&a, sizeof a);
    socklen_t l = sizeof a;
    getsockname(s, (void *)&a, &l);
    pthread_t t, u;
    pthread_create(&t, 0, w, 0);
    pthread_create(&u, 0, r, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
#ifdef NEG
    assert(!got);
#else
    assert(got);
#endif
}
