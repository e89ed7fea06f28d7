/* instrument.c - see instrument.h */
#include "instr/instrument.h"

#include "instr/module/carried.h"
#include "instr/passes/cover.h"
#include "instr/passes/passes.h"

bool instrument(Module *m, Error *error)
{
    pass_tail(m);
    pass_padding(m);
    pass_byval(m);
    pass_identity(m);
    pass_asm(m);
    if (!pass_intrinsic(m, error) || !pass_inline(m, error))
        return false;
    CoverPlan *cover = m->flags.coverage ? cover_plan(m) : NULL;
    pass_debug(m);
    if (m->flags.scope)
        pass_inner(m); /* as registers they would outlive their scopes */
    if (m->flags.unset)
        pass_uninit_registers(m);
    /* Only promotes variables to registers: nothing is merged, moved or speculated. */
    if (!module_run_passes(m, "function(mem2reg)", error))
        return false;
    if (m->flags.scope)
        pass_scope(m);
    pass_memory(m);
    if (m->flags.unset)
        pass_uninit_words(m);
    /* Now that shared accesses have their hooks, private structures may be split. */
    if (!module_run_passes(m, "function(sroa)", error) || !pass_recursion(m, error))
        return false;
    pass_spin(m);
    if (m->flags.unset)
        pass_uninit(m);
    if (cover)
        cover_insert(m, cover);
    if (m->flags.unroll)
        pass_unroll(m);
    pass_atomic(m);
    pass_asm_marks(m);
    pass_intrinsic_marks(m);
    pass_jump(m);
    pass_section(m);
    if (!m->flags.library) {
        pass_taken(m);
        pass_noise(m);
    }
    pass_serial(m);
    pass_call(m);
    pass_inputs(m);
    pass_main(m);
    if (m->is_plain)
        pass_place(m);
    else if (!pass_versions(m, error))
        return false;
    if (!m->flags.library)
        pass_divide(m);
    pass_offer(m);
    if (!m->flags.library && !carried_embed(m, error))
        return false;
    ValueList globals = pass_globals(m);
    if (!m->flags.library)
        pass_guard(m, &globals);
    VEC_FREE(&globals);
    pass_unknown_inputs(m);
    if (m->flags.states)
        pass_states(m);
    pass_versions_cheap(m);
    return true;
}
