/* shadow_memory.c - see shadow_memory.h */
#include "instr/shadow/shadow_memory.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_flow.h"
#include "rt/abi/shadow_hooks.h"

/* ---- Addresses ------------------------------------------------------------------------- */

/* A value without an expression can be accessed only at a concrete address. */
static bool lacks_expression(LLVMValueRef access)
{
    if (LLVMIsALoadInst(access))
        return !shadow_width(LLVMTypeOf(access));
    return LLVMIsAStoreInst(access) && !shadow_width(LLVMTypeOf(LLVMGetOperand(access, 0)));
}

/* Before `access`, or the hook in front of it: checks an address with a shadow, and explores each of its values
 * separately where that is necessary. Answers the shadow that the address then has. */
static LLVMValueRef settle_address(Shadow *s, LLVMValueRef access, LLVMValueRef pointer, LLVMValueRef size,
                                   bool is_private)
{
    LLVMValueRef accessed = LLVMIsACallInst(access) ? LLVMGetNextInstruction(access) : access;
    unsigned how = lacks_expression(accessed) ? SENNIT_ACCESS_WITHOUT_EXPRESSION
                   : is_private               ? SENNIT_ACCESS_PRIVATE
                                              : SENNIT_ACCESS_SHARED;
    Module *m = s->m;
    if (shadow_is_none(shadow_of(s, pointer, 0)))
        return shadow_none(s);
    LLVMPositionBuilderBefore(m->builder, access);
    LLVMValueRef args[] = {shadow_of(s, pointer, 0), pointer, size, module_i32(m, how), site_of(m, access)};
    return shadow_call(s, &(ShadowHelper){"pointer", m->i32, 1, SHADOW_NO_MEMORY}, args, 5);
}

/* An access without a hook is private. The hook right before an access has checked its address already. */
static LLVMValueRef settle_access(Shadow *s, LLVMValueRef access, LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(access);
    if (before && s->checked == before)
        return s->left;
    return settle_address(s, access, pointer, module_i64(s->m, module_size_of(s->m, type)), true);
}

/* The runtime's own variables: source places, coverage marks. */
static bool is_ours(LLVMValueRef pointer)
{
    while (LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAGlobalVariable(pointer) && name_begins(module_name_of(pointer), "sennit");
}

/* ---- Loads and stores ----------------------------------------------------------------------- */

static LLVMValueRef build_load(Shadow *s, LLVMValueRef pointer, LLVMValueRef s_pointer, unsigned width)
{
    Module *m = s->m;
    LLVMValueRef args[] = {pointer, s_pointer, module_i32(m, width)};
    return shadow_call(s, &(ShadowHelper){"load", m->i32, 1 << 1, 0}, args, 3);
}

static void build_store(Shadow *s, LLVMValueRef pointer, LLVMValueRef s_pointer, LLVMValueRef shadow, unsigned width)
{
    Module *m = s->m;
    LLVMValueRef args[] = {pointer, s_pointer, shadow, module_i32(m, width)};
    shadow_call(s, &(ShadowHelper){"store", m->void_type, 1 << 1 | 1 << 2, 0}, args, 4);
}

static void move_behind(Shadow *s, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(s->m->builder, LLVMGetNextInstruction(i));
    LLVMSetCurrentDebugLocation2(s->m->builder, LLVMInstructionGetDebugLoc(i));
}

/* Calls `each` for the scalars of a structure in memory. */
typedef void EachPart(Shadow *s, LLVMValueRef i, unsigned part, LLVMTypeRef type, LLVMValueRef pointer);

static void each_part(Shadow *s, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef pointer, uint64_t offset,
                      unsigned *part, EachPart *each)
{
    Module *m = s->m;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
            each_part(s, i, LLVMStructGetTypeAtIndex(type, k), pointer,
                      offset + LLVMOffsetOfElement(m->layout, type, k), part, each);
    } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetElementType(type));
        for (unsigned k = 0; k < LLVMGetArrayLength2(type); k++)
            each_part(s, i, LLVMGetElementType(type), pointer, offset + k * size, part, each);
    } else {
        LLVMValueRef at = module_i64(m, offset);
        LLVMValueRef place = offset ? LLVMBuildGEP2(m->builder, m->i8, pointer, &at, 1, "") : pointer;
        each(s, i, (*part)++, type, place);
    }
}

static void load_part(Shadow *s, LLVMValueRef i, unsigned part, LLVMTypeRef type, LLVMValueRef pointer)
{
    if (shadow_width(type))
        shadow_set(s, i, part, build_load(s, pointer, shadow_none(s), shadow_width(type)));
}

static void store_part(Shadow *s, LLVMValueRef i, unsigned part, LLVMTypeRef type, LLVMValueRef pointer)
{
    if (shadow_width(type))
        build_store(s, pointer, shadow_none(s), shadow_of(s, LLVMGetOperand(i, 0), part), shadow_width(type));
}

