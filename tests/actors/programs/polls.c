/* polls.c - threads that wait for several pipes at once
 *
 * litmus: -DONE -> executions 1
 * litmus: -DTWO -> executions 3
 * litmus: -DLOOK -> executions 2
 * litmus: -DTIMED -> executions 2
 * litmus: -DTIMED -DAGAIN --timeouts=1 -> executions 2 verdict bounded
 * litmus: -DEND -> executions 1
 * litmus: -DROOM -> executions 1
 * litmus: -DNOBODY -> executions 1 bugs deadlock
 * litmus: -DSELECT -> executions 3
 * litmus: -DSELECT -DTIMED -> executions 2
 * litmus: -DSELECT -DBAD -> executions 1
 * litmus: -DSLEEP -> executions 1
 * litmus: -DMIXED -> executions any verdict incomplete exit 2
 *
 * Of two pipes that are written to by two threads, a poll sees one, the other, or both.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int first[2], second[2];

static void *write_to(void *ends)
{
    assert(write(((int *)ends)[1], "x", 1) == 1);
    return NULL;
}

static int poll_both(int timeout)
{
    struct pollfd files[] = {{.fd = first[0], .events = POLLIN}, {.fd = second[0], .events = POLLIN}, {.fd = -1}};
    int ready = poll(files, 3, timeout);
    assert(ready == (files[0].revents == POLLIN) + (files[1].revents == POLLIN) && files[2].revents == 0);
    return ready;
}

static int select_both(struct timeval *timeout)
{
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(first[0], &reads);
    FD_SET(second[0], &reads);
    int limit = (first[0] > second[0] ? first[0] : second[0]) + 1;
    int ready = select(limit, &reads, NULL, NULL, timeout);
    if (ready >= 0)
        assert(ready == (FD_ISSET(first[0], &reads) != 0) + (FD_ISSET(second[0], &reads) != 0));
    return ready;
}

int main(void)
{
    pthread_t a, b;
    struct timeval soon = {.tv_sec = 1};
    struct pollfd file;
    (void)a, (void)b, (void)soon, (void)file, (void)poll_both, (void)select_both;
    assert(pipe(first) == 0 && pipe(second) == 0);
#if defined SELECT && defined TIMED
    pthread_create(&a, NULL, write_to, first);
    assert(select_both(&soon) == 1 || soon.tv_sec == 0);
    pthread_join(a, NULL);
#elif defined SELECT && defined BAD
    close(first[0]);
    assert(select_both(&soon) == -1 && errno == EBADF);
    (void)write_to;
#elif defined SELECT
    pthread_create(&a, NULL, write_to, first);
    pthread_create(&b, NULL, write_to, second);
    assert(select_both(NULL) > 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#elif defined TWO
    pthread_create(&a, NULL, write_to, first);
    pthread_create(&b, NULL, write_to, second);
    assert(poll_both(-1) > 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#elif defined LOOK || defined TIMED
    pthread_create(&a, NULL, write_to, first);
    int ready = poll_both(
#ifdef LOOK
        0
#else
        50
#endif
    );
    assert(ready == 0 || ready == 1);
#ifdef AGAIN
    assert(poll_both(50) == 1);
#endif
    pthread_join(a, NULL);
#elif defined END
    close(first[1]);
    file = (struct pollfd){.fd = first[0], .events = POLLIN};
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLHUP);
    close(first[0]);
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLNVAL);
    file = (struct pollfd){.fd = second[1], .events = POLLOUT};
    close(second[0]);
    assert(poll(&file, 1, -1) == 1 && file.revents == (POLLOUT | POLLERR));
    (void)write_to;
#elif defined ROOM
    static char much[65536];
    file = (struct pollfd){.fd = first[1], .events = POLLOUT};
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLOUT);
    assert(write(first[1], much, sizeof much) == sizeof much);
    assert(poll(&file, 1, 0) == 0 && file.revents == 0);
    assert(read(first[0], much, 4096) == 4096);
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLOUT);
    (void)write_to;
#elif defined NOBODY
    poll_both(-1);
    (void)write_to;
#elif defined SLEEP
    assert(poll(NULL, 0, 10) == 0 && select(0, NULL, NULL, NULL, &soon) == 0);
    (void)write_to;
#elif defined MIXED
    struct pollfd files[] = {{.fd = 0, .events = POLLIN}, {.fd = first[0], .events = POLLIN}};
    poll(files, 2, -1);
    (void)write_to;
#else
    pthread_create(&a, NULL, write_to, first);
    assert(poll_both(-1) == 1);
    pthread_join(a, NULL);
#endif
    return 0;
}
