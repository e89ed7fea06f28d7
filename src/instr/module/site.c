/* site.c - see site.h
 *
 * Design: an open-addressing hash table from (file, function, line, column) to the
 * constant. File and function names are constants too, shared through the same table
 * under a key without a line.
 */
#include "instr/module/site.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "instr/module/callee.h"

typedef struct SiteKey {
    const char *file; /* owned by the entry; function likewise */
    const char *function;
    unsigned line, column;
    bool is_volatile;
} SiteKey;

typedef struct SiteEntry {
    SiteKey key;
    LLVMValueRef constant; /* NULL: free slot */
} SiteEntry;

struct SiteTable {
    SiteEntry *entries;
    uint32_t count, room; /* room is a power of two */
};

/* ---- Table ---------------------------------------------------------------- */

SiteTable *site_table_create(void)
{
    SiteTable *table = mem_alloc(sizeof *table);
    table->room = 256;
    table->entries = mem_alloc(table->room * sizeof *table->entries);
    return table;
}

void site_table_destroy(SiteTable *table)
{
    if (!table)
        return;
    for (uint32_t i = 0; i < table->room; i++) {
        free((char *)table->entries[i].key.file);
        free((char *)table->entries[i].key.function);
    }
    free(table->entries);
    free(table);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
    return (hash ^ 0xff) * 0x100000001b3ull;
}

static uint32_t hash_key(const SiteKey *key)
{
    uint64_t hash = hash_text(hash_text(0xcbf29ce484222325ull, key->file), key->function);
    hash = (hash ^ key->line) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ (2 * (uint64_t)key->column + key->is_volatile)) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(hash >> 32);
}

static bool same_key(const SiteKey *a, const SiteKey *b)
{
    return a->line == b->line && a->column == b->column && a->is_volatile == b->is_volatile &&
           strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

static SiteEntry *find_slot(SiteTable *table, const SiteKey *key)
{
    uint32_t i = hash_key(key) & (table->room - 1);
    while (table->entries[i].constant && !same_key(&table->entries[i].key, key))
        i = (i + 1) & (table->room - 1);
    return &table->entries[i];
}

static void grow(SiteTable *table)
{
    SiteTable bigger = {.room = table->room * 2, .count = table->count};
    bigger.entries = mem_alloc(bigger.room * sizeof *bigger.entries);
    for (uint32_t i = 0; i < table->room; i++)
        if (table->entries[i].constant)
            *find_slot(&bigger, &table->entries[i].key) = table->entries[i];
    free(table->entries);
    *table = bigger;
}

static void insert(SiteTable *table, const SiteKey *key, LLVMValueRef constant)
{
    if (2 * ++table->count > table->room)
        grow(table);
    SiteEntry *slot = find_slot(table, key);
    slot->key = *key;
    slot->key.file = mem_copy_string(key->file);
    slot->key.function = mem_copy_string(key->function);
    slot->constant = constant;
}

/* ---- Constants ------------------------------------------------------------ */

static LLVMValueRef shared_string(Module *m, const char *text)
{
    SiteKey key = {.file = text, .function = ""};
    LLVMValueRef found = find_slot(m->sites, &key)->constant;
    if (found)
        return found;
    LLVMValueRef made = module_string(m, text);
    insert(m->sites, &key, made);
    return made;
}

static LLVMValueRef make_site(Module *m, const SiteKey *key)
{
    LLVMValueRef fields[] = {shared_string(m, key->file), shared_string(m, key->function),
                             module_i32(m, key->line), module_i32(m, key->column),
                             module_i32(m, key->is_volatile)};
    return module_constant(m, LLVMConstStructInContext(m->context, fields, 5, 0), NULL, 8);
}

/* A line of 0 still makes a site: the key of a shared string has an empty function. */
static LLVMValueRef intern(Module *m, const SiteKey *key)
{
    LLVMValueRef found = find_slot(m->sites, key)->constant;
    if (found)
        return found;
    LLVMValueRef made = make_site(m, key);
    insert(m->sites, key, made);
    return made;
}

/* ---- Debug locations ------------------------------------------------------ */

/* LLVM's strings are not NUL-terminated; the copy is valid until the next call with the same buffer. */
static const char *copy_text(char *buffer, size_t size, const char *text, unsigned length)
{
    snprintf(buffer, size, "%.*s", (int)length, text ? text : "");
    return buffer;
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* clang names a file relative to the prefix it shares with the working directory, which may be a parent of that. */
static bool is_here(const char *folder, unsigned length)
{
    char here[4096];
    return getcwd(here, sizeof here) && strlen(here) == length && memcmp(here, folder, length) == 0;
}

static SiteKey key_of_file(LLVMMetadataRef scope, char *buffer, size_t size)
{
    SiteKey key = {.file = "?", .function = "?"};
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (file) {
        unsigned length, folder_length;
        const char *name = LLVMDIFileGetFilename(file, &length);
        const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
        if (length == 0 || name[0] == '/' || folder_length == 0 || is_here(folder, folder_length))
            key.file = copy_text(buffer, size, name, length);
        else if (snprintf(buffer, size, "%.*s/%.*s", (int)folder_length, folder, (int)length, name) < (int)size)
            key.file = buffer;
    }
    return key;
}

static SiteKey key_of_function(LLVMValueRef function, char *buffer, size_t size)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    SiteKey key = key_of_file(subprogram, buffer, size);
    key.function = module_name_of(function);
    key.line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
    return key;
}

/* Operands of debug information nodes in LLVM 19, which LLVM-C has no calls for. */
enum { BLOCK_SCOPE = 1, SUBPROGRAM_NAME = 2, MAX_OPERANDS = 32 };

static LLVMValueRef operand(LLVMContextRef context, LLVMMetadataRef node, unsigned index)
{
    LLVMValueRef operands[MAX_OPERANDS], value = LLVMMetadataAsValue(context, node);
    unsigned count = LLVMGetMDNodeNumOperands(value);
    if (index >= count || count > MAX_OPERANDS)
        return NULL;
    LLVMGetMDNodeOperands(value, operands);
    return operands[index];
}

/* The function in whose source an inlined instruction is; NULL if unknown. */
static const char *written_in(LLVMContextRef context, LLVMMetadataRef scope, char *buffer, size_t size)
{
    while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
        if (kind != LLVMDILexicalBlockMetadataKind && kind != LLVMDILexicalBlockFileMetadataKind)
            return NULL;
        LLVMValueRef outer = operand(context, scope, BLOCK_SCOPE);
        scope = outer ? LLVMValueAsMetadata(outer) : NULL;
    }
    LLVMValueRef name = scope ? operand(context, scope, SUBPROGRAM_NAME) : NULL;
    unsigned length = 0;
    const char *text = name ? LLVMGetMDString(name, &length) : NULL;
    return text ? copy_text(buffer, size, text, length) : NULL;
}

