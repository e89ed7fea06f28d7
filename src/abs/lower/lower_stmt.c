/* lower_stmt.c - statements, effects and guards */
#include "abs/lower/lower_internal.h"

#include <string.h>

static uint16_t lower_sub_stmt(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t mark = b->next;
    lower_stmt(b, stmt);
    b->next = mark;
    return mark;
}

/* ---- Effects --------------------------------------------------------------------------- */

static void lower_new(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    const ClassDecl *class = (const ClassDecl *)expr->decl;
    bool local = expr->place == NEW_LOCAL || (expr->place == NEW_PLAIN && b->lowering->module->legacy_new);
    uint16_t base = lower_temps(b, expr->args.count);
    lower_args(b, &expr->args, base);
    b->pos = expr->pos;
    lower_new_annotations(b);
    lower_emit(b, local ? INSTR_NEW_LOCAL : INSTR_NEW, target, base, (uint16_t)expr->args.count);
    lower_last(b)->x.class = &b->lowering->image->classes[class->number];
}

static void lower_method_call(CodeBuilder *b, const Expr *expr, uint16_t target, InstrOp op)
{
    uint16_t base = lower_temps(b, expr->args.count + 1);
    lower_expr_to(b, expr->left, base);
    lower_args(b, &expr->args, (uint16_t)(base + 1));
    b->pos = expr->pos;
    lower_call_annotations(b, base);
    lower_emit(b, op, target, base, (uint16_t)expr->args.count);
    lower_last(b)->x.selector = lower_selector(b->lowering, expr->name.text);
}

/* this.m() and original() call a statically known method of this object. */
static void lower_self_call(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    uint16_t base = lower_temps(b, expr->args.count);
    lower_args(b, &expr->args, base);
    b->pos = expr->pos;
    lower_emit(b, INSTR_SYNC_SELF, target, base, (uint16_t)expr->args.count);
    lower_last(b)->x.code = expr->method->code;
}

static Guarding *new_guard(CodeBuilder *b, SrcPos pos)
{
    Image *image = b->lowering->image;
    Guarding *guard = arena_zero(&image->arena, sizeof *guard);
    guard->pos = pos;
    guard->number = image->guards.count;
    VEC_PUSH(&image->guards, guard);
    return guard;
}

static void emit_await(CodeBuilder *b, const Guarding *guard)
{
    lower_emit(b, INSTR_AWAIT, 0, 0, 0);
    lower_last(b)->x.guard = guard;
}

/* await o!m(): the call, wait for its future, read it if the result is used. */
static void lower_await_call(CodeBuilder *b, const Expr *expr, uint16_t target, bool used)
{
    uint16_t future = lower_temp(b);
    lower_method_call(b, expr, future, INSTR_ASYNC);
    Guarding *guard = new_guard(b, expr->pos);
    guard->futures = arena_alloc(&b->lowering->image->arena, sizeof(uint16_t));
    guard->futures[0] = future;
    guard->future_count = 1;
    emit_await(b, guard);
    if (used)
        lower_emit(b, INSTR_GET, target, future, 0);
    else
        lower_const(b, future, VALUE_UNIT); /* no task can read its result any more */
}

void lower_effect(CodeBuilder *b, const Expr *expr, uint16_t target, bool used)
{
    uint16_t mark = b->next;
    b->pos = expr->pos;
    switch ((ExprKind)expr->kind) {
    case EXPR_NEW: lower_new(b, expr, target); break;
    case EXPR_ASYNC: lower_method_call(b, expr, target, INSTR_ASYNC); break;
    case EXPR_AWAIT: lower_await_call(b, expr, target, used); break;
    case EXPR_SYNC:
        if (expr->method && expr->method->code)
            lower_self_call(b, expr, target);
        else
            lower_method_call(b, expr, target, INSTR_SYNC);
        break;
    case EXPR_ORIGINAL: lower_self_call(b, expr, target); break;
    case EXPR_GET: {
        uint16_t future = lower_temp(b);
        lower_expr_to(b, expr->left, future);
        b->pos = expr->pos;
        lower_emit(b, INSTR_GET, target, future, 0);
        break;
    }
    default: lower_expr_to(b, expr, target); break;
    }
    b->next = mark;
}

static bool has_effect(const Expr *expr)
{
    return expr->kind >= EXPR_NEW;
}

/* ---- Variables --------------------------------------------------------------------------- */

static void lower_value(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    if (!expr)
        lower_const(b, target, VALUE_NULL);
    else if (has_effect(expr))
        lower_effect(b, expr, target, true);
    else
        lower_expr_to(b, expr, target);
}

