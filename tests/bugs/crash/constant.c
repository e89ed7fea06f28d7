// bug: crash
// fixed: exhaustive
// Nothing that is a constant is written, even if an optimiser would remove the store.
int main(void)
{
#ifdef FIXED
    char text[] = "abc";
#else
    char *text = "abc";
#endif
    text[0] = 'x'; // BUG
    return 0;
}
