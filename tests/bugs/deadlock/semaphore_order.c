// bug: deadlock
// fixed: exhaustive
// Both threads must take their first semaphore before either one takes its second.
#include <pthread.h>
#include <semaphore.h>

static sem_t printer, scanner;

static void *print_first(void *arg)
{
    sem_wait(&printer);
    sem_wait(&scanner); // BUG
    sem_post(&scanner);
    sem_post(&printer);
    return NULL;
}

static void *scan_first(void *arg)
{
#ifdef FIXED
    sem_wait(&printer);
    sem_wait(&scanner);
#else
    sem_wait(&scanner);
    sem_wait(&printer); // BUG
#endif
    sem_post(&printer);
    sem_post(&scanner);
    return NULL;
}

int main(void)
{
    pthread_t p, s;
    sem_init(&printer, 0, 1);
    sem_init(&scanner, 0, 1);
    pthread_create(&p, NULL, print_first, NULL);
    pthread_create(&s, NULL, scan_first, NULL);
    pthread_join(p, NULL); // (BUG)
    pthread_join(s, NULL); // (BUG)
    return 0;
}
