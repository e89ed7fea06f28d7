// bug: use-after-free
// fixed: exhaustive
// options: --check=scope
// Each round of the loop has its own array.
static int size = 3;

int main(void)
{
    int *first = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int array[size]; // BUG
        array[0] = 1;
#ifdef FIXED
        first = array;
#else
        if (i == 0)
            first = array;
#endif
        sum += *first; // BUG
    } // BUG
    return sum != 2;
}
