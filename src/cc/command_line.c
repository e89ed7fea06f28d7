/* command_line.c - see command_line.h */
#include "cc/command_line.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { MAX_NESTED_FILES = 10 };

/* Where an option goes. */
enum {
    TO_COMPILE = 1,
    TO_CODEGEN = 2,
    TO_LINK = 4,
    TO_INPUTS = 8,      /* an option of the linker whose position among the inputs counts */
    TO_NOTHING = 16,    /* meant for an ordinary build; dropped silently                */
    TO_IGNORED = 32,    /* dropped with a warning                                       */
    MAKES_PLAIN = 64,   /* the whole call is passed to clang                            */
    WITHOUT_RUNTIME = 128,
    WITH_COVERAGE = 256
};

typedef struct OptionRule {
    const char *name;
    char shape;    /* '=' exact; '*' prefix; '+' exact, argument follows; '?' argument joined or following */
    unsigned goes;
} OptionRule;

/* The first rule that matches decides. Options without a rule belong to the front end. */
static const OptionRule rules[] = {
    /* calls that are passed to clang */
    {"-E", '=', MAKES_PLAIN}, {"-M", '=', MAKES_PLAIN}, {"-MM", '=', MAKES_PLAIN},
    {"-shared", '=', MAKES_PLAIN}, {"--shared", '=', MAKES_PLAIN}, {"-r", '=', MAKES_PLAIN},
    {"-fsyntax-only", '=', MAKES_PLAIN}, {"-emit-llvm", '=', MAKES_PLAIN}, {"-###", '=', MAKES_PLAIN},
    {"-dumpmachine", '=', MAKES_PLAIN}, {"-dumpversion", '=', MAKES_PLAIN}, {"-dumpspecs", '=', MAKES_PLAIN},
    {"-dumpfullversion", '=', MAKES_PLAIN}, {"-print-", '*', MAKES_PLAIN}, {"--print-", '*', MAKES_PLAIN},
    {"--version", '=', MAKES_PLAIN}, {"--help", '*', MAKES_PLAIN}, {"-help", '=', MAKES_PLAIN},
    {"--analyze", '=', MAKES_PLAIN}, {"-nostdlib", '=', TO_LINK | WITHOUT_RUNTIME},
    {"-nodefaultlibs", '=', TO_LINK | WITHOUT_RUNTIME}, {"-nostartfiles", '=', TO_LINK | WITHOUT_RUNTIME},
    {"-nolibc", '=', TO_LINK | WITHOUT_RUNTIME},
    /* the linker */
    {"-l", '?', TO_INPUTS}, {"-L", '?', TO_LINK}, {"-Wl,", '*', TO_INPUTS}, {"-Xlinker", '+', TO_INPUTS},
    {"-T", '?', TO_LINK}, {"-u", '?', TO_LINK}, {"-z", '?', TO_LINK}, {"-e", '+', TO_LINK}, {"-s", '=', TO_LINK},
    {"-static", '=', TO_LINK}, {"-static-lib", '*', TO_LINK}, {"-shared-lib", '*', TO_LINK},
    {"-rdynamic", '=', TO_LINK}, {"-fuse-ld=", '*', TO_LINK}, {"-rpath", '+', TO_LINK},
    {"-pie", '=', TO_NOTHING}, {"-static-pie", '=', TO_NOTHING}, {"-no-pie", '=', TO_NOTHING},
    {"-nopie", '=', TO_NOTHING},
    {"--sysroot=", '*', TO_COMPILE | TO_LINK}, {"--sysroot", '+', TO_COMPILE | TO_LINK},
    {"-B", '?', TO_COMPILE | TO_LINK}, {"-pthread", '=', TO_COMPILE | TO_LINK},
    {"-target", '+', TO_COMPILE | TO_CODEGEN | TO_LINK}, {"--target=", '*', TO_COMPILE | TO_CODEGEN | TO_LINK},
    /* would defeat the instrumentation, or repeat what it does */
    {"-flto", '*', TO_NOTHING}, {"-fno-lto", '=', TO_NOTHING}, {"-ffat-lto-objects", '=', TO_NOTHING},
    {"-fno-fat-lto-objects", '=', TO_NOTHING}, {"-fuse-linker-plugin", '=', TO_NOTHING},
    {"-fexceptions", '=', TO_NOTHING}, {"-save-temps", '*', TO_NOTHING}, {"--save-temps", '*', TO_NOTHING},
    {"-pipe", '=', TO_NOTHING},
    {"-fomit-frame-pointer", '=', TO_NOTHING}, {"-gsplit-dwarf", '*', TO_NOTHING}, {"-g0", '=', TO_NOTHING},
    {"-fno-sanitize", '*', TO_NOTHING}, {"-fsanitize", '*', TO_IGNORED}, {"-fopenmp", '*', TO_IGNORED},
    {"-pg", '=', TO_IGNORED}, {"-p", '=', TO_IGNORED},
    {"-fprofile-arcs", '=', WITH_COVERAGE}, {"-ftest-coverage", '=', WITH_COVERAGE}, {"-coverage", '=', WITH_COVERAGE},
    {"-fprofile-", '*', TO_IGNORED}, {"-fcoverage-mapping", '=', TO_IGNORED},
    {"-fno-profile", '*', TO_NOTHING}, {"-ffast-math", '=', TO_COMPILE | TO_CODEGEN},
    /* code generation */
    {"-Wa,", '*', TO_COMPILE | TO_CODEGEN}, {"-Xassembler", '+', TO_COMPILE | TO_CODEGEN},
    {"-mllvm", '+', TO_CODEGEN}, {"-m32", '=', TO_COMPILE | TO_CODEGEN | TO_LINK},
    {"-m64", '=', TO_COMPILE | TO_CODEGEN | TO_LINK}, {"-m", '*', TO_COMPILE | TO_CODEGEN},
    {"-fpic", '=', TO_COMPILE | TO_CODEGEN}, {"-fPIC", '=', TO_COMPILE | TO_CODEGEN},
    {"-fpie", '=', TO_COMPILE | TO_CODEGEN}, {"-fPIE", '=', TO_COMPILE | TO_CODEGEN},
    {"-fno-pic", '=', TO_COMPILE | TO_CODEGEN}, {"-fno-PIC", '=', TO_COMPILE | TO_CODEGEN},
    {"-fno-pie", '=', TO_COMPILE | TO_CODEGEN}, {"-fno-PIE", '=', TO_COMPILE | TO_CODEGEN},
    {"-ffunction-sections", '=', TO_COMPILE | TO_CODEGEN}, {"-fdata-sections", '=', TO_COMPILE | TO_CODEGEN},
    {"-fno-plt", '=', TO_COMPILE | TO_CODEGEN}, {"-fno-semantic-interposition", '=', TO_COMPILE | TO_CODEGEN},
    /* options of the front end that take an argument */
    {"-I", '?', TO_COMPILE}, {"-D", '?', TO_COMPILE}, {"-U", '?', TO_COMPILE}, {"-A", '?', TO_COMPILE},
    {"-include", '+', TO_COMPILE}, {"-imacros", '+', TO_COMPILE}, {"-idirafter", '+', TO_COMPILE},
    {"-iprefix", '+', TO_COMPILE}, {"-iwithprefix", '+', TO_COMPILE}, {"-iwithprefixbefore", '+', TO_COMPILE},
    {"-isystem", '+', TO_COMPILE}, {"-isysroot", '+', TO_COMPILE}, {"-iquote", '+', TO_COMPILE},
    {"-MF", '?', TO_COMPILE}, {"-MT", '?', TO_COMPILE}, {"-MQ", '?', TO_COMPILE}, {"-MJ", '?', TO_COMPILE},
    {"-Xclang", '+', TO_COMPILE}, {"-Xpreprocessor", '+', TO_COMPILE}, {"--param", '+', TO_COMPILE},
    {"-working-directory", '+', TO_COMPILE},
};

