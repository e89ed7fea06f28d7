/* effects.c - see effects.h */
#include "instr/module/effects.h"

#include <string.h>

#include "instr/module/asmtext.h"
#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"

enum { MAX_CALL_DEPTH = 8, MAX_CALLED_FUNCTIONS = 64 };

/* ---- Calls ---------------------------------------------------------------- */

static bool is_quiet_intrinsic(const char *name)
{
    static const char *const prefixes[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.expect", "llvm.assume",
                                           "llvm.x86.sse2.pause", "llvm.threadlocal.address", "llvm.is.constant",
                                           "llvm.objectsize", "llvm.bswap", "llvm.ctpop", "llvm.ctlz", "llvm.cttz",
                                           "llvm.umin", "llvm.umax", "llvm.smin", "llvm.smax", "llvm.abs",
                                           "llvm.fshl", "llvm.fshr", "llvm.donothing", "llvm.experimental.noalias"};
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (name_begins(name, prefixes[i]))
            return true;
    return false;
}

/* Library functions that a spin loop may call. */
static bool is_quiet_library(const char *name)
{
    static const char *const names[] = {"sched_yield", "pthread_yield", "thrd_yield",
                                        "pthread_self", "thrd_current", "pthread_equal", "thrd_equal",
                                        "gettid", "getpid", NULL};
    return name_is_one_of(name, names);
}

/* nanosleep(&time, NULL): reads the time, writes nothing. */
static bool is_quiet_sleep(LLVMValueRef call, const char *name)
{
    static const char *const names[] = {"nanosleep", "thrd_sleep", NULL}, *const simple[] = {"usleep", "sleep", NULL};
    if (name_is_one_of(name, simple))
        return true;
    return name_is_one_of(name, names) && LLVMGetNumArgOperands(call) == 2 && LLVMIsNull(LLVMGetOperand(call, 1));
}

/* What ends the program ends the iteration too: `assert(...)` in a called function. */
static bool is_end_of_program(const char *name)
{
    static const char *const names[] = {"__assert_fail", "abort", "_exit", "reach_error", NULL};
    return name_is_one_of(name, names);
}

static bool is_try(const char *name)
{
    static const char *const names[] = {"pthread_mutex_trylock", "pthread_spin_trylock", "pthread_rwlock_tryrdlock",
                                        "pthread_rwlock_trywrlock", "mtx_trylock", "sem_trywait", NULL};
    return name_is_one_of(name, names);
}

bool effects_takes_lock(LLVMValueRef function)
{
    static const char *const names[] = {"pthread_mutex_lock", "pthread_spin_lock", "mtx_lock", NULL};
    return LLVMIsDeclaration(function) && name_is_one_of(module_name_of(function), names);
}

bool effects_gives_lock(LLVMValueRef function)
{
    static const char *const names[] = {"pthread_mutex_unlock", "pthread_spin_unlock", "mtx_unlock", NULL};
    return LLVMIsDeclaration(function) && name_is_one_of(module_name_of(function), names);
}

bool effects_is_quiet_call(LLVMValueRef call)
{
    static const char *const names[] = {
        "sem_getvalue", "sem_wait", "sem_post", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
        "pthread_rwlock_unlock", "pthread_tryjoin_np", "pthread_testcancel", "pthread_getspecific", "tss_get",
        "clock_gettime", "gettimeofday", "time", "timespec_get", "open", "open64", "openat", "openat64", "access",
        "faccessat", "__errno_location", "__emutls_get_address",
        /* if the descriptor is not one of the system, which the runtime knows */
        "read", "readv", "recv", "recvfrom", "recvmsg", "write", "writev", "send", "sendto", "sendmsg", "accept",
        "accept4", "connect", "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "ioctl",
        "eventfd_read", "eventfd_write", NULL};
    LLVMValueRef callee = callee_of(call);
    const char *name = callee ? module_name_of(callee) : "";
    if (!callee || !LLVMIsDeclaration(callee))
        return false;
    return is_quiet_intrinsic(name) || is_quiet_library(name) || is_quiet_sleep(call, name) || is_try(name) ||
           name_begins(name, "__VERIFIER_atomic_") || effects_takes_lock(callee) || effects_gives_lock(callee) ||
           name_is_one_of(name, names);
}

static bool is_section(const char *name) { return name_begins(name, "__VERIFIER_atomic_"); }

/* The hooks that spin_block.c has inserted for an inner loop; on back edges it is one of two functions. */
static bool is_spin_hook(LLVMValueRef call)
{
    LLVMValueRef target = LLVMGetCalledValue(call);
    LLVMValueRef again = LLVMIsASelectInst(target) ? LLVMIsAFunction(LLVMGetOperand(target, 1)) : NULL;
    return hook_is(call, "spin_") || (again && strcmp(module_name_of(again), "sennit_rt_spin_again") == 0);
}

static void add_function(Effects *effects, LLVMValueRef function, unsigned depth);

static void add_call(Effects *effects, LLVMValueRef call, unsigned depth)
{
    LLVMValueRef target = LLVMGetCalledValue(call), callee = LLVMIsAFunction(target);
    const char *name = callee ? module_name_of(callee) : "";
    effects->sections += is_section(name);
    effects->sleeps += is_quiet_sleep(call, name);
    if (LLVMIsAInlineAsm(target))
        effects->quiet &= asmtext_is_harmless(target) && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    else if (hook_is(call, "read"))
        effects->plain_reads++;
    else if (hook_is(call, "within") || hook_is(call, "write") || hook_is(call, "thread_") ||
             is_spin_hook(call))
        return;
    else if (hook_is(call, "atomic_await"))
        effects->waits++;
    else if (is_try(name) && LLVMIsDeclaration(callee))
        effects->tries++;
    else if (callee && (effects_takes_lock(callee) || effects_gives_lock(callee)))
        effects->locks++;
    else if (callee && !LLVMIsDeclaration(callee))
        add_function(effects, callee, depth + 1);
    else
        effects->quiet &= is_section(name) || is_quiet_intrinsic(name) || is_quiet_library(name) ||
                          is_quiet_sleep(call, name) || is_end_of_program(name);
}

