// bug: use-after-return
// fixed: exhaustive
// The function that called setjmp has returned when the jump leads there; a copy of the place is as good as the place.
#include <setjmp.h>
#include <string.h>

static jmp_buf place, copy;
static int count;

__attribute__((noinline)) static int set(void)
{
    volatile char room[256];
    room[0] = 0;
    return setjmp(place) + room[0];
}

__attribute__((noinline)) static void jump(void) { longjmp(copy, 1); }

int main(void)
{
#ifdef FIXED
    if (setjmp(place))
        return 0;
    memcpy(copy, place, sizeof place);
    if (count++ == 0)
        jump();
#else
    if (set())
        return 0;
    memcpy(copy, place, sizeof place);
    if (count++ == 0)
        longjmp(copy, 1); // BUG
#endif
    return 0;
}
