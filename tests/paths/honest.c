/* honest.c - what is not tracked is reported: no verdict is exhaustive while a failing input is unknown
 *
 * litmus: -DWIDE -> executions 1 verdict exhaustive-but-for
 * litmus: -DFILE_CHARACTER -> executions 1 verdict exhaustive-but-for
 * litmus: -DFILE_FORMAT -> executions 1 verdict exhaustive-but-for
 * litmus: -DFILE_MEMORY -> executions 1 verdict exhaustive-but-for
 * litmus: -DCHARACTER -> executions 2 bugs assertion
 * litmus: -DAMOUNT -> executions 9 bugs assertion
 * litmus: -DBITS -> executions 3 bugs assertion
 *
 * Numbers beyond 128 bits, and what is written to files and read again. What is printed makes no difference, but how much
 * is known exactly. BITS: bits beside a bit-field that nobody ever set are part of no path.
 */
#include <sennit/sennit.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int i = sennit_int("i");
#if defined WIDE
    _BitInt(200) wide = i;
    wide <<= 100;
    sennit_assert(wide >> 100 != 77);
#elif defined FILE_CHARACTER || defined FILE_FORMAT || defined FILE_MEMORY
    char bytes[2] = {(char)i, 0};
    FILE *file = tmpfile();
#ifdef FILE_CHARACTER
    fputc(i, file);
#elif defined FILE_FORMAT
    fprintf(file, "%c", i);
#else
    fputs(bytes, file);
#endif
    rewind(file);
    sennit_assert(fgetc(file) != 77);
    fclose(file);
#elif defined CHARACTER
    sennit_assert(putchar(i) != 77);
#elif defined AMOUNT
    sennit_assume((i >= 0) & (i <= 8));
    sennit_assert(write(1, "12345678", (size_t)i) != 5);
#elif defined BITS
    struct {
        int a : 3;
        unsigned b : 5;
        _Bool c : 1;
    } s;
    s.a = i;
    s.b = (unsigned)i & 31;
    s.c = i;
    sennit_assert(!(s.a == -2 && s.b == 14 && s.c));
#endif
    return 0;
}
