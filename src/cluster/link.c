/* link.c - see link.h
 *
 * The objects that a program keeps (host/kept.h) are joined to one; of that each node gets a copy in which all names
 * but those that Sennit gives are local. A generated source file names the nodes (rt/abi/cluster.h).
 */
#include "cluster/link.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "host/binary.h"
#include "host/elf.h"
#include "host/installation.h"
#include "host/kept.h"
#include "host/subprocess.h"
#include "instr/abi/carried_record.h"
#include "rt/abi/cluster.h"

typedef VEC(const char *) LinkerWords;

/* A program, however many nodes run it. */
typedef struct LinkedProgram {
    const char *program; /* as given */
    const char *object;
} LinkedProgram;

typedef struct Linking {
    const Conf *conf;
    Installation installation;
    Scratch scratch;
    Kept kept; /* of all programs */
    VEC(LinkedProgram) parts;
    VEC(char *) texts;
} Linking;

static bool run(LinkerWords *command, const char *what, Error *error)
{
    Subprocess result;
    VEC_PUSH(command, NULL);
    bool good = subprocess_run(command->items, &result, error);
    if (good && result.signal)
        subprocess_die_of(result.signal);
    if (good && result.status)
        good = error_set(error, EXIT_USAGE, "%s: %s failed", what, strrchr(command->items[0], '/') + 1);
    VEC_FREE(command);
    return good;
}

static const char *keep_text(Linking *linking, char *text)
{
    VEC_PUSH(&linking->texts, text);
    return text;
}

/* ---- A program as one object ------------------------------------------------------------------ */

static char *path_of(const char *program)
{
    Text path = {0};
    text_add(&path, "%s%s", strchr(program, '/') ? "" : "./", program);
    return path.data;
}

static bool join_objects(Linking *linking, uint32_t first, const char *output, const char *what, Error *error)
{
    LinkerWords command = {0};
    VEC_PUSH(&command, linking->installation.compiler);
    VEC_PUSH(&command, "-r");
    VEC_PUSH(&command, "-nostdlib");
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, output);
    VEC_PUSH(&command, "-Wl,-u,sennit_user_main");
    VEC_PUSH(&command, "-Wl,--start-group");
    for (uint32_t i = first; i < linking->kept.files.count; i++)
        VEC_PUSH(&command, linking->kept.files.items[i]);
    VEC_PUSH(&command, "-Wl,--end-group");
    return run(&command, what, error);
}

/* NULL on failure. */
static const LinkedProgram *find_part(Linking *linking, const ConfNode *node, Error *error)
{
    for (uint32_t i = 0; i < linking->parts.count; i++)
        if (strcmp(linking->parts.items[i].program, node->words.items[0]) == 0)
            return &linking->parts.items[i];
    LinkedProgram part = {.program = node->words.items[0]};
    const char *path = keep_text(linking, path_of(part.program));
    Error reason;
    uint32_t first = linking->kept.files.count;
    if (!binary_check(path, &reason)) {
        error_set(error, reason.code, "%s: %s", node->place, reason.text);
        return NULL;
    }
    if (!kept_extract(path, &linking->scratch, &linking->kept, &reason)) {
        error_set(error, reason.code, "%s: %s: %s", node->place, path, reason.text);
        return NULL;
    }
    part.object = scratch_name(&linking->scratch, part.program, ".o", error);
    if (!part.object || !join_objects(linking, first, part.object, path, error))
        return NULL;
    VEC_PUSH(&linking->parts, part);
    return &linking->parts.items[linking->parts.count - 1];
}

/* ---- A copy for a node ------------------------------------------------------------------------ */

static void add_numbered(Linking *linking, LinkerWords *command, const char *word, unsigned node)
{
    Text text = {0};
    text_add(&text, "--%s_%u", word, node);
    VEC_PUSH(command, keep_text(linking, text.data));
}