/* ---- Rules ---------------------------------------------------------------- */

static bool rule_fits(const OptionRule *rule, const char *arg)
{
    size_t length = strlen(rule->name);
    if (rule->shape == '=' || rule->shape == '+')
        return strcmp(arg, rule->name) == 0;
    return strncmp(arg, rule->name, length) == 0;
}

static const OptionRule *find_rule(const char *arg)
{
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rule_fits(&rules[i], arg))
            return &rules[i];
    return NULL;
}

static bool argument_follows(const OptionRule *rule, const char *arg)
{
    return rule && (rule->shape == '+' || (rule->shape == '?' && strcmp(arg, rule->name) == 0));
}

static void add_input(CommandLine *args, const char *text, const char *language, CcInputKind kind)
{
    CcInput input = {.text = text, .language = language, .kind = kind};
    VEC_PUSH(&args->inputs, input);
}

/* One option with its argument, if it takes one (else `value` is NULL). */
static void place_option(CommandLine *args, const OptionRule *rule, const char *arg, const char *value)
{
    unsigned goes = rule ? rule->goes : TO_COMPILE;
    ArgList *const lists[] = {&args->compile, &args->codegen, &args->link};
    for (unsigned i = 0; i < 3; i++) {
        if (!(goes & (1u << i)))
            continue;
        VEC_PUSH(lists[i], arg);
        if (value)
            VEC_PUSH(lists[i], value);
    }
    if (goes & TO_INPUTS)
        add_input(args, arg, NULL, CC_LINKABLE);
    if ((goes & TO_INPUTS) && value)
        add_input(args, value, NULL, CC_LINKABLE);
    if (goes & TO_IGNORED)
        VEC_PUSH(&args->ignored, arg);
    if (goes & MAKES_PLAIN)
        args->mode = CC_PLAIN;
    if (goes & WITHOUT_RUNTIME)
        args->bare = true;
    if (goes & WITH_COVERAGE)
        args->flags.coverage = true;
}

