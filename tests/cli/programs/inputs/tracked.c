/* tracked.c - a library function with a tracked version: 34 paths of three bytes, here of one: 6, and the number is 7 */
#include <sennit/sennit.h>
#include <stdio.h>

static volatile int sink;

int main(void)
{
    char text[2] = "";
    int number = 0;
    sennit_bytes(text, 1, "text");
    sscanf(text, "%d", &number);
    if (number == 7)
        sink++;
    return 0;
}
