/* asmtext.c - see asmtext.h */
#include "instr/module/asmtext.h"

#include <ctype.h>
#include <string.h>

/* Text without white space, so that spellings compare. */
static void squeeze(char *out, size_t size, const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < size; i++)
        if (!isspace((unsigned char)text[i]))
            out[n++] = text[i];
    out[n] = '\0';
}

bool asmtext_is_harmless(LLVMValueRef inline_asm)
{
    static const char *const texts[] = {"", "pause", "pause;", "rep;nop", "repnop", "nop", "nop;", "mfence", "mfence;",
                                        "lfence", "sfence", "rep;nop;", "lock;addl$$0,0(%rsp)", "lock;addl$$0,0(%%rsp)",
                                        "lock;addl$$0,-4(%rsp)", "yield"};
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(inline_asm, &length);
    char squeezed[64];
    squeeze(squeezed, sizeof squeezed, text, length);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(squeezed, texts[i]) == 0)
            return true;
    return false;
}
