/* api_posix_sem.c - POSIX semaphores */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "rt/detect/bug.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api.h"
#include "rt/sync/plain.h"
#include "rt/sync/sem.h"

/* 0, or -1 with errno. */
static int answer(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

int sennit_rt_sem_init(sem_t *sem, int shared, unsigned value)
{
    API_OUTSIDE(sem_init(sem, shared, value));
    return answer(semaphore_init(sem, value));
}

int sennit_rt_sem_destroy(sem_t *sem)
{
    API_OUTSIDE(sem_destroy(sem));
    return answer(semaphore_destroy(semaphore_of(sem)));
}

int sennit_rt_sem_wait(sem_t *sem)
{
    API_OUTSIDE(sem_wait(sem));
    return answer(semaphore_wait(semaphore_of(sem)));
}

int sennit_rt_sem_trywait(sem_t *sem)
{
    API_OUTSIDE(sem_trywait(sem));
    return answer(semaphore_try(semaphore_of(sem)));
}

int sennit_rt_sem_timedwait(sem_t *sem, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(sem_timedwait(sem, deadline));
    return answer(semaphore_wait_timed(semaphore_of(sem), deadline));
}

int sennit_rt_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(sem_clockwait(sem, clock, deadline));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return answer(EINVAL);
    return answer(semaphore_wait_timed(semaphore_of(sem), deadline));
}

int sennit_rt_sem_post(sem_t *sem)
{
    API_OUTSIDE(sem_post(sem));
    return answer(semaphore_post(semaphore_of(sem)));
}

int sennit_rt_sem_getvalue(sem_t *sem, int *value)
{
    API_OUTSIDE(sem_getvalue(sem, value));
    return answer(semaphore_get(semaphore_of(sem), value));
}

sem_t *sennit_rt_sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    int error = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        (void)va_arg(arguments, unsigned); /* the mode: permissions are not modelled */
        value = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    if (!thread_inside())
        report_not_modelled("sem_open before main");
    sem_t *sem = semaphore_open(name, flags, value, &error);
    if (!sem)
        errno = error;
    return sem ? sem : SEM_FAILED;
}

int sennit_rt_sem_close(sem_t *sem)
{
    API_OUTSIDE(sem_close(sem));
    return answer(0);
}

int sennit_rt_sem_unlink(const char *name)
{
    API_OUTSIDE(sem_unlink(name));
    return answer(semaphore_unlink(name));
}
