/* lift.c - see lift.h */
#include "instr/assembly/lift.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/module/asmtext.h"
#include "instr/module/callee.h"
#include "instr/module/private.h"

typedef struct Architecture {
    const char *triple;     /* begins with it */
    AsmRegisterName *register_name;
    AsmTranslate *translate;
    char comment;           /* begins one, up to the end of the line */
} Architecture;

static const Architecture architectures[] = {
    {"x86_64", x86_register, x86_translate, '#'},
    {"aarch64", arm_register, arm_translate, '\0'},
    {"arm64", arm_register, arm_translate, '\0'},
};

static const Architecture *architecture_of(const Module *m)
{
    const char *triple = LLVMGetTarget(m->llvm);
    for (unsigned i = 0; i < sizeof architectures / sizeof *architectures; i++)
        if (name_begins(triple, architectures[i].triple))
            return &architectures[i];
    return NULL;
}

/* ---- The text ----------------------------------------------------------------------- */

static void remove_range(char *from, const char *to) { memmove(from, to, strlen(to) + 1); }

/* Of "$(AT&T$|Intel$)" the first remains. */
static void choose_dialect(char *text)
{
    for (char *begin; (begin = strstr(text, "$("));) {
        char *bar = strstr(begin, "$|"), *end = bar ? strstr(bar, "$)") : NULL;
        if (!end)
            return;
        remove_range(bar, end + 2);
        remove_range(begin, begin + 2);
    }
}

static void remove_comments(char *text, char line_comment)
{
    for (char *begin; (begin = strstr(text, "/*"));) {
        char *end = strstr(begin + 2, "*/");
        remove_range(begin, end ? end + 2 : begin + strlen(begin));
    }
    for (char *begin; (begin = strstr(text, "//"));)
        remove_range(begin, begin + strcspn(begin, "\n"));
    for (char *begin; line_comment && (begin = strchr(text, line_comment));)
        remove_range(begin, begin + strcspn(begin, "\n"));
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t length = strlen(text); length && isspace((unsigned char)text[length - 1]);)
        text[--length] = '\0';
    return text;
}

/* "lock;" belongs to the next instruction. */
static void join_prefixes(char *text)
{
    static const char *const prefixes[] = {"lock", "rep"};
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        for (char *at = text; (at = strstr(at, prefixes[i]));) {
            at += strlen(prefixes[i]);
            for (; *at && strchr(" \t\r\n;", *at); at++)
                *at = ' ';
        }
}

static bool translate_all(AsmMachine *machine, const Architecture *architecture)
{
    choose_dialect(machine->text);
    remove_comments(machine->text, architecture->comment);
    join_prefixes(machine->text);
    for (char *at = machine->text, *next; at; at = next) {
        next = strpbrk(at, ";\n");
        if (next)
            *next++ = '\0';
        char *statement = trim(at);
        if (*statement && !architecture->translate(machine, statement))
            return false;
    }
    return arm_finish(machine);
}

/* ---- What it may access ----------------------------------------------------------------- */

/* A local variable that is used in place only, by loads, stores and assembly. */
static bool is_local(LLVMValueRef pointer)
{
    if (!LLVMIsAAllocaInst(pointer))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool calls = LLVMIsACallInst(user) || LLVMIsACallBrInst(user);
        bool fine = LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer) ||
                    (calls && (LLVMIsAInlineAsm(LLVMGetCalledValue(user)) ||
                               (callee_of(user) && name_begins(module_name_of(callee_of(user)), "llvm."))));
        if (!fine)
            return false;
    }
    return true;
}

static bool constraints_contain(LLVMValueRef code, const char *what)
{
    size_t length;
    const char *text = LLVMGetInlineAsmConstraintString(code, &length);
    return memmem(text, length, what, strlen(what));
}

static bool text_contains(LLVMValueRef code, const char *what)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(code, &length);
    return memmem(text, length, what, strlen(what));
}

static bool is_empty(LLVMValueRef code)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(code, &length);
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)text[i]) && text[i] != ';')
            return false;
    return true;
}

/* May it access memory that other threads can access? Arguments that are pointers are its memory operands, or lead
 * to what it accesses if it says that it accesses memory. */
static bool may_share(LLVMValueRef call, LLVMValueRef code)
{
    bool clobbers = constraints_contain(code, "~{memory}");
    bool names_memory = text_contains(code, "(") || text_contains(code, "[");
    bool memory_operands = constraints_contain(code, "*");
    if (is_empty(code))
        return false;
    if ((clobbers && names_memory) || text_contains(code, "syscall") || text_contains(code, "svc"))
        return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            (clobbers || memory_operands || names_memory) && !is_local(argument))
            return true;
    }
    return false;
}

static bool contains_one_of(LLVMValueRef code, const char *const *names)
{
    for (; *names; names++)
        if (text_contains(code, *names))
            return true;
    return false;
}

/* Instructions with a meaning for other threads or for the clock, whatever their operands. */
static bool is_special(LLVMValueRef code)
{
    static const char *const names[] = {"fence", "rdtsc", "rdpid", "syscall", "dmb", "dsb", "svc", "cntvct", "cntpct",
                                        "lock", "xchg", NULL};
    return contains_one_of(code, names);
}

bool lift_draws_random(LLVMValueRef code)
{
    static const char *const names[] = {"rdrand", "rdseed", "rndr", "RNDR", NULL};
    return contains_one_of(code, names);
}

static bool accesses_memory(LLVMValueRef code)
{
    return constraints_contain(code, "~{memory}") || constraints_contain(code, "*");
}

/* ---- Replacing ------------------------------------------------------------------------------ */

/* Erases what was built between `mark` and the call. */
static void take_back(LLVMValueRef mark, LLVMValueRef call)
{
    for (LLVMValueRef i; (i = LLVMGetPreviousInstruction(call)) != mark;)
        LLVMInstructionEraseFromParent(i);
}

/* The destination of a label operand; labels come last. */
static LLVMBasicBlockRef destination(const AsmMachine *machine)
{
    unsigned first = 0;
    while (machine->operands[first].kind != ASM_LABEL)
        first++;
    return LLVMGetCallBrIndirectDest(machine->call, machine->jump_label - first);
}

static bool replace(AsmMachine *machine)
{
    LLVMValueRef call = machine->call, result = NULL;
    bool jumps = LLVMIsACallBrInst(call);
    if (!machine_results(machine, &result) || (jumps && !machine->jump))
        return false;
    if (jumps && (LLVMGetCallBrNumIndirectDests(call) != 1 || destination(machine) == LLVMGetCallBrDefaultDest(call)))
        return false;
    if (jumps)
        LLVMBuildCondBr(machine->m->builder, machine->jump, destination(machine), LLVMGetCallBrDefaultDest(call));
    if (result)
        LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool try_lift(Module *m, LLVMValueRef call)
{
    const Architecture *architecture = architecture_of(m);
    LLVMValueRef mark = LLVMGetPreviousInstruction(call);
    AsmMachine machine;
    if (!architecture)
        return false;
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
    if (machine_begin(&machine, m, call, architecture->register_name) && translate_all(&machine, architecture) &&
        replace(&machine))
        return true;
    take_back(mark, call);
    return false;
}

LiftResult lift_assembly(Module *m, LLVMValueRef call)
{
    LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(call));
    if (is_empty(code) || asmtext_is_harmless(code))
        return LIFT_HARMLESS;
    bool random = lift_draws_random(code);
    if ((accesses_memory(code) || is_special(code) || random) && try_lift(m, call))
        return LIFT_DONE;
    return random || may_share(call, code) ? LIFT_UNKNOWN : LIFT_HARMLESS;
}
