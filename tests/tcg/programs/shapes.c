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
int shapes(Shape value, ShapeRef ref, const Shape array[], Shape *const fixed, char **names, void *bytes, const volatile int *device)
{
    return value.a + ref->fixed + array[0].inner.bit + fixed->numbers[1] + names[0][0] + *(char *)bytes + *device > 0;
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

/* No inputs of these types. */
int callback(int (*f)(int)) { return f(1); }
typedef int (*Handler)(int);
typedef struct {
    int count;
    Handler handler;
} Table;
int table(const Table *t) { return t->count; }
union Both {
    int i;
    float f;
};
int both(union Both *u) { return u->i; }
int many(const char *format, ...) { return *format; }
struct Hidden;
int hidden(struct Hidden *h) { return h != NULL; }
int wide(__int128 x) { return x > 0; }
int longer(long double x) { return x > 0; }
