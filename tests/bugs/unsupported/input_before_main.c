// not modelled: an input before main
// Constructors run once per process, not once per execution.
#include <sennit/sennit.h>

static int value;

__attribute__((constructor)) static void before_main(void)
{
    value = sennit_int("value"); // HERE
}

int main(void)
{
    sennit_assert(value != 77);
    return 0;
}
