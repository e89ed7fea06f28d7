/* parcel.c - see parcel.h */
#include "dist/search/parcel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/search/checkpoint.h"
#include "base/map.h"
#include "base/mem.h"
#include "report/source.h"
#include "report/trace.h"
#include "sennit_version.h"
#include "subject/abs/model.h"

/* ---- Packing ------------------------------------------------------------------------ */

static void put_text(Parcel *parcel, const char *key, const char *value, size_t size)
{
    Text name = {0}, content = {0};
    text_add_string(&name, key);
    text_add_bytes(&content, value, size);
    VEC_PUSH(&parcel->keys, name);
    VEC_PUSH(&parcel->values, content);
}

static void put_numbered(Parcel *parcel, const char *key, uint32_t number, const char *value, size_t size)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", key, number);
    put_text(parcel, name, value, size);
}

static void put_count(Parcel *parcel, const char *key, uint64_t count)
{
    char value[24];
    snprintf(value, sizeof value, "%llu", (unsigned long long)count);
    put_text(parcel, key, value, strlen(value));
}

/* Traces name places by the model's file names as they were given, so workers must use the same names. */
static bool is_below(const char *path)
{
    if (*path == '/' || !*path)
        return false;
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]))
            return false;
    return true;
}

static bool put_file(Parcel *parcel, uint32_t number, const char *path, const char *name, Error *error)
{
    Text content = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && text_add_file(&content, fd);
    if (!good)
        error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    put_numbered(parcel, "file", number, text_borrow(&content), content.length);
    put_numbered(parcel, "filename", number, name, strlen(name));
    text_release(&content);
    return good;
}

/* A line per shared library: its name and the hash of its contents. */
static void list_libraries(const char *program, Text *list)
{
    char line[PATH_MAX + 300], name[256], path[PATH_MAX], hash[17];
    Error ignored;
    setenv("SENNIT_FILE", program, 1);
    FILE *output = popen("LD_TRACE_LOADED_OBJECTS=1 \"$SENNIT_FILE\" 2>/dev/null", "r");
    while (output && fgets(line, sizeof line, output))
        if (sscanf(line, " %255s => %4000s", name, path) == 2 && trace_hash_file(path, hash, &ignored))
            text_add(list, "%s %s\n", name, hash);
    if (output)
        pclose(output);
    unsetenv("SENNIT_FILE");
}

static bool hash_all(Parcel *parcel, const SharedProgram *program, Error *error)
{
    if (program->model_count == 0)
        return trace_hash_file(program->path, parcel->hash, error);
    uint64_t sum = 0; /* computed as in the process of a model */
    for (uint32_t i = 0; i < program->model_count; i++) {
        if (!trace_hash_file(program->arguments[i], parcel->hash, error))
            return false;
        sum = map_mix(sum, strtoull(parcel->hash, NULL, 16));
    }
    snprintf(parcel->hash, sizeof parcel->hash, "%016llx", (unsigned long long)sum);
    return true;
}

static void identify(Parcel *parcel, char **arguments, const Options *options)
{
    text_add(&parcel->identity, "%s %s ", SENNIT_VERSION, parcel->hash);
    checkpoint_write_bounds(options, &parcel->identity);
    for (; *arguments; arguments++)
        text_add(&parcel->identity, "\n%s", *arguments);
}

static bool put_files(Parcel *parcel, const SharedProgram *program, Error *error)
{
    if (program->model_count == 0)
        return put_file(parcel, 0, program->path, source_base_name(program->path), error);
    for (uint32_t i = 0; i < program->model_count; i++) {
        const char *file = program->arguments[i];
        if (!is_below(file))
            return error_set(error, EXIT_USAGE,
                             "%s: give the files of the model by paths below the current directory (change to the "
                             "model's directory)",
                             file);
        if (!put_file(parcel, i, file, file, error))
            return false;
    }
    return true;
}

static void put_arguments(Parcel *parcel, char **arguments)
{
    uint32_t count = 0;
    for (; arguments[count]; count++)
        put_numbered(parcel, "argument", count, arguments[count], strlen(arguments[count]));
    put_count(parcel, "arguments", count);
}

