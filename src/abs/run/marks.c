/* marks.c - see marks.h */
#include "abs/run/marks.h"

#include <stdlib.h>
#include <string.h>

#include "abs/run/machine.h"
#include "base/mem.h"

/* While a guard is evaluated with values of other orders, nothing is executed. */
static const Instr *run_first(Machine *machine, Value *registers, const Instr *instr)
{
    if (!machine->supposing)
        marks_set(machine->marks, instr);
    return machine_handler((InstrOp)instr->op)(machine, registers, instr);
}

static void add_code(Marks *marks, const Code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        *map_insert(&marks->numbers, map_key(&code->instrs[i]), NULL) = marks->instrs.count;
        VEC_PUSH(&marks->instrs, &code->instrs[i]);
        code->instrs[i].run = run_first;
    }
}

Marks *marks_create(Region *region, const Image *image)
{
    Marks *marks = mem_alloc(sizeof *marks);
    *marks = (Marks){0};
    for (uint32_t i = 0; i < image->codes.count; i++)
        add_code(marks, image->codes.items[i]);
    marks->set = region_alloc(region, marks->instrs.count + 1);
    marks->sent = region_alloc(region, marks->instrs.count + 1);
    return marks;
}

void marks_set(Marks *marks, const Instr *instr)
{
    uint64_t number = *map_find(&marks->numbers, map_key(instr));
    marks->set[number] = 1;
    marks->instrs.items[number]->run = machine_handler((InstrOp)instr->op);
}

bool marks_has(const Marks *marks, const Instr *instr)
{
    const uint64_t *number = map_find(&marks->numbers, map_key(instr));
    return number && marks->set[*number];
}

void marks_export(Marks *marks, bool all, Text *out)
{
    bool any = false;
    for (uint32_t i = 0; i < marks->instrs.count; i++) {
        if (!marks->set[i] || (!all && marks->sent[i]))
            continue;
        text_add(out, any ? " %u" : "executed %u", i);
        any = true;
        if (!all)
            marks->sent[i] = 1;
    }
    if (any)
        text_add_string(out, "\n");
}

bool marks_import(Marks *marks, const char *line)
{
    const char *at = line + strlen("executed");
    while (*at == ' ') {
        char *end;
        unsigned long number = strtoul(at + 1, &end, 10);
        if (end == at + 1 || number >= marks->instrs.count)
            return false;
        marks->set[number] = 1;
        at = end;
    }
    return *at == '\n' || *at == '\0';
}
