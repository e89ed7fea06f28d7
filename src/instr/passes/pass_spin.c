/* pass_spin.c - finds spin loops, and assumptions about values just read, and turns them into blocking waits
 *
 * Inner loops first: a loop around a blocking wait may itself be a spin loop.
 */
#include <stdlib.h>
#include <string.h>

#include "instr/module/callee.h"
#include "instr/passes/cover.h"
#include "instr/passes/passes.h"
#include "instr/spin/spin.h"

/* ---- Constant variables ------------------------------------------- */

/* The constant or parameter that a phi has on all edges, or NULL. */
static LLVMValueRef only_value(LLVMValueRef phi)
{
    LLVMValueRef only = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (value == phi)
            continue;
        if ((only && value != only) || (!LLVMIsConstant(value) && !LLVMIsAArgument(value)))
            return NULL;
        only = value;
    }
    return only;
}

/* `expected = 0` at the end of each iteration leaves a phi of zeros in the header. */
static void dissolve_constant_phis(LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    for (uint32_t i = 0; i < list.count; i++) {
        LLVMValueRef value = LLVMIsAPHINode(list.items[i]) ? only_value(list.items[i]) : NULL;
        if (!value)
            continue;
        LLVMReplaceAllUsesWith(list.items[i], value);
        LLVMInstructionEraseFromParent(list.items[i]);
    }
    VEC_FREE(&list);
}

/* ---- Variables that only count ------------------------------------- */

/* Has it no effect but its result? A division may fail. */
static bool only_computes(LLVMValueRef value)
{
    switch (LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMUnreachable) {
    case LLVMPHI: case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMShl:
    case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMGetElementPtr: case LLVMSelect: return true;
    default: return false;
    }
}

static bool lists_value(const ValueList *list, LLVMValueRef value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return true;
    return false;
}

/* Lists what is computed from the phi. False: something else uses it. */
static bool collect_uses(LLVMValueRef phi, ValueList *list)
{
    VEC_PUSH(list, phi);
    for (uint32_t i = 0; i < list->count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(list->items[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!only_computes(user))
                return false;
            if (!lists_value(list, user))
                VEC_PUSH(list, user);
        }
    return true;
}

/* In `while (!load(&x)) n++;` no iteration has the state of an earlier one; if nothing uses n, it is removed. */
static bool remove_unused_counter(LLVMValueRef function)
{
    ValueList list = module_instructions(function), uses = {0};
    bool found = false;
    for (uint32_t i = 0; i < list.count && !found; i++) {
        uses.count = 0;
        found = LLVMIsAPHINode(list.items[i]) && collect_uses(list.items[i], &uses);
    }
    for (uint32_t i = 0; found && i < uses.count; i++)
        LLVMReplaceAllUsesWith(uses.items[i], LLVMGetUndef(LLVMTypeOf(uses.items[i])));
    for (uint32_t i = 0; found && i < uses.count; i++)
        LLVMInstructionEraseFromParent(uses.items[i]);
    VEC_FREE(&list);
    VEC_FREE(&uses);
    return found;
}

/* ---- Properties of the whole program ------------------------ */

static bool calls(Module *m, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, name);
    return function && LLVMGetFirstUse(function);
}

