// bug: bounds
// fixed: exhaustive
// The byte behind a private array is written: its place is known when the program is compiled.
#include <string.h>

int main(void)
{
    char name[4];
    memset(name, 'x', sizeof name);
#ifdef FIXED
    name[sizeof name - 1] = 0;
#else
    name[sizeof name] = 0;
#endif
    return name[0] == 'x' ? 0 : 1;
}
