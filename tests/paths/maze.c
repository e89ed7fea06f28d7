/* maze.c - N steps through a maze; walls end the walk, so does the goal
 *
 * litmus: -DN=7 -> executions 173
 */
#include <sennit/sennit.h>

enum { WIDTH = 11, HEIGHT = 7 };
static const char maze[HEIGHT][WIDTH + 1] = {"+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |", "| +-- | | |", "|     |   |", "+-----+---+"};

int main(void)
{
    char program[N];
    int x = 1, y = 1;
    sennit_bytes(program, N, "walk");
    for (int i = 0; i < N; i++) {
        int before_x = x, before_y = y;
        switch (program[i]) {
        case 'w': y--; break;
        case 's': y++; break;
        case 'a': x--; break;
        case 'd': x++; break;
        default: return 0;
        }
        if (maze[y][x] == '#')
            sennit_assert(i >= 20);
        if (maze[y][x] != ' ')
            x = before_x, y = before_y;
        if (before_x == x && before_y == y)
            return 0;
    }
    return 0;
}
