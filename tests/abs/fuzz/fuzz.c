/* fuzz.c - checking models that were damaged at random: no crash, no hang
 *
 *     abs_fuzz FIRST COUNT SEED.abs...
 *
 * Each input is a seed model, or one that the oracle's generator makes, with a few bytes or
 * tokens deleted, repeated, swapped, replaced or taken from another one. What the checker
 * accepts is lowered and run for a few steps. Built with the sanitizers; an input that takes
 * too long, or kills the process, is left in abs_fuzz.input.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abs/program/program_abs.h"
#include "base/rng.h"
#include "core/explore.h"
#include "generate.h"

enum { MOST_SEEDS = 64, LONGEST = 1 << 16, SECONDS = 20 };

typedef struct Damaged {
    char bytes[LONGEST];
    size_t size;
} Damaged;

static Text seeds[MOST_SEEDS];
static uint32_t seed_count;
static Damaged input;
static Rng rng;

static uint32_t below(size_t bound) { return bound ? rng_below(&rng, (uint32_t)bound) : 0; }

/* ---- Keeping what went wrong ------------------------------------------------------------- */

static void keep_input(int signal_number)
{
    int file = open("abs_fuzz.input", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0 && write(file, input.bytes, input.size) >= 0)
        close(file);
    const char *text = signal_number == SIGALRM ? "abs_fuzz: an input takes too long; see abs_fuzz.input\n"
                                                : "abs_fuzz: an input kills the process; see abs_fuzz.input\n";
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(1);
    _exit(1);
}

/* ---- Mutations ------------------------------------------------------------------------------- */

static void replace(size_t at, size_t length, const char *bytes, size_t size)
{
    if (input.size - length + size > LONGEST)
        return;
    memmove(input.bytes + at + size, input.bytes + at + length, input.size - at - length);
    if (size)
        memmove(input.bytes + at, bytes, size);
    input.size = input.size - length + size;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A token at or after some place of a text; what it is does not matter much. */
static void find_token(const char *bytes, size_t size, size_t *at, size_t *length)
{
    size_t start = below(size), end;
    while (start > 0 && is_word(bytes[start - 1]) && is_word(bytes[start]))
        start--;
    while (start < size && (bytes[start] == ' ' || bytes[start] == '\n'))
        start++;
    for (end = start; end < size && is_word(bytes[end]); end++)
        ;
    *at = start;
    *length = end > start ? end - start : start < size;
}

static void mutate_bytes(void)
{
    char byte = (char)below(256);
    size_t at = below(input.size), length = 1 + below(8);
    length = at + length > input.size ? input.size - at : length;
    switch (below(5)) {
    case 0: replace(at, length, NULL, 0); break;
    case 1: replace(at, 0, &byte, 1); break;
    case 2: replace(at, length > 0, &byte, 1); break;
    case 3: replace(below(input.size), 0, input.bytes + at, length); break;
    default: input.size = at; break;
    }
}

static void mutate_tokens(void)
{
    static const char *const words[] = {"module", "class", "interface", "case", "=>", "await", "get", "?", "!", "(", ")", "{", "}", "[", "]",
                                        ";", "new", "local", "this", "null", "data", "def", "delta", "trait", "uses", "let", "in", "if", "else",
                                        "foreach", "try", "catch", "finally", "99999999999999999999999999", "0.1e9", "\"", "`", "$", "<", ">",
                                        "&", "&&", "||", "~", "-", "/", "%", "import", "export", "from", "*", "exception", "recover", "_"};
    const Text *other = &seeds[below(seed_count)];
    size_t at, length, from, size;
    char copy[256];
    find_token(input.bytes, input.size, &at, &length);
    switch (below(4)) {
    case 0: replace(at, length, NULL, 0); break;
    case 1: {
        const char *word = words[below(sizeof words / sizeof words[0])];
        replace(at, below(2) ? length : 0, word, strlen(word));
        break;
    }
    case 2:
        find_token(input.bytes, input.size, &from, &size);
        size = size < sizeof copy ? size : sizeof copy;
        memcpy(copy, input.bytes + from, size);
        replace(at, length, copy, size);
        break;
    default: /* a piece of another model */
        find_token(other->data, other->length, &from, &size);
        size = size + below(200);
        size = from + size > other->length ? other->length - from : size;
        replace(at, length, other->data + from, size);
        break;
    }
}

/* ---- Inputs --------------------------------------------------------------------------------- */

static void make_input(uint64_t number)
{
    Text generated = {0};
    const Text *base = &seeds[below(seed_count)];
    if (number % 4 == 3) {
        generate_model(number, &generated);
        base = &generated;
    }
    input.size = base->length < LONGEST ? base->length : LONGEST;
    memcpy(input.bytes, base->data, input.size);
    text_release(&generated);
    for (uint32_t count = 1 + below(4); count > 0; count--)
        below(2) ? mutate_bytes() : mutate_tokens();
}

static bool give_up(ExploreObserver *observer)
{
    (void)observer;
    return false;
}

/* Runs what the checker accepts a little: the interpreter must not trust it blindly. */
static void run_model(AbsProgram *program)
{
    ExploreObserver observer = {.tick = give_up};
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true, .max_executions = 3, .max_agent_steps = 20};
    Region *region = region_create((size_t)1 << 30);
    Explore *explore = explore_create(region, program_abs_program(program), &options);
    explore_run(explore, &observer, 0);
    explore_destroy(explore);
    region_destroy(region);
}

static bool try_input(void)
{
    AbsOptions options = {.dependence = DEPENDENCE_FIELDS, .max_loop = 50};
    Text diagnostics = {0};
    Error error = {0};
    AbsProgram *program = program_abs_create_text("fuzz.abs", input.bytes, input.size, &options, &diagnostics, &error);
    if (program && below(8) == 0)
        run_model(program);
    program_abs_destroy(program);
    text_release(&diagnostics);
    return program != NULL;
}

static bool read_seed(const char *path)
{
    FILE *file = fopen(path, "r");
    char buffer[4096];
    size_t size;
    if (!file || seed_count == MOST_SEEDS)
        return false;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_add_bytes(&seeds[seed_count], buffer, size);
    fclose(file);
    seed_count++;
    return true;
}

int main(int argc, char **argv)
{
    uint64_t accepted = 0;
    for (int i = 3; i < argc; i++)
        if (!read_seed(argv[i])) {
            fprintf(stderr, "abs_fuzz: cannot read %s\n", argv[i]);
            return 2;
        }
    if (argc < 4) {
        fprintf(stderr, "usage: abs_fuzz FIRST COUNT SEED.abs...\n");
        return 2;
    }
    signal(SIGALRM, keep_input);
    signal(SIGABRT, keep_input);
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t number = first; number < first + count; number++) {
        rng.state = number;
        rng_next(&rng);
        make_input(number);
        alarm(SECONDS);
        accepted += try_input();
    }
    printf("%llu inputs, %llu of them are models\n", (unsigned long long)count, (unsigned long long)accepted);
    for (uint32_t i = 0; i < seed_count; i++)
        text_release(&seeds[i]);
    return 0;
}
