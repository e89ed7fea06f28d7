// bug: use-after-free
// fixed: exhaustive
// options: --check=scope
// Nobody but this function has the address, yet the variable is gone.
int main(void)
{
    int *p;
    {
#ifdef FIXED
        static
#endif
        int x; // BUG
        x = 1;
        p = &x;
    } // BUG
    return *p != 1; // BUG
}