/* The names that Sennit gives are the same in all objects, and meant to be joined. */
static const char *copy_part(Linking *linking, const LinkedProgram *part, unsigned node, Error *error)
{
    const char *copy = scratch_name(&linking->scratch, part->program, ".node.o", error);
    if (!copy)
        return NULL;
    LinkerWords command = {0};
    VEC_PUSH(&command, linking->installation.objcopy);
    add_numbered(linking, &command, "redefine-sym=sennit_user_main=sennit_node_main", node);
    add_numbered(linking, &command, "rename-section=sennit_destructors=sennit_destructors", node);
    add_numbered(linking, &command, "rename-section=sennit_globals=sennit_globals", node);
    add_numbered(linking, &command, "rename-section=.init_array=sennit_init", node);
    VEC_PUSH(&command, "--remove-section=" CARRIED_SECTION);
    VEC_PUSH(&command, "--wildcard");
    VEC_PUSH(&command, "--keep-global-symbol=sennit_*");
    VEC_PUSH(&command, part->object);
    VEC_PUSH(&command, copy);
    return run(&command, part->program, error) ? copy : NULL;
}

/* ---- The table of nodes ------------------------------------------------------------------------- */

static void add_literal(Text *text, const char *string)
{
    text_add_string(text, "\"");
    for (; *string; string++)
        if (*string == '"' || *string == '\\' || *string < ' ' || *string > '~')
            text_add(text, "\\%03o", (unsigned char)*string);
        else
            text_add_bytes(text, string, 1);
    text_add_string(text, "\"");
}

static void add_strings(Text *text, const char *name, unsigned node, char *const *items, uint32_t count)
{
    text_add(text, "static const char *const %s_%u[] = {", name, node);
    for (uint32_t i = 0; i < count; i++) {
        add_literal(text, items[i]);
        text_add_string(text, ", ");
    }
    text_add_string(text, "0};\n");
}

static void add_declarations(Text *text, const ConfNode *self, unsigned node)
{
    static const char weak[] = "__attribute__((weak))", *const records[] = {"destructors", "globals"};
    add_strings(text, "arguments", node, self->words.items, self->words.count);
    add_strings(text, "environment", node, self->environment.items, self->environment.count);
    text_add(text, "static const int faults_%u[] = {", node);
    for (unsigned i = 0; i < CONF_FAULTS; i++)
        text_add(text, "%d, ", self->faults[i]);
    text_add_string(text, "};\n");
    text_add(text, "static const unsigned sockets_%u[] = {", node);
    for (uint32_t i = 0; i < self->sockets.count; i++)
        text_add(text, "%u, ", self->sockets.items[i]);
    text_add_string(text, "0};\n");
    text_add(text, "extern int sennit_node_main_%u(int, char **, char **);\n", node);
    text_add(text, "extern void (*const __start_sennit_init_%u[])(int, char **, char **) %s;\n", node, weak);
    text_add(text, "extern void (*const __stop_sennit_init_%u[])(int, char **, char **) %s;\n", node, weak);
    for (unsigned i = 0; i < 2; i++) {
        text_add(text, "extern const char __start_sennit_%s_%u[] %s;\n", records[i], node, weak);
        text_add(text, "extern const char __stop_sennit_%s_%u[] %s;\n", records[i], node, weak);
    }
}

static void add_row(Text *text, const ConfNode *self, unsigned node)
{
    text_add_string(text, "    {");
    add_literal(text, self->name);
    text_add(text, ", %uu, %d, %d, faults_%u, %u, arguments_%u, environment_%u, %u, sockets_%u, sennit_node_main_%u,\n",
             self->address, self->client, self->starts_again, node, self->words.count, node, node, self->sockets.count,
             node, node);
    text_add(text, "     __start_sennit_init_%u, __stop_sennit_init_%u, __start_sennit_destructors_%u, "
                   "__stop_sennit_destructors_%u,\n", node, node, node, node);
    text_add(text, "     __start_sennit_globals_%u, __stop_sennit_globals_%u},\n", node, node);
}