/* Concretises memory that is loaded with a type that has no expressions: floating point, vectors. */
static void load_untracked(Shadow *s, LLVMValueRef i, LLVMValueRef pointer)
{
    Module *m = s->m;
    LLVMValueRef args[] = {pointer, module_i64(m, module_size_of(m, LLVMTypeOf(i))), site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"untracked", m->void_type, 0, 0}, args, 3);
}

void shadow_load(Shadow *s, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    unsigned width = shadow_width(LLVMTypeOf(i)), part = 0;
    if (is_ours(pointer))
        return;
    LLVMValueRef left = settle_access(s, i, pointer, LLVMTypeOf(i));
    move_behind(s, i);
    if (width)
        shadow_set(s, i, 0, build_load(s, pointer, left, width));
    else if (shadow_part_count(LLVMTypeOf(i)))
        each_part(s, i, LLVMTypeOf(i), pointer, 0, &part, load_part);
    else
        load_untracked(s, i, pointer);
}

void shadow_store(Shadow *s, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width = shadow_width(type), part = 0;
    if (is_ours(pointer))
        return;
    LLVMValueRef left = settle_access(s, i, pointer, type);
    move_behind(s, i);
    if (width) {
        build_store(s, pointer, left, shadow_of(s, value, 0), width);
    } else if (shadow_part_count(type)) {
        each_part(s, i, type, pointer, 0, &part, store_part);
    } else {
        LLVMValueRef args[] = {pointer, shadow_none(s), module_i64(s->m, module_size_of(s->m, type))};
        shadow_call(s, &(ShadowHelper){"fill", s->m->void_type, 1 << 1, 0}, args, 3);
    }
}

/* ---- Hooks ---------------------------------------------------------------------------------------- */

static void decide_size(Shadow *s, LLVMValueRef call, LLVMValueRef size)
{
    Module *m = s->m;
    if (shadow_is_none(shadow_of(s, size, 0)))
        return;
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMValueRef args[] = {shadow_of(s, size, 0), LLVMBuildZExtOrBitCast(m->builder, size, m->i64, ""),
                           module_i32(m, 0), site_of(m, call)};
    shadow_call(s, &(ShadowHelper){"decide", m->void_type, 1, SHADOW_NO_MEMORY}, args, 4);
}

/* read4(p, site), read_n(p, size, site): the address is checked before the step. */
static void settle_hook(Shadow *s, LLVMValueRef call, const char *name)
{
    Module *m = s->m;
    const char *digits = name + strcspn(name, "0123456789_");
    LLVMValueRef size = *digits == '_' ? LLVMGetOperand(call, 1) : module_i64(m, (uint64_t)(*digits - '0'));
    decide_size(s, call, size);
    s->left = settle_address(s, call, LLVMGetOperand(call, 0), size, false);
    s->checked = call;
}

/* within(p, size, ...): a decision on a symbolic address comes first. */
static void settle_within(Shadow *s, LLVMValueRef call)
{
    decide_size(s, call, LLVMGetOperand(call, 1));
    bool is_private = private_pointer(NULL, LLVMGetOperand(call, 2));
    s->left = settle_address(s, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), is_private);
    s->checked = call;
}

/* The hook's i64 has the shadow of the value in its low bits. */
static void set_word(Shadow *s, LLVMValueRef call, LLVMValueRef shadow, LLVMValueRef size)
{
    Module *m = s->m;
    unsigned width = 8 * (unsigned)LLVMConstIntGetZExtValue(size);
    LLVMValueRef args[] = {module_i32(m, SENNIT_SHADOW_ZEXT), module_i32(m, width), module_i32(m, 64), shadow};
    shadow_set(s, call, 0, width == 64 ? shadow : shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, args, 4));
}

/* The shadow of the low bits of an i64 operand. */
static LLVMValueRef narrow(Shadow *s, LLVMValueRef word, LLVMValueRef size)
{
    Module *m = s->m;
    unsigned width = 8 * (unsigned)LLVMConstIntGetZExtValue(size);
    LLVMValueRef args[] = {module_i32(m, SENNIT_SHADOW_TRUNC), module_i32(m, 64), module_i32(m, width),
                           shadow_of(s, word, 0)};
    return width == 64 ? args[3] : shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, args, 4);
}

/* Replaces `call` by the hook that takes shadows too: the same arguments, then the shadows of some of them. */
static void call_tracked(Shadow *s, LLVMValueRef call, const char *name, const unsigned *operands, unsigned count,
                         LLVMValueRef size)
{
    Module *m = s->m;
    LLVMValueRef args[12];
    unsigned given = LLVMGetNumArgOperands(call);
    LLVMPositionBuilderBefore(m->builder, call);
    for (unsigned i = 0; i < given; i++)
        args[i] = LLVMGetOperand(call, i);
    for (unsigned i = 0; i < count; i++)
        args[given + i] = narrow(s, args[operands[i]], size);
    LLVMValueRef result = hook_call(m, LLVMTypeOf(call), name, args, given + count);
    if (LLVMTypeOf(call) == m->i64) {
        LLVMValueRef found =
            LLVMBuildLoad2(m->builder, m->i32, shadow_field(s, offsetof(SennitShadowCall, results)), "");
        LLVMReplaceAllUsesWith(call, result);
        map_insert(&s->maybe, map_key(result), NULL);
        set_word(s, result, found, size);
    }
    LLVMInstructionEraseFromParent(call);
}

