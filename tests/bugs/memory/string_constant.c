// bug: bounds
// fixed: exhaustive
// A string constant is as long as it is, also for a function that is given its address.
static char at(const char *text, int place)
{
    return text[place]; // BUG
}

int main(int argc, char **argv)
{
#ifdef FIXED
    int last = 3;
#else
    int last = 4;
#endif
    return at("abc", last + argc - 1) == 'd';
}
