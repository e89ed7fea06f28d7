/* proxy.c - stands between workers and a store, and does what networks do
 *
 *     proxy LISTEN_PORT STORE_PORT
 *
 * SIGUSR1: the answer to the next commit is lost and its connection cut; the store has got it.
 * SIGUSR2: all connections are cut and new ones refused; the next one: it is well again.
 * SIGSTOP and SIGCONT: nothing comes through, and nobody is told.
 * Every answer that was lost is a line of its output.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINKS_MAX = 64, CHUNK = 1 << 16 };

typedef struct Link {
    int client, store;  /* client < 0: unused              */
    bool lose;          /* the answer that comes next      */
} Link;

static volatile sig_atomic_t lose_next, cuts;

static void on_signal(int signal)
{
    if (signal == SIGUSR1)
        lose_next = 1;
    else
        cuts++;
}

static struct sockaddr_in local(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listen_at(int port)
{
    struct sockaddr_in address = local(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 16) < 0) {
        perror("proxy");
        exit(1);
    }
    return fd;
}

static int connect_to(int port)
{
    struct sockaddr_in address = local(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

static void cut(Link *link)
{
    close(link->client);
    close(link->store);
    *link = (Link){.client = -1, .store = -1};
}

static void accept_link(Link *links, int listening, int port)
{
    int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC), store = connect_to(port);
    for (int i = 0; client >= 0 && store >= 0 && i < LINKS_MAX; i++)
        if (links[i].client < 0) {
            links[i] = (Link){.client = client, .store = store};
            return;
        }
    close(client);
    close(store);
}

static bool pass_on(int from, int to, char *bytes, ssize_t *size)
{
    *size = read(from, bytes, CHUNK);
    for (ssize_t done = 0, n; done < *size; done += n)
        if ((n = write(to, bytes + done, (size_t)(*size - done))) < 0)
            return false;
    return *size > 0;
}

static void serve_client(Link *link, char *bytes)
{
    ssize_t size;
    if (!pass_on(link->client, link->store, bytes, &size)) {
        cut(link);
    } else if (lose_next && memmem(bytes, (size_t)size, "\r\ncommit\r\n", 10)) {
        lose_next = 0;
        link->lose = true;
    }
}

static void serve_store(Link *link, char *bytes)
{
    ssize_t size;
    if (link->lose) {
        (void)!read(link->store, bytes, CHUNK);
        cut(link);
        puts("lost");
        fflush(stdout);
    } else if (!pass_on(link->store, link->client, bytes, &size)) {
        cut(link);
    }
}

int main(int argc, char **argv)
{
    static Link links[LINKS_MAX];
    static char bytes[CHUNK];
    if (argc != 3)
        return 2;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    int listening = listen_at(atoi(argv[1])), known = 0;
    for (int i = 0; i < LINKS_MAX; i++)
        links[i].client = links[i].store = -1;
    for (;;) {
        struct pollfd fds[2 * LINKS_MAX + 1];
        for (int i = 0; i < LINKS_MAX; i++) {
            fds[2 * i] = (struct pollfd){.fd = links[i].client, .events = POLLIN};
            fds[2 * i + 1] = (struct pollfd){.fd = links[i].store, .events = POLLIN};
        }
        fds[2 * LINKS_MAX] = (struct pollfd){.fd = listening, .events = POLLIN};
        int ready = poll(fds, 2 * LINKS_MAX + 1, 50);
        if (known != cuts) { /* a good network becomes a bad one, or the other way round */
            known = cuts;
            for (int i = 0; i < LINKS_MAX; i++)
                if (links[i].client >= 0)
                    cut(&links[i]);
            if (known % 2)
                close(listening);
            listening = known % 2 ? -1 : listen_at(atoi(argv[1]));
            continue;
        }
        if (ready <= 0)
            continue;
        for (int i = 0; i < LINKS_MAX; i++) {
            if (links[i].client >= 0 && fds[2 * i].fd == links[i].client && fds[2 * i].revents)
                serve_client(&links[i], bytes);
            if (links[i].client >= 0 && fds[2 * i + 1].fd == links[i].store && fds[2 * i + 1].revents)
                serve_store(&links[i], bytes);
        }
        if (fds[2 * LINKS_MAX].revents & POLLIN)
            accept_link(links, listening, atoi(argv[2]));
    }
}