/* Atomic operations that use shadows inside their step: which of their arguments have some, and which is the size. */
static void track_atomic(Shadow *s, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name, *tracked;
        unsigned operands[2], count, size;
    } hooks[] = {{"load", "shadow_atomic_load", {0}, 0, 1},
                 {"store", "shadow_atomic_store", {1}, 1, 2},        {"rmw", "shadow_atomic_rmw", {2}, 1, 3},
                 {"cas", "shadow_cas", {1, 2}, 2, 3},                {"await", "shadow_await", {5}, 1, 1},
                 {"await_rmw", "shadow_await_rmw", {0}, 0, 3},       {"await_cas", "shadow_await_cas", {1, 2}, 2, 3},
                 {"assume", "shadow_assume", {5}, 1, 1},             {"assume_rmw", "shadow_assume_rmw", {2}, 1, 3},
                 {"assume_cas", "shadow_assume_cas", {1, 2}, 2, 3}};
    for (unsigned i = 0; i < sizeof hooks / sizeof *hooks; i++)
        if (strcmp(name, hooks[i].name) == 0) {
            call_tracked(s, call, hooks[i].tracked, hooks[i].operands, hooks[i].count,
                         LLVMGetOperand(call, hooks[i].size));
            return;
        }
}

static void copy(Shadow *s, LLVMValueRef call, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size)
{
    move_behind(s, call);
    LLVMValueRef args[] = {to, from, LLVMBuildZExtOrBitCast(s->m->builder, size, s->m->i64, "")};
    hook_call(s->m, s->m->void_type, "shadow_copy", args, 3);
}

static void fill(Shadow *s, LLVMValueRef call, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef size)
{
    move_behind(s, call);
    LLVMValueRef args[] = {to, shadow_of(s, byte, 0), LLVMBuildZExtOrBitCast(s->m->builder, size, s->m->i64, "")};
    hook_call(s->m, s->m->void_type, "shadow_fill", args, 3);
}

static void settle_range(Shadow *s, LLVMValueRef call, unsigned operand)
{
    settle_address(s, call, LLVMGetOperand(call, operand), module_i64(s->m, 0), false);
}

/* memcpy(to, from, size) and the like, as calls of the runtime. */
static bool shadow_copying_model(Shadow *s, LLVMValueRef call, const char *name)
{
    bool copies = strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 || strcmp(name, "mempcpy") == 0 ||
                  strcmp(name, "__memcpy_chk") == 0 || strcmp(name, "__memmove_chk") == 0;
    if (!copies && strcmp(name, "memset") != 0 && strcmp(name, "__memset_chk") != 0)
        return false;
    settle_range(s, call, 0);
    if (copies)
        settle_range(s, call, 1);
    decide_size(s, call, LLVMGetOperand(call, 2));
    if (copies)
        copy(s, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
    else
        fill(s, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
    return true;
}

bool shadow_memory_call(Shadow *s, LLVMValueRef call, const char *name)
{
    if (name_begins(name, "llvm.mem"))
        decide_size(s, call, LLVMGetOperand(call, 2));
    if (name_begins(name, "llvm.memcpy.") || name_begins(name, "llvm.memmove.")) {
        settle_range(s, call, 0);
        settle_range(s, call, 1);
        copy(s, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
        return true;
    }
    if (name_begins(name, "llvm.memset.")) {
        settle_range(s, call, 0);
        fill(s, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
        return true;
    }
    if (!name_begins(name, "sennit_rt_"))
        return false;
    name += strlen("sennit_rt_");
    if (shadow_copying_model(s, call, name))
        return true;
    if (name_begins(name, "read") || name_begins(name, "write")) {
        bool hook = strchr("1248_", name[*name == 'r' ? 4 : 5]) && name[*name == 'r' ? 4 : 5];
        if (hook)
            settle_hook(s, call, name);
        return hook;
    }
    if (strcmp(name, "within") == 0) {
        settle_within(s, call);
        return true;
    }
    if (strcmp(name, "within_field") == 0) { /* the inputs decide only: inside or outside */
        decide_size(s, call, LLVMGetOperand(call, 0));
        return true;
    }
    if (!name_begins(name, "atomic_"))
        return name_begins(name, "spin_") || name_begins(name, "shadow_");
    name += strlen("atomic_");
    if (strcmp(name, "fence") != 0 && !name_begins(name, "section"))
        settle_range(s, call, strcmp(name + strlen(name) - 2, "_n") == 0 ? 1 : 0);
    track_atomic(s, call, name);
    return true;
}
