/* pass_debug.c - programs compiled for debugging keep their variables in memory
 *
 * Clang marks the functions of such a program `optnone`; no LLVM pass changes them, so a debugger finds every
 * variable. Only in functions with a possible spin loop or an assumption must variables become registers, since
 * pass_spin reads the loop's state from them.
 */
#include "instr/module/cfg.h"
#include "instr/module/effects.h"
#include "instr/passes/passes.h"
#include "instr/spin/spin.h"

static bool has_waiting_loop(LLVMValueRef function)
{
    Cfg *cfg = cfg_create(function);
    LoopList loops = cfg_loops(cfg);
    bool found = false;
    for (uint32_t i = 0; i < loops.count && !found; i++)
        found = effects_may_be_quiet(cfg, &loops.items[i]);
    cfg_release_loops(&loops);
    cfg_destroy(cfg);
    return found;
}

void pass_debug(Module *m)
{
    unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7);
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetEnumAttributeAtIndex(f, at, optnone) &&
            (has_waiting_loop(f) || spin_assumes(f)))
            LLVMRemoveEnumAttributeAtIndex(f, at, optnone);
}
