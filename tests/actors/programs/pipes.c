/* pipes.c - threads that talk through pipes and socket pairs
 *
 * litmus: -DONE -> executions 1
 * litmus: -DORDER -> executions 4
 * litmus: -DEND -> executions 1
 * litmus: -DEMPTY -> executions 1 bugs deadlock
 * litmus: -DSOCKETS -> executions 1
 * litmus: -DPOLL -> executions any verdict bounded exit 2
 *
 * A reader waits until something was written, gets what one call wrote, and 0 when all who
 * could write have closed. Operations on one pipe are ordered with each other.
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
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

int main(void)
{
    pthread_t a, b;
    int number = 0;
#ifdef SOCKETS
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&a, NULL, answer, NULL);
    number = 4;
    write(ends[0], &number, sizeof number);
    assert(read(ends[0], &number, sizeof number) == sizeof number && number == 5);
    pthread_join(a, NULL);
    (void)b, (void)write_number;
#else
    assert(pipe(ends) == 0);
    (void)answer;
#ifdef EMPTY
    read(ends[0], &number, sizeof number);
#elif defined POLL
    poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1);
#elif defined ORDER
    pthread_create(&a, NULL, write_number, (void *)1);
    pthread_create(&b, NULL, write_number, (void *)2);
    read(ends[0], &number, sizeof number);
    assert(number == 1 || number == 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#elif defined END
    pthread_create(&a, NULL, write_number, (void *)1);
    pthread_join(a, NULL);
    close(ends[1]);
    assert(read(ends[0], &number, sizeof number) == sizeof number);
    assert(read(ends[0], &number, sizeof number) == 0);
#else
    pthread_create(&a, NULL, write_number, (void *)1);
    assert(read(ends[0], &number, 1) == 1 && number == 1);
    pthread_join(a, NULL);
#endif
#endif
    return 0;
}
