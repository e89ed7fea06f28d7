/* runtime_variable.c - a variable of the runtime, wherever the linker puts it, is none of the program's: no data race
 *
 * litmus: -> executions 1
 * litmus: -DOWN -> executions 1 bugs data-race
 */
#include <pthread.h>
#include <stddef.h>

#ifdef OWN
static unsigned char written;
#else
extern unsigned char sennit_rt_noise;
#define written sennit_rt_noise
#endif

static void *write_it(void *unused)
{
    written = 0;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_it, NULL);
    written = 0;
    return pthread_join(t, NULL);
}
