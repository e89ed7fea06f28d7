/* frame.c - see frame.h */
#include "rt/kernel/frame.h"

enum { WIPED = 4096 };

/* In a frame of its own, which is all that is cleared. */
__attribute__((noinline)) void frame_wipe_below(void)
{
    unsigned char below[WIPED];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}
