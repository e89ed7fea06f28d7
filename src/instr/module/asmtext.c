/* asmtext.c - see asmtext.h */
#include "instr/module/asmtext.h"

#include <ctype.h>
#include <stdlib.h>
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
    static const char *const texts[] = {"", "pause", "pause;", "rep;nop", "repnop", "nop", "nop;", "rep;nop;", "yield"};
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(inline_asm, &length);
    char squeezed[64];
    squeeze(squeezed, sizeof squeezed, text, length);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(squeezed, texts[i]) == 0)
            return true;
    return false;
}

/* ---- The thread pointer ----------------------------------------------------- */

/* Of "$(AT&T$|Intel$)" the first. */
static void take_first_dialect(char *text)
{
    char *end = strstr(text, "$|");
    if (strncmp(text, "$(", 2) != 0 || !end)
        return;
    *end = '\0';
    memmove(text, text + 2, strlen(text + 2) + 1);
}

static bool is_rest(const char *text)
{
    return strcmp(text, ",$0") == 0 || strcmp(text, ",$0;") == 0;
}

/* What follows `%fs:`. */
static AsmThread read_slot(const char *text, uint64_t *offset)
{
    static const char *const operands[] = {"$1", "${1}", "($1)", "${1:c}", "${1:P}", "${1:a}"};
    for (unsigned i = 0; i < sizeof operands / sizeof *operands; i++) {
        size_t length = strlen(operands[i]);
        if (strncmp(text, operands[i], length) == 0 && is_rest(text + length))
            return ASM_THREAD_OPERAND;
    }
    if (!isdigit((unsigned char)*text))
        return ASM_THREAD_NONE;
    char *end;
    *offset = strtoull(text, &end, 0);
    return is_rest(end) ? ASM_THREAD_SLOT : ASM_THREAD_NONE;
}

AsmThread asmtext_thread(LLVMValueRef inline_asm, uint64_t *offset)
{
    static const char *const pointers[] = {"rdfsbase$0", "rdfsbaseq$0", "mrs$0,tpidr_el0", "mrs${0},tpidr_el0"};
    static const char *const moves[] = {"mov%fs:", "movq%fs:", "movl%fs:"};
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(inline_asm, &length);
    char squeezed[64];
    squeeze(squeezed, sizeof squeezed, text, length);
    take_first_dialect(squeezed);
    for (unsigned i = 0; i < sizeof pointers / sizeof *pointers; i++)
        if (strcmp(squeezed, pointers[i]) == 0)
            return ASM_THREAD_POINTER;
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (strncmp(squeezed, moves[i], strlen(moves[i])) == 0)
            return read_slot(squeezed + strlen(moves[i]), offset);
    return ASM_THREAD_NONE;
}
