/* libcall.c - see libcall.h */
#include "instr/analysis/libcall.h"

#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/module.h"
#include "instr/module/redirect.h"

static const struct {
    const char *name;
    LibRole role;
    unsigned operand;
} calls[] = {
#define LIBCALL(name, role, operand) {#name, LIB_##role, operand},
#include "instr/analysis/libcall.def"
#undef LIBCALL
};

/* Intrinsics have their types in the name; those for lifetimes and debugging are harmless. */
static LibRole role_of_intrinsic(const char *name)
{
    static const struct {
        const char *prefix;
        LibRole role;
    } roles[] = {{"llvm.memcpy.", LIB_COPY}, {"llvm.memmove.", LIB_COPY}, {"llvm.memset.", LIB_FILL},
                 {"llvm.threadlocal.address", LIB_GIVE_BACK}, {"llvm.expect.", LIB_GIVE_BACK}};
    for (unsigned i = 0; i < sizeof roles / sizeof *roles; i++)
        if (name_begins(name, roles[i].prefix))
            return roles[i].role;
    return LIB_HARMLESS;
}

/* Functions that a test refuses: most of them wait for something. */
static bool is_refused(const char *name)
{
    static const char *const names[] = {
#define REFUSED(name) #name,
#include "rt/abi/refused.def"
#undef REFUSED
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Of a library that nothing is known about. */
static bool is_foreign(const char *name)
{
    return redirect_class(name) == LIBRARY_UNKNOWN && !name_begins(name, "sennit_") && !name_begins(name, "klee_") &&
           !name_begins(name, "__VERIFIER_");
}

LibRole libcall_role(LLVMValueRef function, unsigned *operand)
{
    const char *name = module_name_of(function);
    *operand = 0;
    if (!LLVMIsAFunction(function) || !LLVMIsDeclaration(function))
        return LIB_NONE;
    if (name_begins(name, "llvm."))
        return role_of_intrinsic(name);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(name, calls[i].name) == 0) {
            *operand = calls[i].operand;
            return calls[i].role;
        }
    return is_refused(name) || is_foreign(name) ? LIB_OTHER_WAIT : LIB_NONE;
}
