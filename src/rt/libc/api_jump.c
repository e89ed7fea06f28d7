/* api_jump.c - <setjmp.h>: jumps leave functions without their return */
#include <setjmp.h>

#include "rt/libc/api_libc.h"
#include "rt/memory/redzone.h"

void sennit_rt_longjmp(jmp_buf place, int value)
{
    redzone_forget();
    longjmp(place, value);
}

void sennit_rt_siglongjmp(sigjmp_buf place, int value)
{
    redzone_forget();
    siglongjmp(place, value);
}

void sennit_rt__longjmp(jmp_buf place, int value) { sennit_rt_longjmp(place, value); }
void sennit_rt___longjmp_chk(jmp_buf place, int value) { sennit_rt_longjmp(place, value); }
