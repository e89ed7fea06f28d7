/* dialects.c - inputs of all types in three dialects; points of interest */
#include <klee/klee.h>
#include <sennit/sennit.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

/* Programs often define it themselves. */
void reach_error(void) { klee_abort(); }

int main(void)
{
    if (sennit_bool("b"))
        sennit_reach("b holds");
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c > 200)
        sennit_reach("big");
    if (c > 255)
        sennit_reach("huge");
    long l = sennit_long("l");
    klee_assume(l > 5);
    if (l < 3)
        sennit_reach("small");
    switch (klee_range(3, 6, "r")) {
    case 3: sennit_reach("three"); break;
    case 4: break;
    case 5: break;
    default: reach_error();
    }
    if (__VERIFIER_nondet_bool())
        return 0;
    short s = sennit_short("s");
    if (s < 0 && sennit_short("s") == 7)
        sennit_reach("short");
    unsigned long u = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(u > 0xffffffffffff0000);
    if (u == 0)
        klee_report_error(__FILE__, __LINE__, "cannot be", "err");
    return 0;
}
