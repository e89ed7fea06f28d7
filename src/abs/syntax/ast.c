/* ast.c - see ast.h */
#include "abs/syntax/ast.h"

#include <stdlib.h>
#include <string.h>

#include "abs/syntax/scope.h"
#include "base/mem.h"

Model *model_create(void)
{
    return mem_alloc(sizeof(Model));
}

void model_destroy(Model *model)
{
    if (!model)
        return;
    for (uint32_t i = 0; i < model->tokens.count; i++)
        VEC_FREE(&model->tokens.items[i].items);
    VEC_FREE(&model->tokens);
    for (uint32_t i = 0; i < model->modules.count; i++)
        scope_destroy(model->modules.items[i]->scope);
    VEC_FREE(&model->modules);
    VEC_FREE(&model->deltas);
    VEC_FREE(&model->product_lines);
    VEC_FREE(&model->products);
    VEC_FREE(&model->features);
    VEC_FREE(&model->constructors);
    VEC_FREE(&model->classes);
    VEC_FREE(&model->interfaces);
    map_release(&model->module_names);
    diags_release(&model->diags);
    sources_release(&model->sources);
    intern_release(&model->names);
    arena_release(&model->arena);
    free(model);
}

const char *name_last_part(const char *text)
{
    const char *dot = strrchr(text, '.');
    return dot ? dot + 1 : text;
}

const char *operator_text(Operator op)
{
    static const char *const texts[] = {"||", "&&", "==", "!=", "<", "<=", ">", ">=",
                                        "+",  "-",  "*",  "/",  "%", "!",  "-"};
    return texts[op];
}

static const char *annotation_word(const Annotation *annotation)
{
    if (annotation->tag.text)
        return annotation->tag.text;
    const Expr *value = annotation->value;
    return value && value->kind == EXPR_CONSTRUCT ? value->name.text : NULL;
}

const Annotation *annotation_find(const Annotations *annotations, const char *word)
{
    for (uint32_t i = 0; i < annotations->count; i++) {
        const char *found = annotation_word(&annotations->items[i]);
        if (found && strcmp(name_last_part(found), word) == 0)
            return &annotations->items[i];
    }
    return NULL;
}

bool module_is_test(const ModuleDecl *module)
{
    return module->main && annotation_find(&module->main->annotations, "Test") != NULL;
}
