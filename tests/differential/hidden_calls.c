/* hidden_calls.c - threads that call functions with state outside the program, for hidden.py
 *
 * Each argument is a thread: a letter per call. Explored by Sennit, the program records the results of all calls of
 * an execution; with -DNATIVE, which reads orders of the threads from standard input, those of each order, in a process
 * of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, CALLS = 8, NUMBERS = 16 };

void record(const char *outcome);

static char results[THREADS][CALLS + 1], texts[THREADS][8];
static const char *calls[THREADS];
static long numbers[NUMBERS];
static double fractions[NUMBERS];
static FILE *in, *out, *memory;
static char *memory_text;
static size_t memory_size;
static int file, copy, other, named, flushed;

/* ---- Calls ------------------------------------------------------------------------------ */

static char index_of(long number)
{
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i] == number)
            return (char)('A' + i);
    return '?';
}

static char index_of_fraction(double number)
{
    for (int i = 0; i < NUMBERS; i++)
        if (fractions[i] == number)
            return (char)('A' + i);
    return '?';
}

static char shown(const char *text) { return text ? *text : '-'; }
static char digit(long number) { return number < 0 ? '-' : (char)('0' + number % 10); }
static char letter_of(int self) { return (char)('a' + self); }

static char read_from(int descriptor)
{
    char c;
    return read(descriptor, &c, 1) == 1 ? c : '.';
}

static char write_to(int descriptor, int self)
{
    char c = letter_of(self);
    return digit(write(descriptor, &c, 1));
}

static char size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? digit(status.st_size) : '-';
}

static char call(int self, char what)
{
    char value[] = {(char)('1' + self), 0}, c = letter_of(self);
    struct stat status;
    ENTRY *found;
    switch (what) {
    case 'a': return index_of(rand());
    case 'b': srand(1); return ' ';
    case 'N': return index_of_fraction(drand48());
    case 'O': srand48(1); return ' ';
    case 'c': return shown(strtok(strcpy(texts[self], self ? "x y z" : "p q r"), " "));
    case 'd': return shown(strtok(NULL, " "));
    case 'e': return digit(setenv("HIDDEN", value, 1));
    case 'f': return shown(getenv("HIDDEN"));
    case 'g': return digit(unsetenv("HIDDEN"));
    case 'h': return (char)fputc(c, out);
    case 'i': return digit(ftell(out));
    case 'j': return digit(fseek(out, 0, SEEK_SET));
    case 'P': return digit(fflush(out));
    case 'Q': return read_from(flushed);
    case 'k': return (char)fgetc(in);
    case 'l': return digit(feof(in) != 0);
    case 'm': return (char)ungetc('z', in);
    case 'n': return write_to(file, self);
    case 'o': return digit(lseek(file, 0, SEEK_CUR));
    case 'p': return digit(lseek(file, 0, SEEK_SET));
    case 'q': return read_from(file);
    case 'r': return digit(pwrite(file, &c, 1, 1));
    case 'H': return write_to(copy, self);
    case 'I': return read_from(other);
    case 'J': return digit(ftruncate(file, 1));
    case 'K': return fstat(file, &status) == 0 ? digit(status.st_size) : '-';
    case 's': return open("x", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0 ? '-' : '+';
    case 't': return digit(unlink("x"));
    case 'u': return digit(access("x", F_OK));
    case 'v': return digit(rename("x", "y"));
    case 'w': return digit(access("y", F_OK));
    case 'x': return open("y", O_CREAT | O_TRUNC | O_WRONLY, 0600) < 0 ? '-' : '+';
    case 'y': return size_of("y");
    case 'z': return write_to(named, self);
    case 'L': return digit(remove("y"));
    case 'A': return digit(mkdir("d", 0700));
    case 'B': return digit(rmdir("d"));
    case 'C': return open("d/f", O_CREAT | O_WRONLY, 0600) < 0 ? '-' : '+';
    case 'D': return digit(unlink("d/f"));
    case 'E': return digit(umask((mode_t)self + 1));
    case 'F':
        found = hsearch((ENTRY){.key = (char *)"k", .data = (char *)&numbers[self + 1]}, ENTER);
        return digit((long *)found->data - numbers);
    case 'G':
        found = hsearch((ENTRY){.key = (char *)"k", .data = NULL}, FIND);
        return found ? digit((long *)found->data - numbers) : '-';
    default: return (char)fputc(c, memory);
    }
}

/* ---- Before and after ------------------------------------------------------------------------ */

static void set_up(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = rand();
        fractions[i] = drand48();
    }
    srand(1);
    srand48(1);
    unsetenv("HIDDEN");
    umask(0);
    hcreate(8);
    file = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    write(file, "123", 3);
    lseek(file, 0, SEEK_SET);
    copy = dup(file);
    other = open("file", O_RDONLY);
    in = fopen("file", "r");
    out = fopen("out", "w+");
    flushed = open("out", O_RDONLY);
    named = open("y", O_CREAT | O_RDWR | O_TRUNC, 0600);
    memory = open_memstream(&memory_text, &memory_size);
}

static void finish(void)
{
    char contents[8] = "", written[8] = "", outcome[200];
    if (pread(file, contents, sizeof contents - 1, 0) < 0 || fflush(out) || fclose(memory))
        abort();
    if (pread(flushed, written, sizeof written - 1, 0) < 0)
        abort();
    snprintf(outcome, sizeof outcome, "%s|%s|%s|%s|%s|%s|%c|%c\n", results[0], results[1], results[2], contents, written,
             memory_text, size_of("y"), shown(getenv("HIDDEN")));
    for (char *at = outcome; *at; at++)
        if (*at == (char)EOF)
            *at = '.';
    record(outcome);
}

/* ---- Explored ----------------------------------------------------------------------------------- */

#ifndef NATIVE
static void *run(void *number)
{
    int self = (int)(long)number;
    for (int i = 0; calls[self][i]; i++)
        results[self][i] = call(self, calls[self][i]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    set_up();
    for (int i = 1; i < argc; i++) {
        calls[i - 1] = argv[i];
        pthread_create(&threads[i - 1], NULL, run, (void *)(long)(i - 1));
    }
    for (int i = 1; i < argc; i++)
        pthread_join(threads[i - 1], NULL);
    finish();
    return 0;
}
#else
void record(const char *outcome) { write(1, outcome, strlen(outcome)); }

static void run(const char *order)
{
    int done[THREADS] = {0};
    unlink("x");
    unlink("y");
    unlink("d/f");
    rmdir("d");
    set_up();
    for (; *order >= '0'; order++) {
        int self = *order - '0';
        results[self][done[self]] = call(self, calls[self][done[self]]);
        done[self]++;
    }
    finish();
}

int main(int argc, char **argv)
{
    char order[64];
    for (int i = 1; i < argc; i++)
        calls[i - 1] = argv[i];
    while (fgets(order, sizeof order, stdin)) {
        pid_t child = fork();
        if (child == 0) {
            run(order);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    return 0;
}
#endif