static void mark_tries(Module *m)
{
    static const char *const names[] = {"pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock",
                                        "pthread_spin_trylock", "mtx_trylock", "mtx_timedlock"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (calls(m, names[i]))
            module_mark(m, "sennit_tries_locks");
}

/* Functions that tell the state of an object, or of a thread, without synchronising with those who changed it. */
static bool tests_object(const char *name)
{
    static const char *const names[] = {"__VERIFIER_atomic_begin", "epoll_wait", "epoll_pwait", "poll", "ppoll",
                                        "pselect", "select", "pthread_cancel", "sem_getvalue", "syscall",
                                        /* which need not block: then they tell what others have read */
                                        "read", "readv", "recv", "recvfrom", "recvmsg", "accept", "accept4", "write",
                                        "writev", "send", "sendto", "sendmsg", "ioctl", "fcntl", "fcntl64",
                                        "sigpending", NULL};
    static const char *const families[] = {"pthread_", "sem_", "mtx_", "cnd_"};
    bool synchronises = false;
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
        synchronises |= name_begins(name, families[i]);
    return name_is_one_of(name, names) ||
           (synchronises && (strstr(name, "try") || strstr(name, "timed") || strstr(name, "clock")));
}

static void mark_tests(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        const char *name = module_name_of(f);
        bool tests = LLVMIsDeclaration(f) ? LLVMGetFirstUse(f) && tests_object(name)
                                          : name_begins(name, "__VERIFIER_atomic_");
        if (tests)
            module_mark(m, "sennit_tests_objects");
    }
}

/* ---- One loop ------------------------------------------------------------- */

typedef enum Treatment { LEFT_ALONE, AWAITS, BLOCKS, REPEATS } Treatment;

static void forget_branches(Module *m, const Cfg *cfg, const NaturalLoop *loop)
{
    for (uint32_t i = 0; i < loop->blocks.count && m->flags.coverage; i++)
        cover_forget_branch(m, cfg_block(cfg, loop->blocks.items[i]));
}

static Treatment treat(Module *m, const Cfg *cfg, const NaturalLoop *loop)
{
    Effects effects = effects_of_loop(cfg, loop);
    SpinLoop spin = {.module = m, .cfg = cfg, .loop = loop, .effects = &effects};
    Treatment result = LEFT_ALONE;
    bool is_cancelled = effects.sleeps && calls(m, "pthread_cancel"); /* a blocking wait is no cancellation point */
    if (effects.quiet && loop->innermost && !effects.locks && !is_cancelled && spin_await(&spin))
        result = AWAITS;
    else if (effects.quiet && spin_block(&spin)) {
        result = BLOCKS;
        if (effects.locks)
            module_mark(m, "sennit_polls_locks");
    }
    if (result == LEFT_ALONE && spin_repeat(&spin))
        result = REPEATS;
    if (result == BLOCKS || result == REPEATS)
        module_mark(m, "sennit_repeats_loops");
    if (result == AWAITS)
        forget_branches(m, cfg, loop);
    effects_release(&effects);
    return result;
}

/* ---- All loops ------------------------------------------------------------ */

typedef VEC(LLVMBasicBlockRef) HeaderList;

static bool lists(const HeaderList *list, LLVMBasicBlockRef header)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == header)
            return true;
    return false;
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = ((const NaturalLoop *)a)->blocks.count, y = ((const NaturalLoop *)b)->blocks.count;
    return x < y ? -1 : x > y;
}

/* Treats loops not seen yet, until one gets new blocks. False if none did. */
static bool treat_some(Module *m, LLVMValueRef function, HeaderList *seen)
{
    Cfg *cfg = cfg_create(function);
    LoopList loops = cfg_loops(cfg);
    if (loops.count)
        qsort(loops.items, loops.count, sizeof *loops.items, by_size);
    bool stale = false;
    for (uint32_t i = 0; i < loops.count && !stale; i++) {
        const NaturalLoop *loop = &loops.items[i];
        LLVMBasicBlockRef header = cfg_block(cfg, loop->header);
        if (lists(seen, header))
            continue;
        VEC_PUSH(seen, header);
        Treatment treatment = treat(m, cfg, loop);
        stale = treatment == BLOCKS || treatment == REPEATS; /* they have got new blocks */
    }
    cfg_release_loops(&loops);
    cfg_destroy(cfg);
    return stale;
}

void pass_spin(Module *m)
{
    mark_tries(m);
    mark_tests(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        dissolve_constant_phis(f);
        while (remove_unused_counter(f))
            continue;
        spin_assume(m, f);
        HeaderList seen = {0};
        while (treat_some(m, f, &seen))
            continue;
        VEC_FREE(&seen);
    }
}
