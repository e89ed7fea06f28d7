/* percent.c - a calculation that is wrong for few inputs; -DFIXED computes in 64 bits */
#include <assert.h>
#include <sennit/sennit.h>

#ifdef FIXED
typedef long long Number;
#else
typedef int Number;
#endif

static int percent_of(int value, int whole)
{
    Number percent = (Number)value * 100 / whole;
    return percent > 100 ? 100 : (int)percent;
}

int main(void)
{
    int value = sennit_int("value"), whole = sennit_int("whole");
    sennit_assume(value >= 0 && whole > 0);
    int percent = percent_of(value, whole);
    assert(percent >= 0 && percent <= 100);
}
