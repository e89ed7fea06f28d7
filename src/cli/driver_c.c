/* driver_c.c - see driver_c.h
 *
 * Everything that is pointed to comes from malloc: accesses out of bounds are noticed, and the
 * function may free it.
 */
#include "cli/driver_c.h"

#include <stdio.h>
#include <string.h>

enum { MOST_POINTERS = 3, MOST_UNROLLED = 64, MOST_ENUMERATORS = 64 };

typedef struct Driver {
    const DebugInfo *info;
    const DriverOptions *options;
    Text *text;
    Error *error;
    uint32_t blocks;   /* that are pointed to, for their names          */
    uint32_t pointers; /* that were followed on the way to the value    */
    int place;         /* node with the line for messages               */
    unsigned indent;
} Driver;

static bool add_value(Driver *d, const char *target, const char *name, int type);

/* ---- Helpers ------------------------------------------------------------------------------- */

static void add_line(Driver *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(Driver *d, const char *format, ...)
{
    va_list args;
    text_add_fill(d->text, ' ', (int)d->indent);
    va_start(args, format);
    text_add_list(d->text, format, args);
    va_end(args);
    text_add_string(d->text, "\n");
}

static bool refuse(Driver *d, const char *name, const char *what)
{
    Text path = {0};
    bool own = !debuginfo_file(d->info, d->place, &path) || strcmp(text_borrow(&path), d->options->source) == 0;
    error_set(d->error, EXIT_USAGE, "%s:%lld: %s is %s: there are no inputs of this type", own ? d->options->shown : text_borrow(&path),
              debuginfo_number(d->info, d->place, "line", 0), name, what);
    text_release(&path);
    return false;
}

static bool is_wrapper(const DebugInfo *info, int type)
{
    static const char *const tags[] = {"DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type",
                                       "DW_TAG_atomic_type"};
    for (unsigned i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (debuginfo_has_tag(info, type, tags[i]))
            return true;
    return false;
}

/* The type without names and qualifiers. */
static int strip(const DebugInfo *info, int type)
{
    while (is_wrapper(info, type))
        type = debuginfo_node(info, type, "baseType");
    return type;
}

/* The type as C writes it. */
static void spell(const DebugInfo *info, int type, Text *text)
{
    Text name = {0};
    bool named = debuginfo_string(info, type, "name", &name);
    if (type == DEBUG_NONE)
        text_add_string(text, "void");
    else if (debuginfo_has_tag(info, type, "DW_TAG_pointer_type")) {
        spell(info, debuginfo_node(info, type, "baseType"), text);
        text_add_string(text, " *");
    } else if (is_wrapper(info, type) && !debuginfo_has_tag(info, type, "DW_TAG_typedef"))
        spell(info, debuginfo_node(info, type, "baseType"), text); /* a variable of the driver needs no qualifiers */
    else if (debuginfo_has_tag(info, type, "DW_TAG_structure_type"))
        text_add(text, "struct %s", text_borrow(&name));
    else if (debuginfo_has_tag(info, type, "DW_TAG_enumeration_type"))
        text_add(text, "enum %s", text_borrow(&name));
    else
        text_add_string(text, named ? name.data : "int");
    text_release(&name);
}

static bool is_const(const DebugInfo *info, int type)
{
    for (; is_wrapper(info, type); type = debuginfo_node(info, type, "baseType"))
        if (debuginfo_has_tag(info, type, "DW_TAG_const_type"))
            return true;
    return false;
}

/* The type for a variable that can be written to: a name that stands for a qualified type will not do. */
static void spell_variable(const DebugInfo *info, int type, Text *text)
{
    while (is_wrapper(info, type) && !debuginfo_has_tag(info, type, "DW_TAG_typedef"))
        type = debuginfo_node(info, type, "baseType");
    spell(info, is_const(info, type) ? strip(info, type) : type, text);
    text_add_string(text, debuginfo_has_tag(info, type, "DW_TAG_pointer_type") ? "" : " ");
}

/* ---- Numbers ---------------------------------------------------------------------------------- */

static const char *input_of(const DebugInfo *info, int type)
{
    static const char *const by_size[2][4] = {{"uchar", "ushort", "uint", "ulong"}, {"char", "short", "int", "long"}};
    long long size = debuginfo_number(info, type, "size", 0);
    if (debuginfo_has_word(info, type, "encoding", "DW_ATE_boolean"))
        return "bool";
    if (debuginfo_has_word(info, type, "encoding", "DW_ATE_float"))
        return size == 32 ? "float" : size == 64 ? "double" : NULL;
    bool is_signed = debuginfo_has_word(info, type, "encoding", "DW_ATE_signed") ||
                     debuginfo_has_word(info, type, "encoding", "DW_ATE_signed_char");
    for (unsigned i = 0; i < 4; i++)
        if (size == 8 << i)
            return by_size[is_signed][i];
    return NULL;
}

static bool add_number(Driver *d, const char *target, const char *name, int type)
{
    const char *input = input_of(d->info, type);
    if (!input)
        return refuse(d, name, "a number of more than 64 bits");
    add_line(d, "%s = sennit_%s(\"%s\");", target, input, name);
    return true;
}

/* One of the enumerators. */
static bool add_enum(Driver *d, const char *target, const char *name, int type)
{
    int list = debuginfo_node(d->info, type, "elements"), element;
    Text condition = {0};
    uint32_t count = 0;
    for (; debuginfo_element(d->info, list, count, &element); count++)
        text_add(&condition, "%s(%s == %lld)", count ? " | " : "", target, debuginfo_number(d->info, element, "value", 0));
    add_line(d, "%s = sennit_int(\"%s\");", target, name);
    if (count > 0 && count <= MOST_ENUMERATORS)
        add_line(d, "sennit_assume(%s);", text_borrow(&condition));
    text_release(&condition);
    return true;
}

/* ---- Structures and arrays -------------------------------------------------------------------- */

static bool add_members(Driver *d, const char *target, const char *name, int type)
{
    int list = debuginfo_node(d->info, type, "elements"), member, place = d->place;
    Text inner = {0}, inner_name = {0}, word = {0};
    bool good = !debuginfo_has_word(d->info, type, "flags", "DIFlagFwdDecl") || refuse(d, name, "of an incomplete type");
    for (uint32_t i = 0; good && debuginfo_element(d->info, list, i, &member); i++) {
        bool named = debuginfo_string(d->info, member, "name", &word);
        text_reset(&inner);
        text_reset(&inner_name);
        int base = debuginfo_node(d->info, member, "baseType");
        if (is_const(d->info, base)) {
            text_add_string(&inner, "(*(");
            spell_variable(d->info, base, &inner);
            text_add(&inner, "*)&%s.%s)", target, text_borrow(&word));
        } else {
            text_add(&inner, named ? "%s.%s" : "%s%s", target, text_borrow(&word));
        }
        text_add(&inner_name, named ? "%s.%s" : "%s%s", name, text_borrow(&word));
        d->place = member;
        good = add_value(d, text_borrow(&inner), text_borrow(&inner_name), base);
        d->place = place;
    }
    text_release(&inner);
    text_release(&inner_name);
    text_release(&word);
    return good;
}

/* The elements of an array of the program, or of what a pointer points to. */
static bool add_elements(Driver *d, const char *target, const char *name, int type, long long count)
{
    Text inner = {0}, inner_name = {0};
    bool good = count <= MOST_UNROLLED || refuse(d, name, "an array of more than 64 elements");
    for (long long i = 0; good && i < count; i++) {
        text_reset(&inner);
        text_reset(&inner_name);
        text_add(&inner, "%s[%lld]", target, i);
        text_add(&inner_name, "%s[%lld]", name, i);
        good = add_value(d, text_borrow(&inner), text_borrow(&inner_name), type);
    }
    text_release(&inner);
    text_release(&inner_name);
    return good;
}

static bool is_byte(const DebugInfo *info, int type)
{
    return debuginfo_is(info, type, "DIBasicType") && debuginfo_number(info, type, "size", 0) == 8 &&
           !debuginfo_has_word(info, type, "encoding", "DW_ATE_boolean");
}

static bool add_array(Driver *d, const char *target, const char *name, int type)
{
    int range, base = debuginfo_node(d->info, type, "baseType");
    int list = debuginfo_node(d->info, type, "elements");
    if (!debuginfo_element(d->info, list, 0, &range) || debuginfo_number(d->info, range, "count", -1) < 0)
        return refuse(d, name, "an array of unknown size");
    if (debuginfo_element(d->info, list, 1, &range))
        return refuse(d, name, "an array of arrays");
    debuginfo_element(d->info, list, 0, &range);
    if (is_byte(d->info, strip(d->info, base))) {
        add_line(d, "sennit_bytes(%s, sizeof %s, \"%s\");", target, target, name);
        return true;
    }
    return add_elements(d, target, name, base, debuginfo_number(d->info, range, "count", 0));
}

/* ---- Pointers --------------------------------------------------------------------------------- */

static bool is_char(const DebugInfo *info, int type)
{
    Text name = {0};
    bool same = debuginfo_is(info, type, "DIBasicType") && debuginfo_string(info, type, "name", &name) && strcmp(name.data, "char") == 0;
    text_release(&name);
    return same;
}

static bool add_block(Driver *d, const char *target, const char *name, int base)
{
    char block[32];
    uint32_t elements = d->options->elements;
    Text type = {0};
    int plain = strip(d->info, base);
    snprintf(block, sizeof block, "block%u", ++d->blocks);
    spell_variable(d->info, base, &type);
    if (is_char(d->info, plain)) {
        add_line(d, "char *%s = malloc(%u);", block, d->options->string + 1);
        if (d->options->string)
            add_line(d, "sennit_bytes(%s, %u, \"%s\");", block, d->options->string, name);
        add_line(d, "%s[%u] = 0;", block, d->options->string);
    } else if (plain == DEBUG_NONE || is_byte(d->info, plain)) {
        add_line(d, "unsigned char *%s = malloc(%u);", block, elements);
        add_line(d, "sennit_bytes(%s, %u, \"%s\");", block, elements, name);
    } else {
        add_line(d, "%s*%s = malloc(%u * sizeof *%s);", text_borrow(&type), block, elements, block);
    }
    text_release(&type);
    bool simple = is_char(d->info, plain) || plain == DEBUG_NONE || is_byte(d->info, plain);
    bool good = simple || add_elements(d, block, name, base, elements);
    add_line(d, "%s = (void *)%s;", target, block);
    return good;
}

static bool add_pointer(Driver *d, const char *target, const char *name, int type)
{
    int base = debuginfo_node(d->info, type, "baseType");
    if (debuginfo_is(d->info, strip(d->info, base), "DISubroutineType"))
        return refuse(d, name, "a pointer to a function");
    if (d->pointers == MOST_POINTERS) {
        add_line(d, "%s = NULL;", target);
        return true;
    }
    if (d->options->null)
        add_line(d, "if (sennit_bool(\"%s==NULL\")) {\n%*s%s = NULL;\n%*s} else {", name, (int)d->indent + 4, "", target, (int)d->indent, "");
    else
        add_line(d, "{");
    d->pointers++;
    d->indent += 4;
    bool good = add_block(d, target, name, base);
    d->indent -= 4;
    d->pointers--;
    add_line(d, "}");
    return good;
}

/* ---- All of it ---------------------------------------------------------------------------------- */

static bool add_value(Driver *d, const char *target, const char *name, int type)
{
    const DebugInfo *info = d->info;
    type = strip(info, type);
    if (debuginfo_is(info, type, "DIBasicType"))
        return add_number(d, target, name, type);
    if (debuginfo_has_tag(info, type, "DW_TAG_pointer_type"))
        return add_pointer(d, target, name, type);
    if (debuginfo_has_tag(info, type, "DW_TAG_structure_type"))
        return add_members(d, target, name, type);
    if (debuginfo_has_tag(info, type, "DW_TAG_enumeration_type"))
        return add_enum(d, target, name, type);
    if (debuginfo_has_tag(info, type, "DW_TAG_array_type"))
        return add_array(d, target, name, type);
    return refuse(d, name, debuginfo_has_tag(info, type, "DW_TAG_union_type") ? "a union" : "of an unknown type");
}

static bool add_parameter(Driver *d, int function, uint32_t nth, int type, Text *call)
{
    Text name = {0}, spelled = {0};
    int variable = debuginfo_find_parameter(d->info, function, nth);
    if (variable == DEBUG_NONE || !debuginfo_string(d->info, variable, "name", &name))
        text_add(&name, "argument%u", nth);
    d->place = variable == DEBUG_NONE ? function : variable;
    spell_variable(d->info, type, &spelled);
    text_add(call, "%s%s", nth > 1 ? ", " : "", name.data);
    add_line(d, "%s%s;", spelled.data, name.data);
    bool good = add_value(d, name.data, name.data, type);
    text_release(&name);
    text_release(&spelled);
    return good;
}

static bool add_call(Driver *d, int function)
{
    int types = debuginfo_node(d->info, debuginfo_node(d->info, function, "type"), "types"), type;
    Text call = {0};
    bool good = true;
    for (uint32_t nth = 1; good && debuginfo_element(d->info, types, nth, &type); nth++) {
        d->place = function;
        good = type == DEBUG_NONE ? refuse(d, d->options->function, "a function with variable arguments")
                                  : add_parameter(d, function, nth, type, &call);
    }
    add_line(d, "%s(%s);", d->options->function, text_borrow(&call));
    text_release(&call);
    return good;
}

bool driver_write(const DebugInfo *info, const DriverOptions *options, Text *text, Error *error)
{
    Driver driver = {.info = info, .options = options, .text = text, .error = error, .indent = 4};
    int function = debuginfo_find_function(info, options->function);
    if (function == DEBUG_NONE)
        return error_set(error, EXIT_USAGE, "%s defines no function %s", options->shown, options->function);
    text_add(text, "/* Calls %s with inputs for its arguments; written by `sennit generate`. */\n"
                   "#pragma push_macro(\"main\")\n#undef main\n#define main sennit_main_of_the_source\n"
                   "#include \"%s\"\n#undef main\n#pragma pop_macro(\"main\")\n\n"
                   "#include <sennit/sennit.h>\n#include <stdlib.h>\n\nint main(void)\n{\n", options->function, options->source);
    bool good = add_call(&driver, function);
    text_add_string(text, "    return 0;\n}\n");
    return good;
}
