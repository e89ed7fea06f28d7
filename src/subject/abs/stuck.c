/* stuck.c - see stuck.h */
#include "subject/abs/stuck.h"

#include "abs/run/machine.h"

static bool assigns(const Code *code, const Guarding *guard)
{
    for (uint32_t at = 0; at < code->count; at++)
        for (uint32_t i = 0; code->instrs[at].op == INSTR_STORE && i < guard->input_count; i++)
            if (guard->inputs[i].kind == INPUT_FIELD && guard->inputs[i].number == code->instrs[at].b)
                return true;
    return false;
}

/* What became of the tasks of a method on an object, apart from the task that is stuck. */
static void add_tasks(const Machine *machine, const Task *stuck, const Code *code, Text *text)
{
    uint32_t ended = 0, waiting = 0;
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        const Task *task = &machine->tasks[agent];
        if (task->state == TASK_ABSENT || task == stuck || task->object != stuck->frame->object || task->code != code)
            continue;
        ended += task_is_over(task);
        waiting += !task_is_over(task);
    }
    text_add(text, "%s (", code->name);
    if (ended)
        text_add(text, "%u task%s ended", ended, ended == 1 ? "" : "s");
    if (waiting)
        text_add(text, "%s%u %s", ended ? ", " : "", waiting, waiting == 1 ? "waits" : "wait");
    text_add_string(text, ended || waiting ? ")" : "no other task)");
}

static uint32_t add_fields(AbsProgram *program, const Task *task, Text *text)
{
    const ModelObject *object = &program_abs_machine(program)->objects[task->frame->object];
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->guard->input_count; i++) {
        const struct GuardInput *input = &task->guard->inputs[i];
        if (input->kind != INPUT_FIELD)
            continue;
        text_add(text, "%s%s = ", count++ ? ", " : " (",
                 object->class->decl->fields.items[input->number]->name.text);
        program_abs_print_field(program, task->frame->object, input->number, text);
    }
    return count;
}

void stuck_describe(AbsProgram *program, const Task *task, Text *text)
{
    const Machine *machine = program_abs_machine(program);
    const ClassCode *class = machine->objects[task->frame->object].class;
    uint32_t count = 0;
    if (!task->guard->condition || !class || !add_fields(program, task, text))
        return;
    for (uint32_t i = 0; i < machine->image->selector_count; i++) {
        if (!class->methods[i] || !assigns(class->methods[i], task->guard))
            continue;
        text_add_string(text, count++ ? ", " : "; assigned in ");
        add_tasks(machine, task, class->methods[i], text);
    }
    text_add_string(text, count ? ")" : "; assigned in no method)");
}
