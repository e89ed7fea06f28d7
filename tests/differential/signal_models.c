/* signal_models.c - signals and their handlers against brute force, see models.h */
#include <errno.h>
#include <poll.h>

#include "models.h"
#include "rt/libc/api_libc.h"

static struct {
    int pipe[2];
    sem_t semaphore;
} shared;

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses[] = "pthread_kill\0sigaction";

/* Main, which only joins the others, may take signals, too. */
static void see_if_any(int value)
{
    if (thread_self())
        see(value);
}

static void see_result(ssize_t result) { see_if_any(result < 0 ? -errno - 1000 : (int)result); }
static int number_of(int n) { return n ? SIGUSR2 : SIGUSR1; }

static void handler(int number) { see_if_any(5000 + number); }

/* This one takes a step, too. */
static void handler_that_writes(int number)
{
    see_if_any(6000 + number);
    see_result(sennit_rt_write(shared.pipe[1], "h", 1));
}

static void install(int number, void (*what)(int), int flags)
{
    struct sigaction action = {.sa_handler = what, .sa_flags = flags}, old;
    see_result(sennit_rt_sigaction(number, &action, &old));
    see_if_any(old.sa_handler == SIG_DFL ? 0 : old.sa_handler == SIG_IGN ? 1 : 2);
}

static void op_send(int n)
{
    if (models_self() != models_first())
        see(sennit_rt_pthread_kill(models_first()->handle, number_of(n)));
}

static void op_send_process(int n) { see_result(sennit_rt_kill(sennit_rt_getpid(), number_of(n))); }
static void op_raise(int n) { see_result(sennit_rt_raise(number_of(n))); }
static void op_write(int n) { (void)n, see_result(sennit_rt_write(shared.pipe[1], "x", 1)); }
static void op_post(int n) { (void)n, see_result(sennit_rt_sem_post(&shared.semaphore)); }
static void op_restart(int n) { install(number_of(n), handler, SA_RESTART); }
static void op_writes(int n) { install(number_of(n), handler_that_writes, 0); }

/* A signal that waits for one thread may not be ignored by another. */
static void op_ignore(int n)
{
    if (models_self() == models_first())
        install(number_of(n), SIG_IGN, 0);
}


static void op_read(int n)
{
    char bytes[2];
    (void)n;
    see_result(sennit_rt_read(shared.pipe[0], bytes, 1));
}

static void op_wait(int n)
{
    (void)n;
    see_result(sennit_rt_sem_wait(&shared.semaphore));
}

static void op_pause(int n)
{
    (void)n;
    see_result(sennit_rt_pause());
}

static void op_poll(int n)
{
    struct pollfd file = {.fd = shared.pipe[0], .events = POLLIN};
    see_result(sennit_rt_poll(&file, 1, n ? -1 : 10));
}

static void op_sleep(int n) { see((int)sennit_rt_sleep((unsigned)n + 1)); }

static void op_mask(int n)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    see(sennit_rt_pthread_sigmask(n ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL));
}

static void op_pending(int n)
{
    sigset_t set;
    see_result(sennit_rt_sigpending(&set));
    see(sigismember(&set, number_of(n)));
}

static void op_take(int n)
{
    const struct timespec time = {.tv_sec = n};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    see_result(sennit_rt_sigtimedwait(&set, NULL, &time));
}

static void op_suspend(int n)
{
    sigset_t set;
    sigemptyset(&set);
    if (n)
        sigaddset(&set, SIGUSR2);
    see_result(sennit_rt_sigsuspend(&set));
}

static void op_open_poll(int n)
{
    struct pollfd file = {.fd = shared.pipe[0], .events = POLLIN};
    sigset_t set;
    (void)n;
    sigemptyset(&set);
    see_result(sennit_rt_ppoll(&file, 1, NULL, &set));
}

static void op_alarm(int n) { see((int)sennit_rt_alarm((unsigned)n)); }

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name}
    OPERATION(send), OPERATION(read), OPERATION(send_process), OPERATION(write), OPERATION(mask), OPERATION(pause),
    OPERATION(raise), OPERATION(pending), OPERATION(restart), OPERATION(wait), OPERATION(post), OPERATION(take),
    OPERATION(suspend), OPERATION(poll), OPERATION(open_poll), OPERATION(sleep), OPERATION(writes),
    OPERATION(alarm), OPERATION(ignore),
#undef OPERATION
};

/* At first all threads block SIGUSR2. */
static void prepare(void)
{
    sigset_t set;
    install(SIGUSR1, handler, 0);
    install(SIGUSR2, handler, 0);
    install(SIGALRM, handler, SA_RESTART);
    see_result(sennit_rt_pipe(shared.pipe));
    sennit_rt_sem_init(&shared.semaphore, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sennit_rt_pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
    const Models models = {operations, sizeof operations / sizeof *operations, prepare};
    return models_main(argc, argv, &models);
}