bool parcel_pack(Parcel *parcel, const SharedProgram *program, const Options *options, Error *error)
{
    Text libraries = {0}, text = {0};
    uint32_t models = program->model_count;
    *parcel = (Parcel){.program = realpath(program->path, NULL)};
    if (!parcel->program)
        return error_set(error, EXIT_USAGE, "%s: %s", program->path, strerror(errno));
    if (!hash_all(parcel, program, error) || !put_files(parcel, program, error))
        return false;
    put_arguments(parcel, program->arguments);
    if (models == 0)
        list_libraries(program->path, &libraries);
    options_write(options, USE_SEARCH | USE_RUN, &text);
    put_text(parcel, "version", SENNIT_VERSION, strlen(SENNIT_VERSION));
    put_text(parcel, "kind", models ? "model" : "binary", models ? 5 : 6);
    put_text(parcel, "hash", parcel->hash, strlen(parcel->hash));
    put_text(parcel, "program", parcel->program, strlen(parcel->program));
    put_text(parcel, "options", text_borrow(&text), text.length);
    put_text(parcel, "libraries", text_borrow(&libraries), libraries.length);
    if (options->max_execs)
        put_count(parcel, STORE_BUDGET, options->max_execs);
    put_count(parcel, "files", models ? models : 1);
    identify(parcel, program->arguments, options);
    text_release(&text);
    text_release(&libraries);
    return true;
}

void parcel_release(Parcel *parcel)
{
    for (uint32_t i = 0; i < parcel->keys.count; i++) {
        text_release(&parcel->keys.items[i]);
        text_release(&parcel->values.items[i]);
    }
    VEC_FREE(&parcel->keys);
    VEC_FREE(&parcel->values);
    text_release(&parcel->identity);
    free(parcel->program);
}

/* ---- Unpacking -------------------------------------------------------------------------- */

static bool get_text(Store *store, const char *key, Text *value, Error *error)
{
    text_reset(value);
    StoreAnswer answer = store->ops->describe(store, key, value, error);
    if (answer == STORE_REFUSED)
        error_set(error, EXIT_INTERNAL, "the store does not contain the %s of the program", key);
    return answer == STORE_DONE;
}

static bool get_numbered(Store *store, const char *key, unsigned number, Text *value, Error *error)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", key, number);
    return get_text(store, name, value, error);
}

static bool write_file(const char *path, const Text *content, Error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    bool good = fd >= 0 && text_write_all(fd, text_borrow(content), content->length);
    if (fd >= 0 && close(fd) < 0)
        good = false;
    return good || error_set(error, EXIT_INTERNAL, "%s: %s", path, strerror(errno));
}

static bool unpack_files(Store *store, Unpacked *unpacked, Error *error)
{
    Text value = {0}, name = {0};
    bool good = get_text(store, "files", &value, error);
    unsigned count = good ? (unsigned)atoi(text_borrow(&value)) : 0;
    for (unsigned i = 0; good && i < count; i++) {
        char path[PATH_MAX + 300];
        good = get_numbered(store, "filename", i, &name, error) && get_numbered(store, "file", i, &value, error);
        if (good && !is_below(text_borrow(&name)))
            good = error_set(error, EXIT_INTERNAL, "the store contains a file with the unsafe name %s",
                             text_borrow(&name));
        snprintf(path, sizeof path, "%s/%s", unpacked->directory.path, text_borrow(&name));
        for (char *slash = path + strlen(unpacked->directory.path) + 1; good && (slash = strchr(slash, '/')); slash++) {
            *slash = '\0';
            mkdir(path, 0700);
            *slash = '/';
        }
        good = good && write_file(path, &value, error);
        if (i == 0 && !unpacked->model)
            snprintf(unpacked->path, sizeof unpacked->path, "%s", path);
        if (unpacked->model)
            VEC_PUSH(&unpacked->argv, mem_copy_string(text_borrow(&name)));
    }
    text_release(&value);
    text_release(&name);
    return good;
}

