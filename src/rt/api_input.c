/* api_input.c - how programs ask for inputs: Sennit's own functions and two dialects */
#include "rt/api_libc.h"
#include "rt/input.h"

/* ---- Numbers ------------------------------------------------------------------------- */


int sennit_rt_sennit_int(const char *name)
{
    uint32_t shadow;
    uint64_t value = input_number(name, &(InputKind){.width = 32, .is_signed = true}, &shadow);
    shadow_give_result((const void *)(uintptr_t)sennit_rt_sennit_int, shadow);
    return (int)value;
}

void sennit_rt_sennit_bytes(void *bytes, size_t size, const char *name)
{
    plain_write(address_of(bytes), size);
    input_bytes(name, bytes, size);
}

/* ---- KLEE ------------------------------------------------------------------------------ */

void sennit_rt_klee_make_symbolic(void *object, size_t size, const char *name)
{
    sennit_rt_sennit_bytes(object, size, name);
}

/* ---- SV-COMP ---------------------------------------------------------------------------- */

int sennit_rt___VERIFIER_nondet_int(void)
{
    uint32_t shadow;
    uint64_t value = input_number("int", &(InputKind){.width = 32, .is_signed = true}, &shadow);
    shadow_give_result((const void *)(uintptr_t)sennit_rt___VERIFIER_nondet_int, shadow);
    return (int)value;
}
