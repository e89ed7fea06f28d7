/* pass_main.c - the program's main becomes sennit_user_main
 *
 * The test binary's own main is the explorer, which calls this one as the start-up code of
 * a C library does: with three arguments, however many it takes.
 */
#include "instr/passes/passes.h"

void pass_main(Module *m)
{
    static const char name[] = "sennit_user_main";
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, "main");
    if (function) /* defined here, or called from here */
        LLVMSetValueName2(function, name, sizeof name - 1);
}