static void lower_declaration(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t slot = lower_temp(b);
    lower_value(b, stmt->expr, slot);
    if (stmt->input) {
        lower_emit(b, INSTR_INPUT, slot, slot, 0);
        lower_last(b)->x.input = lower_input(b, stmt->name.text, stmt->variable->type);
    }
    lower_declare(b, stmt->variable, slot);
}

/* The value is computed before the variable changes, since it may mention the variable. */
static void lower_assign(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t mark = b->next, value = lower_temp(b);
    lower_value(b, stmt->expr, value);
    b->pos = stmt->target->pos;
    if (stmt->target->variable)
        lower_emit(b, INSTR_MOVE, lower_variable(b, stmt->target->variable), value, 0);
    else
        lower_emit(b, INSTR_STORE, value, (uint16_t)stmt->target->field->index, 0);
    b->next = mark;
}

static void lower_expr_stmt(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t mark = b->next, value = lower_temp(b);
    if (has_effect(stmt->expr))
        lower_effect(b, stmt->expr, value, false);
    else
        lower_expr_to(b, stmt->expr, value);
    if (stmt->expr->kind == EXPR_ASYNC) /* no task can read its result any more */
        lower_const(b, value, VALUE_UNIT);
    b->next = mark;
}

static void lower_with_value(CodeBuilder *b, const Stmt *stmt, InstrOp op)
{
    uint16_t mark = b->next, value = lower_temp(b);
    lower_value(b, stmt->expr, value);
    b->pos = stmt->pos;
    lower_emit(b, op, 0, value, 0);
    b->next = mark;
}

/* Fields and variables that a report of a failed assertion shows. */
static const AssertReads *find_reads(CodeBuilder *b, const Expr *expr)
{
    CodeBuilder probe = {.lowering = b->lowering, .code = b->code, .next = b->next};
    lower_find_captures(&probe, expr);
    AssertReads *reads =
        arena_zero(&b->lowering->image->arena, sizeof *reads + probe.captures.count * sizeof *reads->items);
    for (uint32_t i = 0; i < probe.captures.count; i++) {
        const Capture *capture = &probe.captures.items[i];
        if (!capture->variable && !capture->field)
            continue;
        reads->items[reads->count].is_field = capture->field;
        reads->items[reads->count].name = capture->field ? capture->field->name.text : capture->variable->name.text;
        reads->items[reads->count++].number =
            capture->field ? (uint16_t)capture->field->index : lower_variable(b, capture->variable);
    }
    VEC_FREE(&probe.captures);
    return reads;
}

static void lower_assert(CodeBuilder *b, const Stmt *stmt)
{
    lower_with_value(b, stmt, INSTR_ASSERT);
    lower_last(b)->x.reads = has_effect(stmt->expr) ? NULL : find_reads(b, stmt->expr);
}

/* ---- Control ------------------------------------------------------------------------------- */

static void lower_if(CodeBuilder *b, const Stmt *stmt)
{
    JumpLabel other = {0}, end = {0};
    uint16_t mark = b->next;
    lower_jump(b, INSTR_JUMP_UNLESS, lower_expr(b, stmt->expr), &other);
    lower_last(b)->c = lower_decision(b, stmt->pos, "if");
    b->next = mark;
    lower_sub_stmt(b, stmt->body);
    if (stmt->other)
        lower_jump(b, INSTR_JUMP, 0, &end);
    lower_place(b, &other);
    if (stmt->other)
        lower_sub_stmt(b, stmt->other);
    lower_place(b, &end);
}

static void lower_jump_back(CodeBuilder *b, uint32_t to)
{
    lower_emit(b, INSTR_JUMP, 0, 0, 0);
    lower_last(b)->x.number = to;
}

static void lower_while(CodeBuilder *b, const Stmt *stmt)
{
    JumpLabel end = {0};
    uint16_t outer = b->next, count = lower_temp(b), mark = b->next;
    b->pos = stmt->pos;
    lower_const(b, count, value_from_int(0));
    uint32_t begin = b->instrs.count;
    lower_jump(b, INSTR_JUMP_UNLESS, lower_expr(b, stmt->expr), &end);
    lower_last(b)->c = lower_decision(b, stmt->pos, "while");
    b->next = mark;
    lower_emit(b, INSTR_ITERATE, count, 0, 0);
    lower_sub_stmt(b, stmt->body);
    lower_jump_back(b, begin);
    lower_place(b, &end);
    b->next = outer;
}

