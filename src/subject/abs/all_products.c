/* all_products.c - see all_products.h */
#include "subject/abs/all_products.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abs/check/check.h"
#include "abs/delta/products.h"
#include "subject/abs/model.h"
#include "subject/abs/model_internal.h"
#include "subject/abs/models.h"

#define DEFAULT_DIRECTORY "sennit-products"

static bool find_products(const Models *files, const Options *options, ProductList *list, Error *error)
{
    ModelReading reading = model_reading(options);
    reading.product = NULL;
    reading.dialect = DIALECT_CURRENT; /* only its products are needed */
    if (*options->product || options->json)
        return error_set(error, EXIT_USAGE, "--%s cannot be combined with --all-products",
                         options->json ? "json" : "product");
    Model *model = check_files((const char *const *)files->items, files->count, &reading, error);
    if (!model)
        return false;
    products_list(model, list);
    model_destroy(model);
    return list->names.count || error_set(error, EXIT_USAGE, "--all-products: this model has no products");
}

/* What is missing in the list. */
static void describe_rest(const ProductList *list, Text *text)
{
    if (list->incomplete)
        text_add_string(text, "The feature model allows too many products: only those that are declared were taken.\n");
    if (list->with_attributes)
        text_add(text, "Left out: %u other product%s of the feature model, whose attributes need values.\n",
                 list->with_attributes, list->with_attributes == 1 ? "" : "s");
}

/* ---- Checking ---------------------------------------------------------------------------- */

bool all_products_check(const Models *files, const Options *options, Text *text, Error *error)
{
    ProductList list = {0};
    uint32_t wrong = 0;
    if (!find_products(files, options, &list, error)) {
        products_release(&list);
        return false;
    }
    for (uint32_t i = 0; i < list.names.count; i++) {
        Options own = *options;
        Error ignored = {0};
        own.product = list.names.items[i];
        bool good = model_check((const char *const *)files->items, files->count, &own, text, &ignored);
        text_add(text, "product %s: %s\n", list.names.items[i], good ? "no errors" : ignored.text);
        wrong += !good;
    }
    describe_rest(&list, text);
    if (wrong)
        error_set(error, EXIT_USAGE, "%u of %u products have errors", wrong, list.names.count);
    products_release(&list);
    return wrong == 0;
}

/* ---- Exploring --------------------------------------------------------------------------- */

/* A bug, and the products that have it. */
typedef struct ProductBug {
    char *name, *sentence;
    VEC(uint32_t) products;
} ProductBug;

typedef struct ProductResult {
    bool told; /* there is a sentence */
    int code;
    char *sentence;
} ProductResult;

typedef struct ProductRuns {
    const Models *files;
    const Options *options;
    char **argv;
    int argc;
    const char *directory;
    ProductList list;
    VEC(ProductBug) bugs;
    VEC(ProductResult) results;
    uint32_t clean, buggy, other;
} ProductRuns;

/* The directory of a product: its name, other characters as '_'. */
static void name_directory(const ProductRuns *runs, uint32_t product, Text *path)
{
    text_add(path, "%s/", runs->directory);
    for (const char *at = runs->list.names.items[product]; *at; at++)
        text_add(path, "%c", isalnum((unsigned char)*at) ? *at : '_');
}

/* The command line as if only this product had been asked for; traces and run.json contain it. */
static char **make_command(const ProductRuns *runs, uint32_t product)
{
    char **argv = mem_alloc(((size_t)runs->argc + 1) * sizeof *argv);
    Text option = {0};
    text_add(&option, "--product=%s", runs->list.names.items[product]);
    for (int i = 0; i < runs->argc; i++)
        argv[i] = strcmp(runs->argv[i], "--all-products") == 0 ? option.data : runs->argv[i];
    return argv; /* the process ends with it */
}

