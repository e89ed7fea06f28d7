// bug: data-race
// fixed: exhaustive
// The object is shown to others before it is filled, and the other thread must come just then.
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    int port;
} Config;

static Config config;
static Config *_Atomic instance;
static atomic_flag started = ATOMIC_FLAG_INIT;

static void *user(void *arg)
{
    if (!atomic_flag_test_and_set(&started)) {
#ifdef FIXED
        config.port = 80;
        atomic_store(&instance, &config);
#else
        atomic_store(&instance, &config);
        config.port = 80; // BUG
#endif
        return NULL;
    }
    Config *it = atomic_load(&instance);
    return it && it->port > 80 ? arg : NULL; // BUG
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
