/* tcp_two_threads.c - a server and a client with a connection between them (-DEPOLL: the server waits with epoll) */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
static int port = 7455;
static void *client(void *a)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in d = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "127.0.0.1", &d.sin_addr);
    if (connect(s, (void *)&d, sizeof d))
        perror("connect");
    write(s, "hi", 2);
    char b[8];
    int n = read(s, b, 8);
    printf("client got %d\n", n);
    close(s);
    return 0;
}
int main()
{
    int l = socket(AF_INET, SOCK_STREAM, 0);
    int one = 1;
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in d = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "127.0.0.1", &d.sin_addr);
    if (bind(l, (void *)&d, sizeof d)) {
        perror("bind");
        return 1;
    }
    listen(l, 5);
    pthread_t t;
    pthread_create(&t, 0, client, 0);
#ifdef EPOLL
    int e = epoll_create1(0);
    struct epoll_event ev = {.events = EPOLLIN};
    ev.data.fd = l;
    epoll_ctl(e, EPOLL_CTL_ADD, l, &ev);
    struct epoll_event out[4];
    int n = epoll_wait(e, out, 4, -1);
    printf("epoll %d\n", n);
#endif
    int c = accept(l, 0, 0);
    char b[8];
    int n2 = read(c, b, 8);
    write(c, b, n2);
    pthread_join(t, 0);
    close(c);
    close(l);
}