/* Storage for the texts of a key. */
typedef struct SiteBuffers {
    char file[4096], function[256];
} SiteBuffers;

static SiteKey key_of_instruction(LLVMValueRef instruction, SiteBuffers *buffers)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    LLVMValueRef function = function_of(instruction);
    if (!location)
        return key_of_function(function, buffers->file, sizeof buffers->file);
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    SiteKey key = key_of_file(scope, buffers->file, sizeof buffers->file);
    key.function = module_name_of(function);
    if (LLVMDILocationGetInlinedAt(location)) {
        LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
        const char *name = written_in(context, scope, buffers->function, sizeof buffers->function);
        key.function = name ? name : key.function;
    }
    key.line = LLVMDILocationGetLine(location);
    key.column = LLVMDILocationGetColumn(location);
    return key;
}

/* Code of the library reports its caller's place: the one stored last when the function began. */
static LLVMValueRef site_of_caller(Module *m, LLVMValueRef function)
{
    static const char name[] = "place.of.caller";
    LLVMValueRef variable = LLVMGetNamedGlobal(m->llvm, "sennit_rt_site");
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    if (name_begins(module_name_of(first), name))
        return first;
    if (!variable)
        variable = LLVMAddGlobal(m->llvm, m->ptr, "sennit_rt_site");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(builder, first);
    LLVMValueRef site = LLVMBuildLoad2(builder, m->ptr, variable, name);
    LLVMDisposeBuilder(builder);
    return site;
}

/* The length of the name in the source: passes add suffixes (pass_versions.c). */
static size_t source_length(const char *function)
{
    static const char *const added[] = {SITE_LOCAL, ".plain", ".tracked"};
    for (unsigned i = 0; i < sizeof added / sizeof *added; i++) {
        const char *end = strstr(function, added[i]);
        if (end)
            return (size_t)(end - function);
    }
    return strlen(function);
}

static bool is_volatile_access(LLVMValueRef i)
{
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i);
}

LLVMValueRef site_of(Module *m, LLVMValueRef instruction)
{
    SiteBuffers buffers;
    if (m->flags.library)
        return site_of_caller(m, function_of(instruction));
    SiteKey key = key_of_instruction(instruction, &buffers);
    key.is_volatile = is_volatile_access(instruction);
    if (key.function != buffers.function)
        key.function =
            copy_text(buffers.function, sizeof buffers.function, key.function, (unsigned)source_length(key.function));
    if (strcmp(key.function, "sennit_user_main") == 0)
        key.function = "main";
    return intern(m, &key);
}

LLVMValueRef site_of_function(Module *m, LLVMValueRef function)
{
    char file[4096];
    SiteKey key = key_of_function(function, file, sizeof file);
    return intern(m, &key);
}

/* The debug information of the variable, or NULL. */
LLVMMetadataRef site_variable(Module *m, LLVMValueRef global)
{
    unsigned dbg = LLVMGetMDKindIDInContext(m->context, "dbg", 3);
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef variable = NULL;
    for (unsigned i = 0; i < count && !variable; i++)
        if (LLVMValueMetadataEntriesGetKind(entries, i) == dbg)
            variable = LLVMDIGlobalVariableExpressionGetVariable(LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
    return variable;
}

LLVMValueRef site_of_global(Module *m, LLVMValueRef global)
{
    LLVMMetadataRef variable = site_variable(m, global);
    LLVMMetadataRef file = variable ? LLVMDIVariableGetFile(variable) : NULL;
    if (!file)
        return LLVMConstNull(m->ptr);
    char buffer[4096];
    unsigned length;
    const char *name = LLVMDIFileGetFilename(file, &length);
    SiteKey key = {.file = copy_text(buffer, sizeof buffer, name, length),
                   .function = module_name_of(global),
                   .line = LLVMDIVariableGetLine(variable)};
    return intern(m, &key);
}

void site_read(LLVMValueRef instruction, SiteText *text)
{
    SiteBuffers buffers;
    SiteKey key = key_of_instruction(instruction, &buffers);
    snprintf(text->file, sizeof text->file, "%s", key.file);
    snprintf(text->function, sizeof text->function, "%s", key.function);
    text->line = key.line;
    text->column = key.column;
}

void site_print(FILE *out, LLVMValueRef instruction)
{
    SiteBuffers buffers;
    SiteKey key = key_of_instruction(instruction, &buffers);
    if (key.line)
        fprintf(out, "%s:%u:%u: ", key.file, key.line, key.column);
    else
        fprintf(out, "in %s: ", key.function);
}