/* Its object; NULL on failure. */
static const char *make_table(Linking *linking, Error *error)
{
    const Conf *conf = linking->conf;
    Text text = {0};
    text_add_string(&text, SENNIT_CLUSTER_TEXT "\n");
    for (uint32_t i = 0; i < conf->nodes.count; i++)
        add_declarations(&text, &conf->nodes.items[i], i + 1);
    text_add_string(&text, "static const SennitNode nodes[] = {\n");
    for (uint32_t i = 0; i < conf->nodes.count; i++)
        add_row(&text, &conf->nodes.items[i], i + 1);
    text_add_string(&text, "};\nstatic const SennitCut cuts[] = {\n");
    for (uint32_t i = 0; i < conf->cuts.count; i++)
        text_add(&text, "    {%d, {%uu, %uu}},\n", conf->cuts.items[i].most, conf->cuts.items[i].sides[0],
                 conf->cuts.items[i].sides[1]);
    text_add(&text, "    {0, {0, 0}}};\nconst SennitCluster sennit_cluster = {%u, nodes, %u, cuts};\n",
             conf->nodes.count, conf->cuts.count);
    text_add_string(&text, "int sennit_user_main(int count, char **arguments, char **environment)\n"
                           "{\n    return count && arguments && environment;\n}\n");
    const char *source = scratch_name(&linking->scratch, "nodes", ".c", error);
    const char *object = source ? scratch_name(&linking->scratch, "nodes", ".o", error) : NULL;
    bool good = object && scratch_write(source, text.data, text.length, error);
    text_release(&text);
    if (!good)
        return NULL;
    LinkerWords command = {0};
    VEC_PUSH(&command, linking->installation.compiler);
    VEC_PUSH(&command, "-fno-pie");
    VEC_PUSH(&command, "-c");
    VEC_PUSH(&command, source);
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, object);
    return run(&command, "the table of nodes", error) ? object : NULL;
}

/* ---- All of it ---------------------------------------------------------------------------------- */

static bool add_nodes(Linking *linking, LinkerWords *command, Error *error)
{
    const char *table = make_table(linking, error);
    if (!table)
        return false;
    VEC_PUSH(command, table);
    for (uint32_t i = 0; i < linking->conf->nodes.count; i++) {
        const LinkedProgram *part = find_part(linking, &linking->conf->nodes.items[i], error);
        const char *copy = part ? copy_part(linking, part, i + 1, error) : NULL;
        if (!copy)
            return false;
        VEC_PUSH(command, copy);
    }
    return true;
}

static bool link_all(Linking *linking, const char *output, Error *error)
{
    LinkerWords command = {0};
    VEC_PUSH(&command, linking->installation.compiler);
    VEC_PUSH(&command, "-Wno-unused-command-line-argument");
    VEC_PUSH(&command, "-no-pie");
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, output);
    if (!add_nodes(linking, &command, error)) {
        VEC_FREE(&command);
        return false;
    }
    VEC_PUSH(&command, linking->installation.runtime);
    for (uint32_t i = 0; i < linking->kept.words.count; i++)
        VEC_PUSH(&command, linking->kept.words.items[i]);
    VEC_PUSH(&command, "-lpthread");
    VEC_PUSH(&command, "-lm");
    return run(&command, "linking the nodes", error);
}

/* Instrumented code that belongs to no node, as of a library found in a directory of the system, would have one memory
 * for all nodes. It carries its bitcode; that of the nodes was removed. */
static bool check_shared(const char *output, Error *error)
{
    ElfFile file;
    int fd = open(output, O_RDONLY | O_CLOEXEC);
    bool mapped = fd >= 0 && elf_map(&file, fd);
    if (fd >= 0)
        close(fd);
    if (!mapped)
        return error_set(error, EXIT_USAGE, "cannot read %s", output);
    bool shared = elf_find_section(&file, CARRIED_SECTION).size > 0;
    elf_unmap(&file);
    return !shared || error_set(error, EXIT_USAGE,
                                "a library (-l) was built with sennit cc, but found in a directory of the system: the "
                                "nodes would share its memory; link them with its file name, or with -L");
}

bool cluster_link(const Conf *conf, const char *output, Error *error)
{
    Linking linking = {.conf = conf};
    bool good = installation_find(&linking.installation, error) &&
                installation_find_objcopy(linking.installation.objcopy, error) && link_all(&linking, output, error) &&
                check_shared(output, error);
    scratch_release(&linking.scratch);
    kept_release(&linking.kept);
    for (uint32_t i = 0; i < linking.texts.count; i++)
        free(linking.texts.items[i]);
    VEC_FREE(&linking.texts);
    VEC_FREE(&linking.parts);
    return good;
}
