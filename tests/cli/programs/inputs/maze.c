/* maze.c - seven steps through a maze; prints the way; the way out is a bug */
#include <sennit/sennit.h>
#include <stdio.h>

static const char *const maze[] = {"+-+---+", "| |   |", "| | | |", "|   | #", "+---+-+"};

int main(void)
{
    char way[7];
    int x = 1, y = 1;
    sennit_bytes(way, sizeof way, "way");
    for (unsigned i = 0; i < sizeof way; i++) {
        int nx = x, ny = y;
        switch (way[i]) {
        case 'w': ny--; break;
        case 's': ny++; break;
        case 'a': nx--; break;
        case 'd': nx++; break;
        default: putchar('?'); putchar('\n'); return 0;
        }
        putchar(way[i]);
        if (maze[ny][nx] == '#')
            sennit_assert(!"out");
        if (maze[ny][nx] != ' ') {
            putchar('\n');
            return 0;
        }
        x = nx;
        y = ny;
    }
    putchar('\n');
    return 0;
}
