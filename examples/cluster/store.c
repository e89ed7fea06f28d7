/* store.c - a value on two servers: what the primary has confirmed, its backup must know
 *
 * A digit sets the value and is answered by 'k'; 'g' asks for it. The server that is given the address of a backup
 * passes on what is set. With -DWRONG it confirms first: a client that reads from the backup then may find the old
 * value. See store.conf.
 *
 *     sennit cc -O1 store.c -o store && sennit cc -O1 check.c -o check && sennit explore --cluster store.conf
 *
 * One execution covers every schedule; with -DWRONG there are 20, and the third one reads the old value. --crash=1
 * shows what remains: 117 executions, and programs that do not expect another one to be gone.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LISTENER = 3, MOST = 4, PORT = 4000 };

static char value = '0';
static int backup = -1;

static int connect_to(const char *host)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1 ||
        connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        perror(host);
        exit(2);
    }
    return connection;
}

static void pass_on(char digit)
{
    char answer;
    if (backup >= 0 && (write(backup, &digit, 1) != 1 || read(backup, &answer, 1) != 1))
        exit(3);
}

/* Answers one request. False: the connection has ended. */
static int serve(int connection)
{
    char request;
    if (read(connection, &request, 1) != 1)
        return 0;
    if (request == 'g')
        return write(connection, &value, 1) == 1;
    value = request;
#ifdef WRONG
    int good = write(connection, "k", 1) == 1;
    pass_on(request);
    return good;
#else
    pass_on(request);
    return write(connection, "k", 1) == 1;
#endif
}

int main(int argc, char **argv)
{
    struct pollfd files[MOST] = {{.fd = LISTENER, .events = POLLIN}};
    nfds_t count = 1;
    if (argc > 1)
        backup = connect_to(argv[1]);
    while (poll(files, count, -1) > 0) {
        for (nfds_t i = 1; i < count; i++)
            if (files[i].revents && !serve(files[i].fd)) {
                close(files[i].fd);
                files[i].fd = -1;
            }
        if (files[0].revents && count < MOST)
            files[count++] = (struct pollfd){.fd = accept(LISTENER, NULL, NULL), .events = POLLIN};
    }
    return 1;
}