static bool unpack_arguments(Store *store, Unpacked *unpacked, Error *error)
{
    Text value = {0};
    bool good = get_text(store, "arguments", &value, error);
    unsigned count = good ? (unsigned)atoi(text_borrow(&value)) : 0;
    for (unsigned i = 0; good && i < count && !unpacked->model; i++) {
        good = get_numbered(store, "argument", i, &value, error);
        VEC_PUSH(&unpacked->argv, mem_copy_string(text_borrow(&value)));
    }
    VEC_PUSH(&unpacked->argv, NULL);
    text_release(&value);
    return good;
}

static bool check_version(Store *store, Error *error)
{
    Text value = {0};
    bool good = get_text(store, "version", &value, error);
    if (good && strcmp(text_borrow(&value), SENNIT_VERSION) != 0)
        good = error_set(error, EXIT_USAGE, "the search was started by Sennit %s, this is %s: use the same version",
                         text_borrow(&value), SENNIT_VERSION);
    text_release(&value);
    return good;
}

static bool check_hash(Store *store, const Unpacked *unpacked, Error *error)
{
    Text value = {0};
    char hash[17];
    bool good =
        unpacked->model || (get_text(store, "hash", &value, error) && trace_hash_file(unpacked->path, hash, error));
    if (good && !unpacked->model && strcmp(text_borrow(&value), hash) != 0)
        good = error_set(error, EXIT_INTERNAL, "the program in the store is damaged (hash %s instead of %s)", hash,
                         text_borrow(&value));
    text_release(&value);
    return good;
}

/* Rejects the program if one of its shared libraries is different here. */
static bool check_libraries(Store *store, const Unpacked *unpacked, Error *error)
{
    Text theirs = {0}, ours = {0};
    bool good = unpacked->model || get_text(store, "libraries", &theirs, error);
    if (good && !unpacked->model)
        list_libraries(unpacked->path, &ours);
    for (const char *line = text_borrow(&theirs); good && *line; line += strcspn(line, "\n") + 1) {
        size_t size = strcspn(line, "\n") + 1, name = strcspn(line, " ");
        char wanted[400];
        snprintf(wanted, sizeof wanted, "%.*s", (int)size, line);
        if (!strstr(text_borrow(&ours), wanted))
            good = error_set(
                error, EXIT_USAGE,
                "%.*s differs from the one on the machine where the search was started, so the program may behave "
                "differently: run workers in the same image, or link the program with -static",
                (int)name, line);
    }
    text_release(&theirs);
    text_release(&ours);
    return good;
}

static bool prepare(Store *store, Unpacked *unpacked, Error *error)
{
    Text value = {0};
    bool good = get_text(store, "kind", &value, error);
    unpacked->model = good && strcmp(text_borrow(&value), "model") == 0;
    good = good && claim_make(&unpacked->directory, "sennit-worker", true, error) &&
           get_text(store, "options", &value, error) &&
           options_parse_text(&unpacked->options, USE_EVERY, text_borrow(&value), error);
    if (unpacked->model) {
        ssize_t size = readlink("/proc/self/exe", unpacked->path, sizeof unpacked->path - 1);
        unpacked->path[size > 0 ? size : 0] = '\0';
    }
    VEC_PUSH(&unpacked->argv, mem_copy_string(unpacked->model ? MODEL_PROCESS : "program"));
    text_release(&value);
    return good;
}

bool parcel_unpack(Store *store, Unpacked *unpacked, Error *error)
{
    memset(unpacked, 0, sizeof *unpacked);
    options_init(&unpacked->options);
    return check_version(store, error) && prepare(store, unpacked, error) && unpack_files(store, unpacked, error) &&
           unpack_arguments(store, unpacked, error) && check_hash(store, unpacked, error) &&
           check_libraries(store, unpacked, error);
}

void unpacked_release(Unpacked *unpacked)
{
    claim_release(&unpacked->directory);
    for (uint32_t i = 0; i < unpacked->argv.count; i++)
        free(unpacked->argv.items[i]);
    VEC_FREE(&unpacked->argv);
    options_release(&unpacked->options);
}