static _Noreturn void explore_product(const ProductRuns *runs, uint32_t product, const char *directory)
{
    Options own = *runs->options;
    Text report = {0};
    own.product = runs->list.names.items[product];
    own.directory = (char *)directory;
    own.all_products = false;
    text_add(&report, "%s.txt", directory);
    int out = open(report.data, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0 || dup2(out, STDOUT_FILENO) < 0)
        fprintf(stderr, "cannot write %s: %s\n", report.data, strerror(errno));
    int code = models_explore(runs->files, &own, runs->argc, make_command(runs, product));
    fflush(NULL);
    _exit(code);
}

/* The value of a member of run.json that is a string on a line of its own; true if it is there. */
static bool read_member(const char *directory, const char *key, Text *value)
{
    Text path = {0}, wanted = {0};
    char line[4096];
    bool found = false;
    text_add(&path, "%s/run.json", directory);
    text_add(&wanted, "  \"%s\": \"", key);
    FILE *file = fopen(path.data, "r");
    while (file && !found && fgets(line, sizeof line, file))
        if (strncmp(line, wanted.data, wanted.length) == 0) {
            char *end = strrchr(line, '"');
            found = end > line + wanted.length;
            text_add(value, "%.*s", found ? (int)(end - line - (long)wanted.length) : 0, line + wanted.length);
        }
    if (file)
        fclose(file);
    text_release(&path);
    text_release(&wanted);
    return found;
}

static ProductBug *find_bug(ProductRuns *runs, const char *name, size_t length)
{
    for (uint32_t i = 0; i < runs->bugs.count; i++)
        if (strlen(runs->bugs.items[i].name) == length && strncmp(runs->bugs.items[i].name, name, length) == 0)
            return &runs->bugs.items[i];
    ProductBug bug = {.name = mem_alloc(length + 1)};
    memcpy(bug.name, name, length);
    VEC_PUSH(&runs->bugs, bug);
    return &runs->bugs.items[runs->bugs.count - 1];
}