static void lower_foreach(CodeBuilder *b, const Stmt *stmt)
{
    JumpLabel end = {0};
    uint16_t mark = b->next, list = lower_temp(b), element = lower_temp(b), index = lower_temp(b), one = lower_temp(b),
             count = lower_temp(b);
    const Image *image = b->lowering->image;
    lower_expr_to(b, stmt->expr, list);
    lower_const(b, index, value_from_int(0));
    lower_const(b, one, value_from_int(1));
    lower_const(b, count, value_from_int(0));
    uint32_t begin = b->instrs.count;
    VEC_PUSH(&end.uses, lower_emit(b, INSTR_UNLESS_DATA, (uint16_t)image->cons, list, 0));
    uint16_t decision = lower_decision(b, stmt->pos, "foreach");
    lower_cover(b, decision, true);
    lower_emit(b, INSTR_ITERATE, count, 0, 0);
    lower_emit(b, INSTR_ARGUMENT, element, list, 0);
    lower_emit(b, INSTR_ARGUMENT, list, list, 1);
    lower_declare(b, stmt->variable, element);
    lower_declare(b, stmt->index, index);
    lower_sub_stmt(b, stmt->body);
    lower_emit(b, INSTR_ADD, index, index, one);
    lower_jump_back(b, begin);
    lower_place(b, &end);
    lower_cover(b, decision, false);
    b->next = mark;
}

void lower_branches(CodeBuilder *b, const Branches *branches, uint16_t value, const char *kind, JumpLabel *done)
{
    for (uint32_t i = 0; i < branches->count; i++) {
        JumpLabel fail = {0};
        uint16_t mark = b->next, decision = kind ? lower_branch_decision(b, branches, i, kind) : 0;
        lower_pattern(b, branches->items[i].pattern, value, &fail);
        lower_cover(b, decision, true);
        lower_stmt(b, branches->items[i].stmt);
        lower_jump(b, INSTR_JUMP, 0, done);
        lower_place(b, &fail);
        lower_cover(b, decision, false);
        b->next = mark;
    }
}

static void lower_switch(CodeBuilder *b, const Stmt *stmt)
{
    JumpLabel done = {0};
    uint16_t mark = b->next, value = lower_temp(b);
    lower_expr_to(b, stmt->expr, value);
    lower_branches(b, &stmt->branches, value, "switch", &done);
    b->pos = stmt->pos;
    lower_emit(b, INSTR_NO_MATCH, 0, 0, 0);
    lower_place(b, &done);
    b->next = mark;
}

static void add_region(CodeBuilder *b, uint32_t first, uint32_t end, uint16_t exception)
{
    if (first < end)
        VEC_PUSH(&b->tries, ((TryRegion){first, end, b->instrs.count, exception}));
}

/* try { body } catch { branches } finally { other }: `other` is lowered at each exit. */
static void lower_try(CodeBuilder *b, const Stmt *stmt)
{
    JumpLabel done = {0};
    uint16_t mark = b->next, exception = lower_temp(b);
    uint32_t first = b->instrs.count;
    lower_sub_stmt(b, stmt->body);
    uint32_t end = b->instrs.count;
    lower_jump(b, INSTR_JUMP, 0, &done);
    add_region(b, first, end, exception);
    uint32_t handler = b->instrs.count;
    lower_branches(b, &stmt->branches, exception, NULL, &done);
    if (stmt->other) {
        add_region(b, handler, b->instrs.count, exception);
        lower_sub_stmt(b, stmt->other);
    }
    b->pos = stmt->pos;
    lower_emit(b, INSTR_THROW, 0, exception, 0);
    lower_place(b, &done);
    if (stmt->other)
        lower_sub_stmt(b, stmt->other);
    b->next = mark;
}

/* ---- Waiting ------------------------------------------------------------------------------------ */

typedef struct GuardParts {
    VEC(const Expr *) futures;
    VEC(const Expr *) conditions;
    const ExprList *delay; /* NULL: none */
} GuardParts;

static void collect_guard(GuardParts *parts, const Guard *guard)
{
    switch ((GuardKind)guard->kind) {
    case GUARD_BOOL: VEC_PUSH(&parts->conditions, guard->expr); break;
    case GUARD_FUTURE: VEC_PUSH(&parts->futures, guard->expr); break;
    case GUARD_DURATION: parts->delay = &guard->delay; break;
    case GUARD_AND:
        collect_guard(parts, guard->left);
        collect_guard(parts, guard->right);
        break;
    }
}

static struct GuardInput make_input(CodeBuilder *b, const Capture *capture)
{
    if (capture->variable)
        return (struct GuardInput){INPUT_REGISTER, lower_variable(b, capture->variable)};
    if (!capture->field)
        return (struct GuardInput){INPUT_THIS, 0};
    b->lowering->image->classes[b->lowering->class->number].guarded[capture->field->index] = true;
    return (struct GuardInput){INPUT_FIELD, capture->field->index};
}

