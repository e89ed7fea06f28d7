/* shadow_output.c - see shadow_output.h */
#include "instr/shadow/shadow_output.h"

#include <string.h>

#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_flow.h"
#include "rt/abi/shadow_hooks.h"

/* Functions whose output is not read again; at most its length is used. */
static bool only_prints(const char *name)
{
    return strcmp(name, "printf") == 0 || strcmp(name, "vprintf") == 0 || strcmp(name, "fprintf") == 0 ||
           strcmp(name, "vfprintf") == 0;
}

/* Which argument is the stream or descriptor; -1: not an output function. */
static int stream_argument(const char *name)
{
    static const struct {
        const char *name;
        int argument;
    } writers[] = {{"fprintf", 0}, {"vfprintf", 0}, {"__fprintf_chk", 0}, {"__vfprintf_chk", 0}, {"dprintf", 0},
                   {"write", 0},   {"fputs", 1},    {"fputc", 1},         {"putc", 1},           {"fwrite", 3}};
    for (unsigned i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(name, writers[i].name) == 0)
            return writers[i].argument;
    return -1;
}

void shadow_output_begin(Shadow *s, LLVMValueRef call, const char *name)
{
    Module *m = s->m;
    int at = stream_argument(name);
    if (at < 0 || at >= (int)LLVMGetNumArgOperands(call))
        return;
    LLVMValueRef stream[2], halves[2];
    shadow_halves(s, LLVMGetOperand(call, (unsigned)at), stream);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind && !private_constant(value);
        if (i == (unsigned)at || !shadow_width(LLVMTypeOf(value)) ||
            (!pointer && shadow_is_none(shadow_of(s, value, 0))))
            continue;
        shadow_halves(s, value, halves);
        LLVMValueRef args[] = {stream[0],        shadow_of(s, value, 0),
                               halves[0],        pointer ? value : LLVMConstNull(m->ptr),
                               site_of(m, call), module_string(m, name)};
        hook_call(m, m->void_type, "shadow_written", args, 6);
    }
}

/* putchar(c) and the like return what they wrote. */
void shadow_output_end(Shadow *s, LLVMValueRef call, const char *name)
{
    Module *m = s->m;
    if (strcmp(name, "putchar") != 0 && strcmp(name, "putc") != 0 && strcmp(name, "fputc") != 0)
        return;
    LLVMValueRef shadow = shadow_of(s, LLVMGetOperand(call, 0), 0);
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(call));
    LLVMValueRef byte[] = {module_i32(m, SENNIT_SHADOW_TRUNC), module_i32(m, 32), module_i32(m, 8), shadow};
    LLVMValueRef cut = shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, byte, 4);
    LLVMValueRef number[] = {module_i32(m, SENNIT_SHADOW_ZEXT), module_i32(m, 8), module_i32(m, 32), cut};
    shadow_set(s, call, 0, shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, number, 4));
}

bool shadow_output_is_measured(LLVMValueRef call, const char *name)
{
    return LLVMGetFirstUse(call) &&
           (strcmp(name, "write") == 0 || strcmp(name, "fwrite") == 0 || strcmp(name, "dprintf") == 0);
}

bool shadow_output_is_ignored(LLVMValueRef call, const char *name)
{
    return only_prints(name) && !LLVMGetFirstUse(call);
}
