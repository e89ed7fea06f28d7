/* ctype.c - see ctype.h */
#include "cgen/ctype.h"

#include <string.h>

/* ---- Kinds --------------------------------------------------------------------------------- */

static bool is_wrapper(const DebugInfo *info, int type)
{
    static const char *const tags[] = {"DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type",
                                       "DW_TAG_restrict_type", "DW_TAG_atomic_type"};
    for (unsigned i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (debuginfo_has_tag(info, type, tags[i]))
            return true;
    return false;
}

int ctype_base(const DebugInfo *info, int type) { return debuginfo_node(info, type, "baseType"); }

int ctype_strip(const DebugInfo *info, int type)
{
    while (is_wrapper(info, type))
        type = ctype_base(info, type);
    return type;
}

static CKind number_kind(const DebugInfo *info, int type)
{
    long long size = debuginfo_number(info, type, "size", 0);
    if (debuginfo_has_word(info, type, "encoding", "DW_ATE_boolean"))
        return CTYPE_BOOL;
    if (debuginfo_has_word(info, type, "encoding", "DW_ATE_float"))
        return size == 32 || size == 64 ? CTYPE_FLOAT : CTYPE_WIDE;
    return size == 8 || size == 16 || size == 32 || size == 64 ? CTYPE_NUMBER : CTYPE_WIDE;
}

CKind ctype_kind(const DebugInfo *info, int type)
{
    type = ctype_strip(info, type);
    if (type == DEBUG_NONE)
        return CTYPE_VOID;
    if (debuginfo_is(info, type, "DIBasicType"))
        return number_kind(info, type);
    if (debuginfo_is(info, type, "DISubroutineType"))
        return CTYPE_FUNCTION;
    if (debuginfo_has_word(info, type, "flags", "DIFlagFwdDecl"))
        return CTYPE_INCOMPLETE;
    static const struct {
        const char *tag;
        CKind kind;
    } tags[] = {{"DW_TAG_pointer_type", CTYPE_POINTER},
                {"DW_TAG_structure_type", CTYPE_STRUCT},
                {"DW_TAG_union_type", CTYPE_UNION},
                {"DW_TAG_enumeration_type", CTYPE_ENUM},
                {"DW_TAG_array_type", CTYPE_ARRAY}};
    for (unsigned i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (debuginfo_has_tag(info, type, tags[i].tag))
            return tags[i].kind;
    return CTYPE_UNKNOWN;
}

bool ctype_is_const(const DebugInfo *info, int type)
{
    for (; is_wrapper(info, type); type = ctype_base(info, type))
        if (debuginfo_has_tag(info, type, "DW_TAG_const_type"))
            return true;
    return debuginfo_has_tag(info, type, "DW_TAG_array_type") && ctype_is_const(info, ctype_base(info, type));
}

uint64_t ctype_size(const DebugInfo *info, int type)
{
    return (uint64_t)debuginfo_number(info, ctype_strip(info, type), "size", 0) / 8;
}

bool ctype_is_byte(const DebugInfo *info, int type)
{
    return ctype_kind(info, type) == CTYPE_NUMBER && ctype_size(info, type) == 1;
}

bool ctype_is_char(const DebugInfo *info, int type)
{
    Text name = {0};
    bool same = ctype_is_byte(info, type) && debuginfo_string(info, ctype_strip(info, type), "name", &name) &&
                strcmp(name.data, "char") == 0;
    text_release(&name);
    return same;
}

bool ctype_is_signed(const DebugInfo *info, int type)
{
    type = ctype_strip(info, type);
    return debuginfo_has_word(info, type, "encoding", "DW_ATE_signed") ||
           debuginfo_has_word(info, type, "encoding", "DW_ATE_signed_char");
}

/* ---- Parts --------------------------------------------------------------------------------- */

bool ctype_dimension(const DebugInfo *info, int array, uint32_t nth, long long *count)
{
    int range;
    if (!debuginfo_element(info, debuginfo_node(info, ctype_strip(info, array), "elements"), nth, &range))
        return false;
    *count = debuginfo_number(info, range, "count", -1);
    return true;
}

bool ctype_member(const DebugInfo *info, int type, uint32_t nth, int *member)
{
    return debuginfo_element(info, debuginfo_node(info, ctype_strip(info, type), "elements"), nth, member);
}

int ctype_flexible_member(const DebugInfo *info, int type)
{
    int member, last = DEBUG_NONE;
    long long count;
    for (uint32_t i = 0; ctype_kind(info, type) == CTYPE_STRUCT && ctype_member(info, type, i, &member); i++)
        last = member;
    int array = last == DEBUG_NONE ? DEBUG_NONE : ctype_base(info, last);
    bool open = array != DEBUG_NONE && ctype_kind(info, array) == CTYPE_ARRAY &&
                ctype_dimension(info, array, 0, &count) && count < 0;
    return open ? last : DEBUG_NONE;
}

bool ctype_has_pointers(const DebugInfo *info, int type)
{
    CKind kind = ctype_kind(info, type);
    int member;
    if (kind == CTYPE_POINTER)
        return true;
    if (kind == CTYPE_ARRAY)
        return ctype_has_pointers(info, ctype_base(info, ctype_strip(info, type)));
    for (uint32_t i = 0; (kind == CTYPE_STRUCT || kind == CTYPE_UNION) && ctype_member(info, type, i, &member); i++)
        if (ctype_has_pointers(info, ctype_base(info, member)))
            return true;
    return false;
}

/* ---- Spelling -------------------------------------------------------------------------- */

static void spell_array(const DebugInfo *info, int type, Text *text)
{
    long long count;
    text_add_string(text, "__typeof__(");
    ctype_spell(info, ctype_base(info, type), text);
    for (uint32_t i = 0; ctype_dimension(info, type, i, &count); i++)
        text_add(text, "[%lld]", count < 0 ? 0 : count);
    text_add_string(text, ") ");
}

void ctype_spell(const DebugInfo *info, int type, Text *text)
{
    static const struct {
        const char *tag, *word;
    } tags[] = {
        {"DW_TAG_structure_type", "struct "}, {"DW_TAG_union_type", "union "}, {"DW_TAG_enumeration_type", "enum "}};
    Text name = {0};
    const char *word = "";
    while (is_wrapper(info, type) && !debuginfo_has_tag(info, type, "DW_TAG_typedef"))
        type = ctype_base(info, type);
    if (ctype_is_const(info, type)) /* a typedef of a qualified type cannot be used */
        type = ctype_strip(info, type);
    bool named = debuginfo_string(info, type, "name", &name);
    for (unsigned i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (debuginfo_has_tag(info, type, tags[i].tag))
            word = tags[i].word;
    if (type == DEBUG_NONE) {
        text_add_string(text, "void ");
    } else if (debuginfo_has_tag(info, type, "DW_TAG_pointer_type") &&
               ctype_kind(info, ctype_base(info, type)) == CTYPE_FUNCTION) {
        text_add_string(text, "void *");
    } else if (debuginfo_has_tag(info, type, "DW_TAG_pointer_type")) {
        ctype_spell(info, ctype_base(info, type), text);
        text_add_string(text, "*");
    } else if (debuginfo_has_tag(info, type, "DW_TAG_array_type")) {
        spell_array(info, type, text);
    } else {
        text_add(text, "%s%s ", word, named ? name.data : "int");
    }
    text_release(&name);
}

/* ---- Functions ------------------------------------------------------------------------------- */

bool ctype_parameter(const DebugInfo *info, int function, uint32_t nth, int *type)
{
    return debuginfo_element(info, debuginfo_node(info, debuginfo_node(info, function, "type"), "types"), nth, type);
}

void ctype_parameter_name(const DebugInfo *info, int function, uint32_t nth, Text *name)
{
    int variable = debuginfo_find_parameter(info, function, nth);
    if (variable == DEBUG_NONE || !debuginfo_string(info, variable, "name", name))
        text_add(name, "argument%u", nth);
}