/* The condition as a function of the fields and variables it mentions. */
static void lower_condition(CodeBuilder *b, Guarding *guard, const GuardParts *parts)
{
    CodeBuilder inner;
    JumpLabel no = {0};
    Arena *arena = &b->lowering->image->arena;
    Code *code = lower_new_code(b->lowering, CODE_GUARD, "condition of await", guard->pos);
    lower_begin(&inner, b->lowering, b, code);
    for (uint32_t i = 0; i < parts->conditions.count; i++)
        lower_find_captures(&inner, parts->conditions.items[i]);
    uint16_t result = lower_temp(&inner);
    for (uint32_t i = 0; i < parts->conditions.count; i++) {
        lower_expr_to(&inner, parts->conditions.items[i], result);
        lower_jump(&inner, INSTR_JUMP_UNLESS, result, &no);
    }
    lower_place(&inner, &no);
    lower_emit(&inner, INSTR_RETURN, 0, result, 0);
    uint32_t count = inner.captures.count;
    if (count > IR_MOST_INPUTS)
        b->lowering->too_large = true;
    code->captured_count = guard->input_count = count;
    code->captured = arena_alloc(arena, count * sizeof(uint16_t));
    guard->inputs = arena_alloc(arena, count * sizeof *guard->inputs);
    for (uint32_t i = 0; i < count; i++) {
        code->captured[i] = inner.captures.items[i].slot;
        guard->inputs[i] = make_input(b, &inner.captures.items[i]);
    }
    lower_end(&inner);
    guard->condition = code;
    guard->decision = lower_decision(b, guard->pos, "await");
}

static void lower_await(CodeBuilder *b, const Stmt *stmt)
{
    GuardParts parts = {0};
    uint16_t mark = b->next;
    collect_guard(&parts, stmt->guard);
    b->pos = stmt->pos;
    Guarding *guard = new_guard(b, stmt->pos);
    if (parts.delay) {
        guard->delays = true;
        lower_delay(b, parts.delay, &guard->least, &guard->most);
    }
    guard->future_count = parts.futures.count;
    b->lowering->image->needs_knowledge |= parts.futures.count > 0;
    guard->futures = arena_alloc(&b->lowering->image->arena, parts.futures.count * sizeof(uint16_t));
    for (uint32_t i = 0; i < parts.futures.count; i++) {
        guard->futures[i] = lower_temp(b);
        lower_expr_to(b, parts.futures.items[i], guard->futures[i]);
    }
    if (parts.conditions.count)
        lower_condition(b, guard, &parts);
    b->pos = stmt->pos;
    emit_await(b, guard);
    VEC_FREE(&parts.futures);
    VEC_FREE(&parts.conditions);
    b->next = mark;
}

/* ---- All of them ----------------------------------------------------------------------------------- */

static void lower_block(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t mark = b->next;
    for (uint32_t i = 0; i < stmt->stmts.count; i++)
        lower_stmt(b, stmt->stmts.items[i]);
    b->next = mark;
}

void lower_stmt(CodeBuilder *b, const Stmt *stmt)
{
    SrcPos around = b->stmt;
    b->pos = stmt->pos;
    if (stmt->kind != STMT_BLOCK)
        b->stmt = stmt->pos;
    uint16_t mark = lower_annotations(b, stmt);
    switch ((StmtKind)stmt->kind) {
    case STMT_ERROR:
    case STMT_SKIP: break;
    case STMT_DECLARE: lower_declaration(b, stmt); break;
    case STMT_ASSIGN: lower_assign(b, stmt); break;
    case STMT_EXPR: lower_expr_stmt(b, stmt); break;
    case STMT_BLOCK: lower_block(b, stmt); break;
    case STMT_RETURN: lower_with_value(b, stmt, INSTR_FINISH); break;
    case STMT_ASSERT: lower_assert(b, stmt); break;
    case STMT_IF: lower_if(b, stmt); break;
    case STMT_WHILE: lower_while(b, stmt); break;
    case STMT_FOREACH: lower_foreach(b, stmt); break;
    case STMT_SWITCH: lower_switch(b, stmt); break;
    case STMT_TRY: lower_try(b, stmt); break;
    case STMT_AWAIT: lower_await(b, stmt); break;
    case STMT_SUSPEND: lower_emit(b, INSTR_SUSPEND, 0, 0, 0); break;
    case STMT_THROW: lower_with_value(b, stmt, INSTR_THROW); break;
    case STMT_DIE: lower_with_value(b, stmt, INSTR_DIE); break;
    case STMT_DURATION: lower_duration(b, stmt); break;
    case STMT_MOVECOGTO:
        lower_with_value(b, stmt, INSTR_MOVE_COG);
        b->lowering->image->moves_cogs = true;
        break;
    }
    lower_end_annotations(b, stmt, mark);
    b->stmt = around;
}
