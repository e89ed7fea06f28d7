/* fork_models.c - processes made by fork against brute force, see models.h
 *
 * Main makes one or two others, and all three perform operations; then main waits for its children. Each has a block of
 * the heap, which is a copy of that of its parent. With FORK_SIGNALS there are two, which send each other signals.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "models.h"
#include "rt/kernel/process.h"
#include "rt/libc/api_libc.h"

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses[] = "fork\0pthread_create"
#ifdef FORK_SIGNALS
                                                                               "\0kill\0sigaction"
#endif
    ;

/* In the heap: each process has its own. */
typedef struct Own {
    int pipe[2], value, handled, children[MODELS_MAX_THREADS], child_count;
    pthread_mutex_t mutex;
    char byte[2];
} Own;

static Own *own;

/* What all of them have. */
static struct Common {
    pthread_mutex_t mutex;
    sem_t semaphore;
    int value;
} *common;

static void see_result(ssize_t result) { see(result < 0 ? -errno - 1000 : (int)result); }

/* Main is 0, its children 1 and 2, their children 4, 5, ...: the same in every schedule. */
static int index_of(AgentId agent)
{
    const AgentName *name = &rt.shared->agents[agent];
    return agent == 0 ? 0 : name->creator == 0 ? (int)name->nth : 3 * index_of(name->creator) + (int)name->nth;
}

static int own_index(void) { return index_of(process_get(process_self())->first); }

static void count_child(pid_t child)
{
    if (own->child_count < MODELS_MAX_THREADS)
        own->children[own->child_count++] = child;
}

/* ---- Operations ------------------------------------------------------------------------------ */

static void op_read(int n)
{
    see_result(sennit_rt_read(own->pipe[0], own->byte, n ? 2 : 1));
    see(own->byte[0]);
}

static void op_write(int n)
{
    char letters[] = {(char)('a' + own_index()), (char)('A' + own->value)};
    memcpy(own->byte, letters, 2);
    see_result(sennit_rt_write(own->pipe[1], own->byte, n ? 2 : 1));
}

static void op_close(int n) { see_result(sennit_rt_close(own->pipe[n])); }

static void op_change(int n)
{
    see(own->value);
    own->value += n + 1;
}

static void see_status(pid_t process, int status)
{
    see(process < 0 ? -errno - 1000 : process);
    see(process > 0 ? status : 0);
}

static void op_wait(int n)
{
    int status = 0;
    pid_t ended = sennit_rt_waitpid(n && own->child_count ? own->children[0] : -1, &status, 0);
    see_status(ended, status);
}

static void op_look(int n)
{
    siginfo_t found;
    int status = 0;
    if (n)
        see_status(sennit_rt_waitpid(-1, &status, WNOHANG), status);
    else if (sennit_rt_waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT))
        see(-errno - 1000);
    else
        see(found.si_pid);
}

static void op_parent(int n)
{
    (void)n;
    see(sennit_rt_getppid());
    see(sennit_rt_getpid());
}

static void op_fork(int n)
{
    if (own_index() >= 4)
        return;
    pid_t child = sennit_rt_fork();
    see(child);
    if (child) {
        count_child(child);
        return;
    }
    own->child_count = 0;
    own->value += 10;
    if (n)
        op_write(0);
    see(own->value);
    sennit_rt__exit(n + 1);
}

#ifdef FORK_SIGNALS
static void op_kill(int n)
{
    static const int numbers[] = {0, SIGUSR1, SIGTERM};
    pid_t to = n && own->child_count ? own->children[0] : sennit_rt_getppid();
    int number = numbers[(own->value + n) % 3];
    if (to == 1 || (number == SIGTERM && own_index() != 0))
        return;
    see_result(sennit_rt_kill(to, number));
    see(own->handled);
}
#endif

static void op_common(int n)
{
    sennit_rt_pthread_mutex_lock(&common->mutex);
    see(common->value);
    common->value += n + 1;
    sennit_rt_pthread_mutex_unlock(&common->mutex);
}

static void op_semaphore(int n)
{
    if (n)
        see(sennit_rt_sem_post(&common->semaphore));
    else
        see_result(sennit_rt_sem_trywait(&common->semaphore));
}

static void op_exit(int n)
{
    if (own_index())
        sennit_rt__exit(n + 3);
}

static void *lock_and_add(void *given)
{
    sennit_rt_pthread_mutex_lock(&own->mutex);
    own->value += 100;
    sennit_rt_pthread_mutex_unlock(&own->mutex);
    return given;
}

static void op_thread(int n)
{
    pthread_t thread;
    void *result;
    sennit_rt_pthread_create(&thread, NULL, lock_and_add, NULL);
    sennit_rt_pthread_mutex_lock(&own->mutex);
    see(own->value);
    own->value += n;
    sennit_rt_pthread_mutex_unlock(&own->mutex);
    sennit_rt_pthread_join(thread, &result);
    see(own->value);
}

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name}
    OPERATION(read), OPERATION(write), OPERATION(close), OPERATION(fork), OPERATION(wait), OPERATION(exit),
    OPERATION(look), OPERATION(parent), OPERATION(common), OPERATION(semaphore),
    OPERATION(change), OPERATION(thread),
#ifdef FORK_SIGNALS
    OPERATION(kill),
#endif
#undef OPERATION
};

/* ---- The program --------------------------------------------------------------------------------- */

#ifdef FORK_SIGNALS
static void handler(int number)
{
    (void)number;
    own->handled++;
}
#endif

static void make_children(void)
{
#ifdef FORK_SIGNALS
    const int count = 2;
#else
    const int count = models_threads();
#endif
    for (int i = 1; i < count; i++) {
        pid_t child = sennit_rt_fork();
        if (child == 0) {
            own->child_count = 0;
            return;
        }
        count_child(child);
    }
}

static void wait_for_all(void)
{
    int status = 0;
    for (;;) {
        pid_t ended = sennit_rt_wait(&status);
        see_status(ended, status);
        if (ended < 0 && errno == ECHILD)
            return;
    }
}

/* Does not return: the program that models.c has is one of threads. */
static void run(void)
{
    own = sennit_rt_calloc(1, sizeof *own);
    sennit_rt_pthread_mutex_init(&own->mutex, NULL);
    common = sennit_rt_mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sennit_rt_pthread_mutex_init(&common->mutex, NULL);
    sennit_rt_sem_init(&common->semaphore, 1, 1);
#ifdef FORK_SIGNALS
    const struct sigaction action = {.sa_handler = handler};
    sennit_rt_sigaction(SIGUSR1, &action, NULL);
    sennit_rt_sigaction(SIGCHLD, &action, NULL);
#endif
    sennit_rt_signal(SIGPIPE, SIG_IGN);
    sennit_rt_pipe(own->pipe);
    make_children();
    models_run();
    if (own_index() == 0)
        wait_for_all();
    see(own->handled);
    sennit_rt_exit(0);
}

int main(int argc, char **argv)
{
    const Models models = {operations, sizeof operations / sizeof *operations, run};
    models_number_by(own_index);
    return models_main(argc, argv, &models);
}
