/* settings.c - settings that are read when they are first needed ("double-checked locking")
 *
 * The pointer is published without synchronisation: a data race. Repaired, it is atomic.
 *
 * litmus: -> executions 2 bugs data-race
 * litmus: -DFIXED -> executions 4
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Settings {
    int width, height;
} Settings;

#ifdef FIXED
static _Atomic(Settings *) settings;
#else
static Settings *settings;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Settings *load(void)
{
    Settings *fresh = malloc(sizeof *fresh);
    fresh->width = 80;
    fresh->height = 25;
    return fresh;
}

static Settings *get(void)
{
    if (!settings) {
        pthread_mutex_lock(&lock);
        if (!settings)
            settings = load();
        pthread_mutex_unlock(&lock);
    }
    return settings;
}

static void *user(void *unused)
{
    assert(get()->width == 80);
    return unused;
}

int main(void)
{
    pthread_t users[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&users[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(users[i], NULL);
    free(settings);
    return 0;
}