/* ---- Instructions --------------------------------------------------------- */

static void add_atomic(Effects *effects, LLVMValueRef i, LLVMValueRef pointer)
{
    if (private_pointer(NULL, pointer))
        effects->quiet &= LLVMGetInstructionOpcode(i) == LLVMLoad;
    else
        VEC_PUSH(&effects->observers, i);
}

static bool is_atomic(LLVMValueRef i)
{
    return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

/* A variable that is only filled and passed to a sleeping function, as in `struct timespec t = {0, 1000};
 * nanosleep(&t, NULL);` */
static bool only_feeds_sleep(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef callee = callee_of(user);
        const char *name = callee ? module_name_of(callee) : "";
        bool fine = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 1) == pointer
                    : LLVMIsAGetElementPtrInst(user) ? only_feeds_sleep(user)
                    : callee && (name_begins(name, "llvm.lifetime.") || name_begins(name, "llvm.mem") ||
                                 is_quiet_sleep(user, name));
        if (!fine)
            return false;
    }
    return true;
}

static bool writes_only_sleep_time(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) && only_feeds_sleep(pointer);
}

/* Memory of the called function itself, new in each call. */
static bool is_own_variable(const Effects *effects, LLVMValueRef pointer, unsigned depth)
{
    if (effects->with_variables && LLVMIsAAllocaInst(pointer))
        return true;
    return (depth > 0 && private_pointer(NULL, pointer)) || writes_only_sleep_time(pointer);
}

static bool is_copy_intrinsic(LLVMValueRef call)
{
    return name_begins(callee_name(call), "llvm.mem");
}

static void add_store(Effects *effects, LLVMValueRef store, unsigned depth)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    if (is_atomic(store) && !private_pointer(NULL, pointer))
        effects->stores++;
    else if (is_atomic(store) || !is_own_variable(effects, pointer, depth)) {
        effects->plain_stores++;
        effects->quiet &= !is_atomic(store) && !private_pointer(NULL, pointer);
    }
}

static void add_instruction(Effects *effects, LLVMValueRef i, unsigned depth)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (is_atomic(i))
            add_atomic(effects, i, LLVMGetOperand(i, 0));
        else if (!private_pointer(NULL, LLVMGetOperand(i, 0))) {
            effects->loads++;
            effects->volatile_loads += LLVMGetVolatile(i) != 0;
        }
        break;
    case LLVMStore:
        add_store(effects, i, depth);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        add_atomic(effects, i, LLVMGetOperand(i, 0));
        break;
    case LLVMCall:
        if (is_copy_intrinsic(i))
            effects->quiet &= is_own_variable(effects, LLVMGetOperand(i, 0), depth);
        else
            add_call(effects, i, depth);
        break;
    case LLVMAlloca:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg:
        effects->quiet &= depth > 0 && LLVMGetInstructionOpcode(i) == LLVMAlloca;
        break;
    default:
        break;
    }
}

/* ---- Functions ------------------------------------------------------------ */

static bool has_loop(LLVMValueRef function)
{
    Cfg *cfg = cfg_create(function);
    bool found = false;
    for (uint32_t i = 0; i < cfg_block_count(cfg); i++) {
        const BlockList *next = cfg_successors(cfg, i);
        for (uint32_t k = 0; k < next->count; k++)
            found |= next->items[k] <= i; /* in reverse post-order only cycles go back */
    }
    cfg_destroy(cfg);
    return found;
}

/* A called function is as quiet as its body; one with loops could itself wait. */
static void add_function(Effects *effects, LLVMValueRef function, unsigned depth)
{
    if (depth > MAX_CALL_DEPTH || ++effects->functions > MAX_CALLED_FUNCTIONS) {
        effects->quiet = false;
        return;
    }
    uint32_t before = effects->observers.count + effects->plain_reads;
    ValueList list = module_instructions(function);
    for (uint32_t i = 0; i < list.count && effects->quiet; i++)
        add_instruction(effects, list.items[i], depth);
    VEC_FREE(&list);
    effects->quiet = effects->quiet && !has_loop(function);
    effects->far_reads += effects->observers.count + effects->plain_reads > before;
}

/* ---- Loops ---------------------------------------------------------------- */

static void add_loop(Effects *effects, const Cfg *cfg, const NaturalLoop *loop)
{
    for (uint32_t b = 0; b < loop->blocks.count; b++) {
        LLVMBasicBlockRef block = cfg_block(cfg, loop->blocks.items[b]);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && effects->quiet; i = LLVMGetNextInstruction(i))
            add_instruction(effects, i, 0);
    }
    effects->quiet &=
        !effects->plain_stores || effects->sections || effects->observers.count || effects->tries || effects->locks;
}

Effects effects_of_loop(const Cfg *cfg, const NaturalLoop *loop)
{
    Effects effects = {.quiet = true};
    add_loop(&effects, cfg, loop);
    return effects;
}

bool effects_may_be_quiet(const Cfg *cfg, const NaturalLoop *loop)
{
    Effects effects = {.quiet = true, .with_variables = true};
    add_loop(&effects, cfg, loop);
    bool looks = effects.observers.count || effects.loads || effects.tries;
    effects_release(&effects);
    return effects.quiet && looks;
}

void effects_release(Effects *effects)
{
    VEC_FREE(&effects->observers);
}
