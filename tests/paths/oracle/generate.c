/* generate.c - small C programs with threads and inputs, many in one file
 *
 *     generate FIRST COUNT [waits|shapes] > batch.c
 *
 * The batch runs program NUMBER of its arguments, which the seed FIRST + NUMBER determines:
 * two or three threads with atomics, a mutex, branches on inputs and on what they read. Inputs
 * are 0, 1 or 2: by sennit_int and an assumption, or with -DCHOOSE by sennit_choose, which
 * needs no expressions at all. What an execution was is told by goals. With a second argument
 * main looks at all inputs in the end, or with a third one at the beginning: then executions with different inputs take different
 * paths, and there are as many classes as with -DCHOOSE. With `waits` threads also wait for
 * what others store: then some never end, and a thread that waits looks at values that depend
 * on inputs, which are more classes. With `shapes` threads do other things: condition variables, places
 * and functions that inputs choose, bytes of one word, structures, inputs and assumptions of their own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static int waits, shapes;

static unsigned pick(unsigned options)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % options;
}

/* ---- Programs ------------------------------------------------------------------------- */

enum { SHARED = 2, INPUTS = 2 };

/* A value: a constant, an input, what was read. */
static void print_value(void)
{
    switch (pick(6)) {
    case 0: case 1: printf("%u", pick(3)); break;
    case 2: case 3: printf("in[%u]", pick(INPUTS)); break;
    case 4: printf("in[%u] + %u", pick(INPUTS), 1 + pick(2)); break;
    default: printf("t"); break;
    }
}

static void print_condition(void)
{
    static const char *const relations[] = {"==", "!=", "<", ">"};
    printf("%s %s ", pick(2) ? "t" : "in[1]", relations[pick(4)]);
    print_value();
}

/* Loops that do nothing but look: at a value that is stored, until an exchange of all kinds
 * succeeds, at two values. */
static void print_wait(unsigned program, unsigned shared)
{
    static const char *const relations[] = {"==", "!=", "<=", ">"};
    unsigned kind = pick(5);
    if (kind < 2) {
        printf("{ int e = ");
        print_value();
        printf("; while (atomic_load(&s%u[%u]) %s e) {} }\n", program, shared, relations[pick(4)]);
    } else if (kind == 2) {
        unsigned value = pick(3);
        printf("while (atomic_exchange(&s%u[%u], %u) == %u) {}\n", program, shared, value, value);
    } else if (kind == 3) {
        printf("{ int e = ");
        print_value();
        printf(", d = ");
        print_value();
        printf(", f = e; while (!atomic_compare_exchange_strong(&s%u[%u], &f, d)) f = e; }\n", program, shared);
    } else {
        printf("{ int e = ");
        print_value();
        printf("; while (atomic_load(&s%u[0]) + atomic_load(&s%u[1]) %s e) {} }\n", program, program, relations[pick(4)]);
    }
}

/* print_value and text around it. */
static void print_with_value(const char *before, const char *after)
{
    printf("%s", before);
    print_value();
    printf("%s", after);
}

/* All in one line, so that a bug of one place is one bug. */
static void print_shape(void)
{
    static const char *const changes[] = {"add", "sub", "or", "and", "xor"};
    unsigned at = pick(3), change = pick(5);
    switch (pick(13)) {
    case 0: printf("t = (int)(signed char)atomic_fetch_%s(&small[%u], (signed char)(", changes[change], at); break;
    case 1: printf("atomic_store(&small[in[%u]], (signed char)(", at % INPUTS); break;
    case 2: print_with_value("t = atomic_load(&small[(unsigned)(", ") % 3]);\n"); return;
    case 3: print_with_value("pthread_mutex_lock(&lock); record = (struct Record){.a = record.b, .b = (short)(",
                             "), .c = (unsigned)t & 7}; { struct Record copy = record; t = copy.a + copy.c; } pthread_mutex_unlock(&lock);\n"); return;
    case 4: print_with_value("pthread_mutex_lock(&lock); table[in[0]] += ", "; t = table[(in[1] + 1) % 3]; pthread_mutex_unlock(&lock);\n"); return;
    case 5: printf("t = input(\"c\"); if (looks) look_at(t);\n"); return;
    case 6: printf("t = (int)sennit_choose(2);\n"); return;
    case 7: print_with_value("sennit_assume(t != ", ");\n"); return;
    case 8: print_with_value("pthread_mutex_lock(&lock); while (level < ", ") pthread_cond_wait(&changed, &lock); t = level; pthread_mutex_unlock(&lock);\n"); return;
    case 9: print_with_value("pthread_mutex_lock(&lock); level += ", pick(2) ? "; pthread_cond_signal(&changed); pthread_mutex_unlock(&lock);\n"
                                                                             : "; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&lock);\n"); return;
    case 10: print_with_value("if (pthread_mutex_trylock(&lock) == 0) { level ^= ", "; t = level; pthread_mutex_unlock(&lock); }\n"); return;
    case 11: print_with_value("mine += ", "; t = mine;\n"); return;
    default: printf("t = functions[in[%u]](t);\n", at % INPUTS); return;
    }
    print_value();
    printf("));\n");
}

