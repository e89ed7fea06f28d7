/* outside.c - reads its arguments, standard input and a file; asks for no input itself */
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] == '-') {
        if (argv[1][1] == 'v')
            puts("version");
        else
            puts("other");
    }
    int c = getchar();
    if (c == 'x')
        puts("x");
    char line[8];
    FILE *f = fopen("config.txt", "r");
    if (f && fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            puts("comment");
        fclose(f);
    }
    if (c == 'y' && argc > 2)
        return 1;
    return 0;
}