/* ---- Inputs --------------------------------------------------------------- */

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static CcInputKind kind_of_input(const char *path, const char *language)
{
    static const char *const c_languages[] = {"c", "cpp-output", NULL};
    static const char *const c_endings[] = {"c", "i", NULL};
    static const char *const foreign[] = {"cc", "cp", "cxx", "cpp", "c++", "C", "ii", "s", "S", "sx", "m", "mm",
                                          "ll", "bc", "f", "f90", NULL};
    if (language)
        return is_one_of(language, c_languages) ? CC_SOURCE : CC_FOREIGN;
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    if (!dot || (slash && dot < slash))
        return CC_LINKABLE;
    if (is_one_of(dot + 1, c_endings))
        return CC_SOURCE;
    return is_one_of(dot + 1, foreign) ? CC_FOREIGN : CC_LINKABLE;
}

static bool is_header(const char *path, const char *language)
{
    if (language)
        return strstr(language, "-header") != NULL;
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".h") == 0;
}

static void place_input(CommandLine *args, const char *path, const char *language)
{
    if (is_header(path, language)) /* a precompiled header is made by clang */
        args->mode = CC_PLAIN;
    add_input(args, path, language, kind_of_input(path, language));
}

/* The number of inputs that are compiled rather than linked. */
static unsigned count_sources(const CommandLine *args)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < args->inputs.count; i++)
        count += args->inputs.items[i].kind != CC_LINKABLE;
    return count;
}

/* ---- Response files ------------------------------------------------------- */

/* The next word of a response file: quotes group, a backslash escapes the next character. NULL at the end. The caller
 * owns the word. */
static char *next_word(const char **cursor)
{
    while (isspace((unsigned char)**cursor))
        ++*cursor;
    if (!**cursor)
        return NULL;
    Text word = {0};
    text_add_string(&word, "");
    char quote = 0;
    for (; **cursor && (quote || !isspace((unsigned char)**cursor)); ++*cursor) {
        char c = **cursor;
        if (c == '\\' && (*cursor)[1])
            text_add_bytes(&word, ++*cursor, 1);
        else if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else
            text_add_bytes(&word, &c, 1);
    }
    char *result = mem_copy_string(text_borrow(&word));
    text_release(&word);
    return result;
}

static void expand(CommandLine *args, const char *arg, int depth);

static void expand_words(CommandLine *args, const char *words, int depth)
{
    for (char *word; (word = next_word(&words));) {
        VEC_PUSH(&args->owned, word);
        expand(args, word, depth + 1);
    }
}

/* "@file" stands for the words in the file, or for itself if the file cannot be read. */
static void expand(CommandLine *args, const char *arg, int depth)
{
    int fd = arg[0] == '@' && depth < MAX_NESTED_FILES ? open(arg + 1, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) {
        VEC_PUSH(&args->all, arg);
        return;
    }
    Text words = {0};
    if (text_add_file(&words, fd))
        expand_words(args, text_borrow(&words), depth);
    text_release(&words);
    close(fd);
}

/* ---- Parsing -------------------------------------------------------------- */

