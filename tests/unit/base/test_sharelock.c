/* A lock between processes: nobody is inside twice, and a holder's death is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sharelock.h"

typedef struct Shared {
    Sharelock lock;
    volatile uint32_t count;
} Shared;

static Shared *shared;

static int set_up(void **state)
{
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED;
}

static int tear_down(void **state)
{
    (void)state;
    return munmap(shared, sizeof *shared);
}

static void no_count_is_lost(void **state)
{
    (void)state;
    enum { PROCESSES = 3, ROUNDS = 3000 };
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() != 0)
            continue;
        for (int k = 0; k < ROUNDS; k++) {
            sharelock_acquire(&shared->lock);
            shared->count = shared->count + 1;
            sharelock_release(&shared->lock);
        }
        _exit(0);
    }
    while (wait(NULL) > 0)
        ;
    assert_int_equal(shared->count, PROCESSES * ROUNDS);
}

static void a_dead_holder_is_told(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        sharelock_acquire(&shared->lock);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    assert_false(sharelock_acquire(&shared->lock));
    sharelock_release(&shared->lock);
    assert_true(sharelock_acquire(&shared->lock));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_count_is_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_dead_holder_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
