/* stub.c - see stub.h */
#include "instr/module/stub.h"

#include <string.h>

#include "base/text.h"
#include "instr/module/callee.h"
#include "instr/module/redirect.h"
#include "instr/module/tracked.h"

/* %1$s: the function. The runtime's code gets the row and the address in registers that no argument uses. */
static const char checked_x86_64[] = "movq sennit_rt_row_%1$s@GOTPCREL(%%rip), %%r10\n"
                                     "movq %1$s@GOTPCREL(%%rip), %%r11\n"
                                     "jmp sennit_rt_checked@PLT\n";
static const char checked_aarch64[] = "adrp x9, :got:sennit_rt_row_%1$s\n"
                                      "ldr x9, [x9, :got_lo12:sennit_rt_row_%1$s]\n"
                                      "adrp x10, :got:%1$s\n"
                                      "ldr x10, [x10, :got_lo12:%1$s]\n"
                                      "b sennit_rt_checked\n";

static bool is_aarch64(const Module *m) { return name_begins(LLVMGetTarget(m->llvm), "aarch64"); }

static void add_body(Text *code, const Module *m, const char *name)
{
    bool aarch64 = is_aarch64(m);
    if (redirect_class(name) == LIBRARY_INSTRUMENTED) {
        text_add(code, "%s sennit_tracked_%s%s\n", aarch64 ? "b" : "jmp", tracked_name(name), aarch64 ? "" : "@PLT");
        return;
    }
    text_add(code, ".weak sennit_rt_row_%s\n", name);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_add(code, aarch64 ? checked_aarch64 : checked_x86_64, name);
#pragma GCC diagnostic pop
}

void stub_add(Module *m, const char *name)
{
    LibraryClass class = redirect_class(name);
    if (class != LIBRARY_CHECKED && class != LIBRARY_INSTRUMENTED)
        return;
    Text code = {0};
    text_add(&code, ".text\n.weak sennit_rt_%s\n.type sennit_rt_%s, %%function\nsennit_rt_%s:\n", name, name, name);
    add_body(&code, m, name);
    text_add(&code, ".size sennit_rt_%s, . - sennit_rt_%s\n", name, name);
    LLVMAppendModuleInlineAsm(m->llvm, code.data, code.length);
    text_release(&code);
}