static void set_mode(CommandLine *args, CcMode mode)
{
    if (args->mode != CC_PLAIN)
        args->mode = mode;
}

/* Without optimisation a debugger finds every variable; with it the program is faster. Instrumentation precedes
 * optimisation in both cases. */
static void note_optimisation(CommandLine *args, const char *level)
{
    args->optimised = strcmp(level, "0") != 0 && strcmp(level, "g") != 0;
    if (strcmp(level, "fast") == 0)
        VEC_PUSH(&args->compile, "-ffast-math");
}

static void note_dependencies(CommandLine *args, const char *arg)
{
    if (strcmp(arg, "-MD") == 0 || strcmp(arg, "-MMD") == 0)
        args->dependency = arg;
    args->dependency_file |= strncmp(arg, "-MF", 3) == 0;
    args->dependency_target |= strncmp(arg, "-MT", 3) == 0 || strncmp(arg, "-MQ", 3) == 0;
}

/* Options that the driver itself interprets. Answers how many arguments it consumed. */
static uint32_t parse_own(CommandLine *args, uint32_t i, const char **language)
{
    const char *arg = args->all.items[i];
    const char *next = i + 1 < args->all.count ? args->all.items[i + 1] : NULL;
    if (strcmp(arg, "-c") == 0) {
        set_mode(args, CC_OBJECT);
    } else if (strcmp(arg, "-S") == 0) {
        set_mode(args, CC_ASSEMBLY);
    } else if (strncmp(arg, "-o", 2) == 0 && (arg[2] || next)) {
        args->output = arg[2] ? arg + 2 : next;
        return arg[2] ? 1 : 2;
    } else if (strncmp(arg, "-x", 2) == 0 && (arg[2] || next)) {
        *language = arg[2] ? arg + 2 : next;
        if (strcmp(*language, "none") == 0)
            *language = NULL;
        return arg[2] ? 1 : 2;
    } else if (arg[0] == '-' && arg[1] == 'O') {
        note_optimisation(args, arg + 2);
    } else if (strcmp(arg, "-v") == 0 || strcmp(arg, "--verbose") == 0) {
        args->verbose = true;
    } else if (flags_take_cc(&args->flags, arg)) {
        return 1;
    } else {
        return 0;
    }
    return 1;
}

static uint32_t parse_other(CommandLine *args, uint32_t i)
{
    const char *arg = args->all.items[i];
    const OptionRule *rule = find_rule(arg);
    bool takes_next = argument_follows(rule, arg) && i + 1 < args->all.count;
    note_dependencies(args, arg);
    args->shared |= strcmp(arg, "-shared") == 0 || strcmp(arg, "--shared") == 0;
    args->says_version |= strcmp(arg, "--version") == 0;
    place_option(args, rule, arg, takes_next ? args->all.items[i + 1] : NULL);
    return takes_next ? 2 : 1;
}

static bool check(const CommandLine *args, Error *error)
{
    if (args->output && count_sources(args) > 1 && (args->mode == CC_OBJECT || args->mode == CC_ASSEMBLY))
        return error_set(error, EXIT_USAGE, "cannot use -o with several source files unless linking");
    return true;
}

bool command_line_parse(CommandLine *args, int argc, char **argv, Error *error)
{
    *args = (CommandLine){.mode = CC_LINK};
    for (int i = 0; i < argc; i++)
        expand(args, argv[i], 0);
    const char *language = NULL;
    for (uint32_t i = 0; i < args->all.count;) {
        const char *arg = args->all.items[i];
        uint32_t taken = parse_own(args, i, &language);
        if (taken) {
            i += taken;
        } else if (arg[0] == '-' && arg[1]) {
            i += parse_other(args, i);
        } else {
            place_input(args, arg, language);
            i++;
        }
    }
    if (args->inputs.count == 0) /* `cc -v`, or nothing to compile: clang prints the message */
        args->mode = CC_PLAIN;
    return check(args, error);
}

void command_line_release(CommandLine *args)
{
    ArgList *const lists[] = {&args->all, &args->compile, &args->codegen, &args->link, &args->ignored};
    for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
        VEC_FREE(lists[i]);
    for (uint32_t i = 0; i < args->owned.count; i++)
        free(args->owned.items[i]);
    VEC_FREE(&args->owned);
    VEC_FREE(&args->inputs);
}
