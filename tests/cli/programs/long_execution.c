// One execution of some minutes, with steps all the time.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    volatile int x[1000] = {0};
    for (long i = 0; i < 20000000000; i++) {
        x[i % 1000]++;
        if (i % 1000000 == 0) {
            pthread_mutex_lock(&lock);
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}