static void print_operation(unsigned program)
{
    unsigned shared = pick(SHARED);
    printf("    ");
    if (shapes && pick(3)) {
        print_shape();
        return;
    }
    if (waits && pick(4) == 0) {
        print_wait(program, shared);
        return;
    }
    switch (pick(13)) {
    case 0: case 1: printf("t = atomic_load(&s%u[%u]);\n", program, shared); return;
    case 2: case 3: printf("atomic_store(&s%u[%u], ", program, shared); break;
    case 4: printf("t = atomic_fetch_add(&s%u[%u], ", program, shared); break;
    case 5: printf("atomic_fetch_add(&s%u[%u], ", program, shared); break;
    case 6: printf("t = atomic_exchange(&s%u[%u], ", program, shared); break;
    case 11: printf("atomic_fetch_and(&s%u[%u], ", program, shared); break;
    case 12: printf("atomic_fetch_or(&s%u[%u], ", program, shared); break;
    case 7:
        printf("{ int e = ");
        print_value();
        printf("; t = atomic_compare_exchange_strong(&s%u[%u], &e, ", program, shared);
        print_value();
        printf(") ? 1 : e; }\n");
        return;
    case 8:
        printf("{ __VERIFIER_atomic_begin(); if (section != ");
        print_value();
        printf(") section += ");
        print_value();
        printf("; t = section; __VERIFIER_atomic_end(); }\n");
        return;
    default:
        printf("{ pthread_mutex_lock(&lock); plain += ");
        print_value();
        printf("; t = plain; pthread_mutex_unlock(&lock); }\n");
        return;
    }
    print_value();
    printf(");\n");
}

static void print_thread(unsigned program, unsigned thread, unsigned operations)
{
    printf("static void *p%u_%u(void *argument)\n{\n    int t = 0;\n    (void)t;\n", program, thread);
    for (unsigned i = 0; i < operations; i++) {
        if (pick(3) == 0) {
            printf("    if (");
            print_condition();
            printf(")\n        did[%u] = 1;\n", thread);
        } else if (pick(4) == 0) {
            printf("    if (");
            print_condition();
            printf(")\n    ");
            print_operation(program);
        }
        print_operation(program);
    }
    printf("    return argument;\n}\n\n");
}

static void print_program(unsigned program, uint64_t seed)
{
    state = seed * 0x9e3779b97f4a7c15ull + 1;
    pick(2);
    unsigned threads = 2 + (pick(4) == 0);
    printf("static atomic_int s%u[%u];\n\n", program, SHARED);
    for (unsigned i = 0; i < threads; i++)
        print_thread(program, i, shapes ? (threads == 2 ? 2 : 1) : threads == 2 ? 2 + pick(2) : 1 + pick(2));
    printf("static void p%u(void)\n{\n    pthread_t threads[3];\n", program);
    for (unsigned i = 0; i < threads; i++)
        printf("    pthread_create(&threads[%u], NULL, p%u_%u, NULL);\n", i, program, i);
    for (unsigned i = 0; i < threads; i++)
        printf("    pthread_join(threads[%u], NULL);\n", i);
    for (unsigned i = 0; i < SHARED; i++)
        printf("    ended[%u] = s%u[%u] > 1;\n", i, program, i);
    printf("}\n\n");
}

/* ---- The batch -------------------------------------------------------------------------- */

static const char head[] =
    "#include <pthread.h>\n#include <sennit/sennit.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\n"
    "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\n"
    "static int in[2], did[3], ended[2], plain, section, looks, level, table[3];\n"
    "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;\n"
    "static atomic_schar small[4];\n"
    "static struct Record { int a; short b; unsigned c : 3; } record;\n"
    "static _Thread_local int mine;\n"
    "static int same(int x) { return x; }\nstatic int more(int x) { return x + 1; }\nstatic int less(int x) { return x > 0 ? x - 1 : x; }\n"
    "static int (*const functions[])(int) = {same, more, less};\n\n"
    "static int input(const char *name)\n{\n"
    "#ifdef CHOOSE\n    (void)name;\n    return (int)sennit_choose(3);\n"
    "#else\n    int x = sennit_int(name);\n    sennit_assume((x >= 0) & (x < 3));\n    return x;\n#endif\n}\n\n"
    "static void look_at(int x)\n{\n    for (int value = 0; value < 2 && x != value; value++)\n        continue;\n}\n\n";

static void print_goals(void)
{
    printf("static void tell(void)\n{\n    int code = 0;\n"
           "    for (int i = 0; i < 3; i++)\n        code = 2 * code + did[i];\n"
           "    for (int i = 0; i < 2; i++)\n        code = 2 * code + (ended[i] ? 1 : 0);\n"
           "    code = 2 * code + (plain + section + level + table[1] + record.a + small[1] > 2 ? 1 : 0);\n    switch (code) {\n");
    for (int i = 0; i < 64; i++)
        printf("    case %d: sennit_reach(\"%d\"); break;\n", i, i);
    printf("    }\n}\n\n");
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
    waits = argc > 3 && strcmp(argv[3], "waits") == 0;
    shapes = argc > 3 && strcmp(argv[3], "shapes") == 0;
    fputs(head, stdout);
    print_goals();
    for (unsigned i = 0; i < count; i++)
        print_program(i, first + i);
    static const char look[] = "    if (argc > 2) {\n        look_at(in[0]);\n        look_at(in[1]);\n    }\n";
    printf("int main(int argc, char **argv)\n{\n    looks = argc > 2;\n    in[0] = input(\"a\");\n    in[1] = input(\"b\");\n%s    switch (atoi(argv[1])) {\n",
           waits || shapes ? look : "");
    for (unsigned i = 0; i < count; i++)
        printf("    case %u: p%u(); break;\n", i, i);
    printf("    }\n%s    tell();\n    return 0;\n}\n", waits || shapes ? "" : look);
    return 0;
}
