/* foreign.c - classes that are implemented elsewhere ([Foreign])
 *
 * What the other implementation does is not known. Its methods do what is written in the model, as they do where there
 * is no other implementation, but a result of a type that an input can have is an input.
 */
#include "abs/check/check_internal.h"
#include "abs/check/input_type.h"

static Annotations make_input(Checker *c, const Stmt *place)
{
    Annotation *annotation = arena_zero(&c->model->arena, sizeof *annotation);
    annotation->tag = (Name){intern_make(&c->model->names, "Input", 5), place->pos, place->length};
    return (Annotations){annotation, 1};
}

/* `return e;` becomes `[Input] T result = e; return result;`, with a name that no variable can have. */
static void split_return(Checker *c, const ClassDecl *class, MethodDecl *method)
{
    Arena *arena = &c->model->arena;
    StmtList *list = &method->body->stmts;
    Stmt *leave = list->items[list->count - 1], *declare = arena_zero(arena, sizeof *declare);
    Expr *use = arena_zero(arena, sizeof *use);
    Text name = {0};
    text_add(&name, "%s.%s", class->decl.name.text, method->sig.name.text);
    declare->kind = STMT_DECLARE;
    declare->pos = leave->pos;
    declare->length = leave->length;
    declare->annotations = make_input(c, leave);
    declare->type_ref = method->sig.result_ref;
    declare->name = (Name){intern_make(&c->model->names, name.data, name.length), leave->pos, leave->length};
    declare->expr = leave->expr;
    use->kind = EXPR_VARIABLE;
    use->pos = leave->pos;
    use->length = leave->length;
    use->name = declare->name;
    leave->expr = use;
    Stmt **grown = arena_alloc(arena, (list->count + 1) * sizeof *grown);
    for (uint32_t i = 0; i < list->count; i++)
        grown[i] = list->items[i];
    grown[list->count - 1] = declare;
    grown[list->count] = leave;
    list->items = grown;
    list->count++;
    text_release(&name);
}

void check_foreign_class(Checker *c, ClassDecl *class)
{
    for (uint32_t i = 0; i < class->methods.count; i++) {
        MethodDecl *method = class->methods.items[i];
        const StmtList *list = method->body ? &method->body->stmts : NULL;
        const Stmt *last = list && list->count ? list->items[list->count - 1] : NULL;
        if (last && last->kind == STMT_RETURN && last->expr && method->sig.name.text &&
            type_can_be_input(&c->types, method->sig.result))
            split_return(c, class, method);
    }
    check_warning(c, class->decl.name.pos, class->decl.name.length,
                  "foreign class '%s': its methods do what is written here; results that are numbers, texts or data "
                  "made of these are inputs", class->decl.name.text);
}
