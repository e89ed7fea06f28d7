// bug: bounds
// fixed: exhaustive
// options: --check=scope
#include <string.h>

static int size = 5;

int main(void)
{
    char text[size]; // (BUG)
#ifdef FIXED
    strncpy(text, "hello", 5);
#else
    strcpy(text, "hello"); // BUG
#endif
    return text[0] != 'h';
}
