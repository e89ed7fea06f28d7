/* fork.c - processes: each has a memory of its own, and descriptors in common
 *
 * litmus: -DPART=0 -> executions 3
 * litmus: -DPART=1 -> executions 24 verdict exhaustive-but-for
 * litmus: -DPART=2 -> executions 1 bugs deadlock
 * litmus: -DPART=3 -> executions 2
 * litmus: -DPART=4 -> executions 2 verdict exhaustive-but-for bugs deadlock
 * litmus: -DPART=5 -> executions 4
 * litmus: -DPART=6 -> executions 1 bugs data-race
 * litmus: -DPART=7 -> executions 1
 * litmus: -DPART=8 -> executions 1
 * litmus: -DPART=9 -> executions 1
 * litmus: -DPART=10 -> executions 2
 * litmus: -DPART=11 -> executions 2
 * litmus: -DPART=12 --max-processes=1 -> executions 1 verdict bounded
 * litmus: -DPART=13 -> executions 2
 * litmus: -DPART=14 -> executions 1 bugs data-race
 * litmus: -DPART=15 -> executions 2
 * litmus: -DPART=16 -> executions 1
 * litmus: -DPART=17 -> executions 1 bugs livelock
 *
 * 0: what the child changes the parent does not see. 1: two children serve one socket. 2: a child that keeps the end it
 * could write to waits for itself. 3: a signal ends a child. 4: its end comes before pause. 5: threads in both, with
 * one mutex each. 6: a data race in the child alone. 7: handlers of fork take the lock that the child needs. 8: which
 * child has ended is asked twice. 9: a thread of a child polls its own flag. 10: one position in a file. 11: who is the
 * parent. 12: one child more than allowed. 13: a mutex in memory that is shared. 14: a data race there. 15: a semaphore
 * with a name. 16: atomic operations in shared memory, with waiting. 17: what the parent writes does not end the
 * waiting of a child's thread.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "litmus.h"

static int global = 1, ends[2];
static _Thread_local int own = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define UNUSED __attribute__((unused))

UNUSED static int wait_for(pid_t child)
{
    int status;
    pid_t found = waitpid(child, &status, 0);
    assert((child < 0 || found == child) && WIFEXITED(status));
    return WEXITSTATUS(status);
}

UNUSED static void *add(void *given)
{
    pthread_mutex_lock(&mutex);
    global++;
    pthread_mutex_unlock(&mutex);
    return given;
}

UNUSED static void *add_unlocked(void *given)
{
    global++;
    return given;
}

UNUSED static void copies(void)
{
    int local = 1, *block = malloc(sizeof *block);
    char byte[2];
    *block = 1;
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        local = global = own = *block = 2;
        assert(write(ends[1], "x", 1) == 1);
        assert(local == 2 && global == 2 && own == 2 && *block == 2);
        exit(3);
    }
    close(ends[1]);
    assert(read(ends[0], byte, 2) == 1 && read(ends[0], byte, 2) == 0);
    assert(wait_for(child) == 3 && wait(NULL) == -1 && errno == ECHILD);
    assert(local == 1 && global == 1 && own == 1 && *block == 1);
    free(block);
}

UNUSED static void serve(int listener)
{
    char byte;
    int client = accept(listener, NULL, NULL);
    assert(client >= 0 && read(client, &byte, 1) == 1 && write(client, &byte, 1) == 1);
    _exit(byte);
}

UNUSED static void prefork(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(4000),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM, 0), sum = 0;
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 2) == 0);
    for (int i = 0; i < 2; i++)
        if (!fork())
            serve(listener);
    for (char i = 1; i <= 2; i++) {
        char byte = i;
        int made = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(made, (struct sockaddr *)&address, sizeof address) == 0);
        assert(write(made, &byte, 1) == 1 && read(made, &byte, 1) == 1 && byte == i);
        close(made);
    }
    for (int i = 0; i < 2; i++)
        sum += wait_for(-1);
    assert(sum == 3);
}

UNUSED static void forgotten(void)
{
    char byte;
    assert(pipe(ends) == 0);
    if (fork() == 0) {
        while (read(ends[0], &byte, 1) == 1)
            continue;
        _exit(0);
    }
    close(ends[1]);
    wait(NULL);
}

UNUSED static void killed(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    assert(kill(child, SIGTERM) == 0);
    assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert(kill(child, 0) == -1 && errno == ESRCH);
}

static volatile sig_atomic_t ended;

UNUSED static void on_end(int number)
{
    assert(number == SIGCHLD);
    ended++;
}

UNUSED static void told(void)
{
    signal(SIGCHLD, on_end);
    if (fork() == 0)
        _exit(0);
    if (!ended)
        pause();
    assert(ended == 1);
}

UNUSED static void with_threads(void)
{
    pthread_t threads[2];
    pid_t child = fork();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(global == 3);
    if (child == 0)
        _exit(global);
    assert(wait_for(child) == 3);
}

UNUSED static void races(void)
{
    pid_t child = fork();
    global++;
    if (child)
        exit(wait_for(child));
    pthread_t thread;
    pthread_create(&thread, NULL, add_unlocked, NULL);
    global++;
    pthread_join(thread, NULL);
}

UNUSED static void take(void) { pthread_mutex_lock(&mutex); }
UNUSED static void give(void) { pthread_mutex_unlock(&mutex); }

UNUSED static void handled(void)
{
    assert(pthread_atfork(take, give, give) == 0);
    pid_t child = fork();
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    if (child)
        assert(wait_for(child) == 0);
}

UNUSED static void asks_twice(void)
{
    siginfo_t found;
    pid_t child = vfork();
    if (child == 0)
        _exit(7);
    assert(waitid(P_PID, (id_t)child, &found, WEXITED | WNOWAIT) == 0);
    assert(found.si_pid == child && found.si_code == CLD_EXITED && found.si_status == 7);
    assert(wait_for(child) == 7);
}

static atomic_int flag;

UNUSED static void *poll_flag(void *given)
{
    while (!atomic_load(&flag))
        continue;
    return given;
}

UNUSED static void polls(void)
{
    char byte;
    assert(pipe(ends) == 0);
    if (fork() == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, poll_flag, NULL);
        assert(read(ends[0], &byte, 1) == 1);
        atomic_store(&flag, 1);
        pthread_join(thread, NULL);
        _exit(0);
    }
    atomic_store(&flag, 2);
    atomic_store(&flag, 0);
    assert(write(ends[1], "x", 1) == 1);
    assert(wait_for(-1) == 0 && atomic_load(&flag) == 0);
}

UNUSED static void polls_forever(void)
{
    if (fork() == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, poll_flag, NULL);
        pthread_join(thread, NULL);
        _exit(0);
    }
    atomic_store(&flag, 1);
    wait_for(-1);
}

UNUSED static void one_position(void)
{
    char bytes[3] = "";
    int file = open("fork.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    pid_t child = fork();
    assert(write(file, child ? "p" : "c", 1) == 1);
    if (child == 0)
        _exit(0);
    assert(wait_for(child) == 0);
    assert(pread(file, bytes, 3, 0) == 2 && bytes[0] != bytes[1]);
    unlink("fork.txt");
}

UNUSED static void whose(void)
{
    pid_t parent = getpid();
    if (fork() == 0) {
        pid_t now = getppid();
        assert(now == parent || now == 1);
        assert(getpid() != parent);
    }
}

UNUSED static void too_many(void)
{
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            _exit(0);
    assert(0);
}

typedef struct Shared {
    pthread_mutex_t mutex;
    int count;
    atomic_int flag;
} Shared;

UNUSED static Shared *share(void)
{
    pthread_mutexattr_t attributes;
    Shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &attributes);
    return shared;
}

UNUSED static void shares(void)
{
    Shared *shared = share();
    pid_t child = fork();
    pthread_mutex_lock(&shared->mutex);
    shared->count++;
    pthread_mutex_unlock(&shared->mutex);
    if (child == 0)
        _exit(0);
    assert(wait_for(child) == 0 && shared->count == 2);
}

UNUSED static void shares_wrongly(void)
{
    Shared *shared = share();
    pid_t child = fork();
    shared->count++;
    if (child == 0)
        _exit(0);
    wait_for(child);
}

UNUSED static void counts(void)
{
    sem_t *free_places = sem_open("/places", O_CREAT, 0600, 1);
    pid_t child = fork();
    assert(sem_wait(free_places) == 0);
    global++;
    sem_post(free_places);
    assert(global == 2);
    if (child == 0)
        _exit(0);
    assert(wait_for(child) == 0);
}

UNUSED static void passes(void)
{
    Shared *shared = share();
    pid_t child = fork();
    if (child == 0) {
        while (!atomic_load(&shared->flag))
            continue;
        _exit(shared->count);
    }
    shared->count = 5;
    atomic_store(&shared->flag, 1);
    assert(wait_for(child) == 5);
}

int main(void)
{
    if (PART == 0)
        copies();
    if (PART == 1)
        prefork();
    if (PART == 2)
        forgotten();
    if (PART == 3)
        killed();
    if (PART == 4)
        told();
    if (PART == 5)
        with_threads();
    if (PART == 6)
        races();
    if (PART == 7)
        handled();
    if (PART == 8)
        asks_twice();
    if (PART == 9)
        polls();
    if (PART == 10)
        one_position();
    if (PART == 11)
        whose();
    if (PART == 12)
        too_many();
    if (PART == 13)
        shares();
    if (PART == 14)
        shares_wrongly();
    if (PART == 15)
        counts();
    if (PART == 16)
        passes();
    if (PART == 17)
        polls_forever();
    return 0;
}