/* The first line of a report is "ID  what happens". */
static void add_bug(ProductRuns *runs, uint32_t product, const char *directory, const char *file)
{
    Text path = {0};
    char line[1024] = "";
    text_add(&path, "%s/bugs/%s", directory, file);
    FILE *stream = fopen(path.data, "r");
    if (stream && fgets(line, sizeof line, stream))
        line[strcspn(line, "\n")] = '\0';
    if (stream)
        fclose(stream);
    ProductBug *bug = find_bug(runs, file, strlen(file) - strlen(".txt"));
    const char *sentence = strstr(line, "  ");
    if (!bug->sentence)
        bug->sentence = mem_copy_string(sentence ? sentence + 2 : "");
    VEC_PUSH(&bug->products, product);
    text_release(&path);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_report(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

static void collect_bugs(ProductRuns *runs, uint32_t product, const char *directory)
{
    Text path = {0};
    struct dirent **entries;
    text_add(&path, "%s/bugs", directory);
    int count = scandir(path.data, &entries, is_report, by_name);
    for (int i = 0; i < count; i++) {
        add_bug(runs, product, directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    text_release(&path);
}

static void count_result(ProductRuns *runs, const ProductResult *result)
{
    runs->clean += result->code == EXIT_CLEAN;
    runs->buggy += result->told && result->code != EXIT_CLEAN;
    runs->other += !result->told;
    VEC_PUSH(&runs->results, *result);
}

/* Is the model the same as that of an earlier product, since the same deltas are applied? Then so is the result. */
static bool share_result(ProductRuns *runs, uint32_t product)
{
    uint32_t first = 0;
    const char *deltas = runs->list.deltas.items[product];
    while (first < product && (!*deltas || strcmp(runs->list.deltas.items[first], deltas) != 0))
        first++;
    if (first == product || !runs->results.items[first].told)
        return false;
    ProductResult result = runs->results.items[first];
    printf("product %s: the same as %s: %s\n", runs->list.names.items[product], runs->list.names.items[first],
           result.sentence);
    for (uint32_t i = 0; i < runs->bugs.count; i++)
        for (uint32_t k = 0; k < runs->bugs.items[i].products.count; k++)
            if (runs->bugs.items[i].products.items[k] == first) {
                VEC_PUSH(&runs->bugs.items[i].products, product);
                break;
            }
    result.sentence = mem_copy_string(result.sentence);
    count_result(runs, &result);
    return true;
}

static void run_product(ProductRuns *runs, uint32_t product)
{
    Text directory = {0}, sentence = {0};
    int status = 0;
    name_directory(runs, product, &directory);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        explore_product(runs, product, directory.data);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    int code = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_USAGE;
    bool told = code != EXIT_USAGE && read_member(directory.data, "sentence", &sentence);
    printf("product %s: %s\n", runs->list.names.items[product],
           told ? text_borrow(&sentence) : code == EXIT_USAGE ? "rejected" : "no result");
    if (told)
        collect_bugs(runs, product, directory.data);
    count_result(runs, &(ProductResult){told, code, mem_copy_string(text_borrow(&sentence))});
    text_release(&directory);
    text_release(&sentence);
}

static void print_bugs(const ProductRuns *runs)
{
    for (uint32_t i = 0; i < runs->bugs.count; i++) {
        const ProductBug *bug = &runs->bugs.items[i];
        Text directory = {0};
        name_directory(runs, bug->products.items[0], &directory);
        printf("\n%s  %s\n    in %u of %u products: ", bug->name, bug->sentence, bug->products.count,
               runs->list.names.count);
        for (uint32_t k = 0; k < bug->products.count; k++)
            printf("%s%s", k ? ", " : "", runs->list.names.items[bug->products.items[k]]);
        printf("\n    sennit replay %s/bugs/%s.trace\n", directory.data, bug->name);
        text_release(&directory);
    }
}

static int finish(ProductRuns *runs)
{
    Text rest = {0};
    print_bugs(runs);
    describe_rest(&runs->list, &rest);
    printf("\n%s%u product%s: %u without bugs, %u with bugs or not complete, %u rejected\n  results are in %s\n",
           text_borrow(&rest), runs->list.names.count, runs->list.names.count == 1 ? "" : "s", runs->clean,
           runs->buggy, runs->other, runs->directory);
    text_release(&rest);
    int code = runs->bugs.count ? EXIT_BUG : runs->other ? EXIT_USAGE : runs->buggy ? EXIT_BUDGET : EXIT_CLEAN;
    for (uint32_t i = 0; i < runs->bugs.count; i++) {
        free(runs->bugs.items[i].name);
        free(runs->bugs.items[i].sentence);
        VEC_FREE(&runs->bugs.items[i].products);
    }
    VEC_FREE(&runs->bugs);
    for (uint32_t i = 0; i < runs->results.count; i++)
        free(runs->results.items[i].sentence);
    VEC_FREE(&runs->results);
    return code;
}

int all_products_explore(const Models *files, const Options *options, int argc, char **argv)
{
    ProductRuns runs = {.files = files, .options = options, .argv = argv, .argc = argc,
                        .directory = *options->directory ? options->directory : DEFAULT_DIRECTORY};
    Error error = {.code = EXIT_USAGE};
    bool good = find_products(files, options, &runs.list, &error);
    if (good && mkdir(runs.directory, 0777) != 0 && errno != EEXIST)
        good = error_set(&error, EXIT_USAGE, "cannot create %s: %s", runs.directory, strerror(errno));
    for (uint32_t i = 0; good && i < runs.list.names.count; i++)
        if (!share_result(&runs, i))
            run_product(&runs, i);
    int code = good ? finish(&runs) : (int)error.code;
    if (!good)
        fprintf(stderr, "sennit %s: %s\n", argv[0], error.text);
    products_release(&runs.list);
    return code;
}
