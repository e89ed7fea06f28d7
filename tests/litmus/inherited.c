/* inherited.c - what a thread has from its creator, and what a deleted key is
 *
 * litmus: -lm -> executions 1
 */
#include "litmus.h"

#include <fenv.h>
#include <string.h>

static pthread_key_t key;

static void *check(void *unused)
{
    char name[16];
    assert(fegetround() == FE_UPWARD);
    fesetround(FE_DOWNWARD);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "creator") == 0);
    assert(pthread_setspecific(key, unused) == EINVAL && !pthread_getspecific(key));
    return unused;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &key);
    pthread_key_delete(key);
    assert(!pthread_getspecific(key));
    pthread_setname_np(pthread_self(), "creator");
    fesetround(FE_UPWARD);
    start(check, 0);
    fesetround(FE_TOWARDZERO);
    join_all();
    assert(fegetround() == FE_TOWARDZERO);
    return 0;
}
