/* shapes.c - parameters of all kinds, for `sennit generate` */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    short a;
    char name[4];
    const int fixed;
    struct {
        unsigned bit : 3;
        bool flag;
    } inner;
    int8_t numbers[2];
    double x;
} Shape;

typedef const Shape *ShapeRef;
typedef enum { SMALL = -1, LARGE = 7 } Size;

/* One path each: nothing depends on the inputs. */
int none(void) { return 0; }
int scalars(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul,
            long long ll, bool b, float f, double d, size_t n, uint64_t w)
{
    return c + sc + uc + s + us + i + (int)u + (int)l + (int)ul + (int)ll + b + (int)(f + (float)d) + (int)n + (int)w > 0;
}
int shapes(Shape value, ShapeRef ref, const Shape array[], Shape *const fixed, char **names, const volatile int *device)
{
    return value.a + ref->fixed + array[0].inner.bit + fixed->numbers[1] + names[0][0] + *device > 0;
}
/* The function may keep or free what it gets. */
void takes(Shape *shape)
{
    extern void free(void *);
    free(shape);
}

/* Both enumerators, and no other value. */
int sizes(Size size)
{
    if (size == SMALL)
        return 1;
    if (size == LARGE)
        return 2;
    return *(volatile int *)0;
}

/* NULL, and two nodes below it. */
typedef struct Tree {
    struct Tree *left;
} Tree;
int depth(const Tree *tree)
{
    int n = 0;
    for (; tree; tree = tree->left)
        n++;
    return n;
}

/* Arrays in arrays, also behind a pointer; structures in structures; what is not said: the bytes of a union. */
typedef struct Board {
    int8_t cells[2][3];
    struct {
        short pairs[2][2];
        enum { LIGHT, DARK } side;
    } score;
    float weights[2][1];
} Board;
int board(Board *b, int rows[][2])
{
    if (b->cells[1][2] == 7 && b->score.pairs[1][0] == 8 && rows[0][1] == 9)
        b->score.side = DARK;
    return b->score.side;
}
union Both {
    int i;
    float f;
};
int both(union Both *u) { return u->i > 5 ? u->i : 0; }
/* A structure with an array at its end. */
typedef struct Text {
    unsigned length;
    short codes[];
} Text;
int text(const Text *t) { if (t->codes[1] == 3) return 1; return 0; }
/* Bytes of a length, and an array of one. */
int lengths(const void *data, size_t size, const int *values, int count)
{
    int sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const char *)data)[i];
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}
/* `n` is not the length of the text. */
int nth(const char *text, int n) { if (n < 0) return -1; return text[0]; }

/* No inputs of these types. */
int callback(int (*f)(int)) { return f(1); }
typedef int (*Handler)(int);
typedef struct {
    int count;
    Handler handler;
} Table;
int table(const Table *t) { return t->count; }
union Either {
    int i;
    char *name;
};
int either(union Either *u) { return u->i; }
int unknown(void *p) { return p != NULL; }
int large(int (*values)[100]) { return values[0][0]; }
int many(const char *format, ...) { return *format; }
struct Hidden;
int hidden(struct Hidden *h) { return h != NULL; }
int wide(__int128 x) { return x > 0; }
int longer(long double x) { return x > 0; }
