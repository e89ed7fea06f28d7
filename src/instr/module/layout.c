/* layout.c - see layout.h
 *
 * LLVM-C has no calls for the operands of debug types, so they are accessed by number. */
#include "instr/module/layout.h"

#include <llvm-c/DebugInfo.h>

#include "base/text.h"
#include "instr/module/site.h"

/* Operands of debug information nodes in LLVM 19. */
enum { VARIABLE_TYPE = 3, TYPE_BASE = 3, COMPOSITE_ELEMENTS = 4, SUBRANGE_COUNT = 0 };

/* Tags of DWARF. */
enum {
    TAG_ARRAY = 0x01, TAG_MEMBER = 0x0d, TAG_STRUCT = 0x13, TAG_TYPEDEF = 0x16, TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35, TAG_RESTRICT = 0x37, TAG_ATOMIC = 0x47
};

enum { DEEPEST = 6, LONGEST = 4000, MOST_DIMENSIONS = 8 };

/* ---- Nodes ------------------------------------------------------------------- */

/* Calls on debug information do not check their arguments: they must be nodes. */
static LLVMMetadataRef operand(Module *m, LLVMMetadataRef node, unsigned index)
{
    LLVMValueRef operands[64], value = LLVMMetadataAsValue(m->context, node);
    unsigned count = LLVMGetMDNodeNumOperands(value);
    if (index >= count || count > sizeof operands / sizeof operands[0])
        return NULL;
    LLVMGetMDNodeOperands(value, operands);
    return operands[index] ? LLVMValueAsMetadata(operands[index]) : NULL;
}

static unsigned operand_count(Module *m, LLVMMetadataRef node)
{
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(m->context, node));
}

/* A type without its names and qualifiers. */
static LLVMMetadataRef bare(Module *m, LLVMMetadataRef type)
{
    while (type) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_RESTRICT && tag != TAG_ATOMIC)
            break;
        type = operand(m, type, TYPE_BASE);
    }
    return type;
}

/* ---- Writing ------------------------------------------------------------------ */

static void write_type(Module *m, LLVMMetadataRef type, unsigned depth, Text *out);

static void write_struct(Module *m, LLVMMetadataRef type, unsigned depth, Text *out)
{
    LLVMMetadataRef members = operand(m, type, COMPOSITE_ELEMENTS);
    unsigned count = members ? operand_count(m, members) : 0;
    text_add_string(out, "{");
    for (unsigned i = 0; i < count && i < 64; i++) {
        LLVMMetadataRef member = operand(m, members, i);
        size_t length;
        if (!member || LLVMGetDINodeTag(member) != TAG_MEMBER)
            continue;
        const char *name = LLVMDITypeGetName(member, &length);
        text_add(out, "%llu:%.*s", (unsigned long long)LLVMDITypeGetOffsetInBits(member) / 8, (int)length, name);
        write_type(m, operand(m, member, TYPE_BASE), depth, out);
        text_add_string(out, ";");
    }
    text_add_string(out, "}");
}

/* The number of elements of a dimension; 0 if it is not known. */
static uint64_t count_elements(Module *m, LLVMMetadataRef dimension)
{
    LLVMValueRef operands[8], value = LLVMMetadataAsValue(m->context, dimension);
    unsigned count = LLVMGetMDNodeNumOperands(value);
    if (count == 0 || count > 8)
        return 0;
    LLVMGetMDNodeOperands(value, operands);
    LLVMValueRef number = operands[SUBRANGE_COUNT];
    return number && LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : 0;
}

/* One pair of brackets per dimension, the outermost first. */
static void write_array(Module *m, LLVMMetadataRef type, unsigned depth, Text *out)
{
    LLVMMetadataRef element = bare(m, operand(m, type, TYPE_BASE)), dimensions = operand(m, type, COMPOSITE_ELEMENTS);
    unsigned count = dimensions ? operand_count(m, dimensions) : 0;
    uint64_t size = element ? LLVMDITypeGetSizeInBits(element) / 8 : 0, sizes[MOST_DIMENSIONS];
    if (size == 0 || count == 0 || count > MOST_DIMENSIONS)
        return;
    for (unsigned i = count; i-- > 0;) {
        LLVMMetadataRef dimension = operand(m, dimensions, i);
        sizes[i] = size;
        size *= dimension ? count_elements(m, dimension) : 0;
    }
    for (unsigned i = 0; i < count; i++) {
        if (sizes[i] == 0)
            return;
        text_add(out, "[%llu]", (unsigned long long)sizes[i]);
    }
    write_type(m, element, depth, out);
}

static void write_type(Module *m, LLVMMetadataRef type, unsigned depth, Text *out)
{
    type = bare(m, type);
    if (!type || depth == DEEPEST || out->length > LONGEST)
        return;
    if (LLVMGetDINodeTag(type) == TAG_STRUCT)
        write_struct(m, type, depth + 1, out);
    else if (LLVMGetDINodeTag(type) == TAG_ARRAY)
        write_array(m, type, depth + 1, out);
}

LLVMValueRef layout_of_global(Module *m, LLVMValueRef global)
{
    LLVMMetadataRef variable = site_variable(m, global);
    Text layout = {0};
    if (variable)
        write_type(m, operand(m, variable, VARIABLE_TYPE), 0, &layout);
    LLVMValueRef constant = layout.length ? module_string(m, layout.data) : LLVMConstNull(m->ptr);
    text_release(&layout);
    return constant;
}
