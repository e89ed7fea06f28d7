/* pipes.c - threads that talk through pipes and socket pairs
 *
 * litmus: -DONE -> executions 1
 * litmus: -DORDER -> executions 4
 * litmus: -DPARTS -> executions 2
 * litmus: -DEND -> executions 1
 * litmus: -DEMPTY -> executions 1 bugs deadlock
 * litmus: -DFULL -> executions 1 bugs deadlock
 * litmus: -DSOCKETS -> executions 1
 * litmus: -DPACKETS -> executions 1
 * litmus: -DVAIN -> executions 2 bugs crash
 * litmus: -DVAIN -DIGNORED -> executions 2
 * litmus: -DHALF -> executions 2
 * litmus: -DTRY -> executions 2
 * litmus: -DMANY -> executions 1 verdict bounded
 * litmus: -DMANY -DCLOSED -> executions 1
 * litmus: -DDUP -> executions any verdict incomplete exit 2
 *
 * A reader waits until something was written, gets what was written until then, and 0 when all
 * who could write have closed. Operations on one pipe are ordered with each other.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *write_number(void *argument)
{
    int number = (int)(long)argument;
    assert(write(ends[1], &number, sizeof number) == sizeof number);
    return NULL;
}

static void *answer(void *argument)
{
    int number;
    (void)argument;
    assert(read(ends[1], &number, sizeof number) == sizeof number);
    number++;
    assert(write(ends[1], &number, sizeof number) == sizeof number);
    return NULL;
}

static void *write_parts(void *argument)
{
    (void)argument;
    assert(write(ends[1], "ab", 2) == 2);
    assert(write(ends[1], "cd", 2) == 2);
    return NULL;
}

static void *write_in_vain(void *argument)
{
    (void)argument;
    assert(write(ends[1], "x", 1) == 1 || errno == EPIPE);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int number = 0;
    char text[8];
    (void)a, (void)b, (void)text, (void)answer, (void)write_number, (void)write_parts, (void)write_in_vain;
#if defined MANY
    for (int i = 0; i < 400; i++) {
        assert(pipe(ends) == 0);
#ifdef CLOSED
        close(ends[0]);
        close(ends[1]);
#endif
    }
#elif defined SOCKETS
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&a, NULL, answer, NULL);
    number = 4;
    write(ends[0], &number, sizeof number);
    assert(recv(ends[0], &number, sizeof number, 0) == sizeof number && number == 5);
    pthread_join(a, NULL);
#elif defined PACKETS
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    write_parts(NULL);
    assert(read(ends[0], text, 1) == 1 && text[0] == 'a');
    assert(read(ends[0], text, sizeof text) == 2 && text[0] == 'c');
#elif defined HALF
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&a, NULL, answer, NULL);
    number = 4;
    write(ends[0], &number, sizeof number);
    shutdown(ends[0], SHUT_WR);
    assert(read(ends[0], &number, sizeof number) == sizeof number && number == 5);
    pthread_join(a, NULL);
    assert(read(ends[1], &number, sizeof number) == 0);
    assert(send(ends[0], &number, sizeof number, MSG_NOSIGNAL) == -1 && errno == EPIPE);
#else
    assert(pipe(ends) == 0);
#if defined EMPTY
    read(ends[0], &number, sizeof number);
#elif defined FULL
    static char much[100000];
    write(ends[1], much, sizeof much);
#elif defined ORDER
    pthread_create(&a, NULL, write_number, (void *)1);
    pthread_create(&b, NULL, write_number, (void *)2);
    read(ends[0], &number, sizeof number);
    assert(number == 1 || number == 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#elif defined PARTS
    /* "ab" and then "c", or all at once */
    pthread_create(&a, NULL, write_parts, NULL);
    ssize_t got = read(ends[0], text, 4);
    assert(got == 2 || got == 4);
    if (got == 2)
        assert(read(ends[0], text, 1) == 1 && text[0] == 'c');
    pthread_join(a, NULL);
#elif defined END
    pthread_create(&a, NULL, write_number, (void *)1);
    pthread_join(a, NULL);
    close(ends[1]);
    assert(read(ends[0], &number, sizeof number) == sizeof number);
    assert(read(ends[0], &number, sizeof number) == 0);
    assert(close(ends[1]) == -1 && errno == EBADF);
#elif defined VAIN
#ifdef IGNORED
    signal(SIGPIPE, SIG_IGN);
#endif
    pthread_create(&a, NULL, write_in_vain, NULL);
    close(ends[0]);
    pthread_join(a, NULL);
#elif defined TRY
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    pthread_create(&a, NULL, write_number, (void *)1);
    assert(read(ends[0], &number, sizeof number) == sizeof number || errno == EAGAIN);
    pthread_join(a, NULL);
#elif defined DUP
    dup(ends[0]);
#else
    pthread_create(&a, NULL, write_number, (void *)1);
    assert(read(ends[0], &number, 1) == 1 && number == 1);
    pthread_join(a, NULL);
#endif
#endif
    return 0;
}
