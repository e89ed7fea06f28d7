// bug: bounds
// fixed: exhaustive
// The index leads past the gap behind an array that others know, to another variable.
static int *known[2];

static void tell(int *small, int *large)
{
    known[0] = small;
    known[1] = large;
}

int main(void)
{
    int small[4] = {0}, large[400] = {0};
    tell(small, large);
#ifdef FIXED
    small[3] = *known[1];
#else
    volatile int far = 100;
    small[far] = *known[1]; // BUG
    small[-far] = 1;
#endif
    return small[3];
}
