/* early_sysinfo.c - a constructor may ask what memory the machine has
 *
 * litmus: -> executions 1
 *
 * Allocators do, before anything else (mimalloc). In executions the answer is the same in all of them.
 */
#include <assert.h>
#include <sys/sysinfo.h>

static struct sysinfo early;

__attribute__((constructor)) static void ask(void)
{
    assert(sysinfo(&early) == 0);
}

int main(void)
{
    struct sysinfo now;
    assert(sysinfo(&now) == 0 && now.totalram == early.totalram);
}
