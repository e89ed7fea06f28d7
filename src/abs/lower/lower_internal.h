/* lower_internal.h - what the files of lowering share */
#ifndef ABS_LOWER_LOWER_INTERNAL_H
#define ABS_LOWER_LOWER_INTERNAL_H

#include "abs/lower/ir.h"

/* A value of the surrounding code that pure code takes along: a variable, a field or this. */
typedef struct Capture {
    const Variable *variable;
    const Field *field;
    uint16_t slot;
} Capture;

/* Code under construction. */
typedef struct CodeBuilder CodeBuilder;
struct CodeBuilder {
    struct Lowering *lowering;
    CodeBuilder *outer;          /* of an anonymous function or guard               */
    Code *code;
    const FunctionDecl *function;/* being lowered, or NULL                           */
    const ClassDecl *class;
    uint16_t next;               /* free register                                   */
    SrcPos pos;                  /* of the instructions to come                     */
    SrcPos stmt;                 /* the statement they belong to; SRCPOS_NONE: none  */
    VEC(Instr) instrs;
    VEC(SrcPos) places, stmts;
    VEC(TryRegion) tries;
    VEC(Capture) captures;
};

typedef struct Lowering {
    Image *image;
    const Model *model;
    Map selectors;               /* interned name -> selector + 1                   */
    VEC(const char *) selector_names;
    Map accessors;               /* FunctionDecl -> Accessor                        */
    VEC(FunctionDecl *) functions; /* to be lowered                                 */
    const ClassDecl *class;
    const ModuleDecl *module;
    bool too_large;
} Lowering;

/* A place to jump to, known later: the instructions that wait for it. */
typedef struct JumpLabel {
    VEC(uint32_t) uses;
} JumpLabel;

/* ---- Building code (lower.c) ---- */

void lower_begin(CodeBuilder *b, Lowering *lowering, CodeBuilder *outer, Code *code);
/* Moves the finished instructions into the image. */
void lower_end(CodeBuilder *b);
Code *lower_new_code(Lowering *lowering, CodeKind kind, const char *name, SrcPos pos);
uint32_t lower_emit(CodeBuilder *b, InstrOp op, uint16_t a, uint16_t operand_b, uint16_t c);
Instr *lower_last(CodeBuilder *b);
uint16_t lower_temp(CodeBuilder *b);
uint16_t lower_temps(CodeBuilder *b, uint32_t count);
/* The number of a decision of the user's files, for coverage; 0 in the library. */
uint16_t lower_decision(CodeBuilder *b, SrcPos pos, const char *kind);
/* The decision came out here; nothing for number 0. */
void lower_cover(CodeBuilder *b, uint16_t decision, bool holds);
void lower_jump(CodeBuilder *b, InstrOp op, uint16_t reg, JumpLabel *label);
void lower_place(CodeBuilder *b, JumpLabel *label);
void lower_declare(CodeBuilder *b, Variable *variable, uint16_t slot);
uint32_t lower_selector(Lowering *lowering, const char *name);
void lower_const(CodeBuilder *b, uint16_t target, Value value);

/* ---- Parts ---- */

/* The register that holds the value; a variable's own register if it is one. */
uint16_t lower_expr(CodeBuilder *b, const Expr *expr);
void lower_expr_to(CodeBuilder *b, const Expr *expr, uint16_t target);
void lower_tail(CodeBuilder *b, const Expr *expr);          /* returns it from a function    */
void lower_args(CodeBuilder *b, const ExprList *args, uint16_t base);
void lower_call(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail); /* lower_call.c */
void lower_effect(CodeBuilder *b, const Expr *expr, uint16_t target, bool used); /* lower_stmt.c */
uint16_t lower_variable(CodeBuilder *b, const Variable *variable);
uint16_t lower_field(CodeBuilder *b, const Field *field);
uint16_t lower_this(CodeBuilder *b);
/* Jumps to `fail` unless the value in the register matches; binds variables. */
void lower_pattern(CodeBuilder *b, const Pattern *pattern, uint16_t value, JumpLabel *fail);
void lower_stmt(CodeBuilder *b, const Stmt *stmt);
/* `kind` of the decisions that the branches are; NULL: none. */
void lower_branches(CodeBuilder *b, const Branches *branches, uint16_t value, const char *kind, JumpLabel *done);
/* The decision whether a value that came to this branch matches it; 0 if it always does. */
uint16_t lower_branch_decision(CodeBuilder *b, const Branches *branches, uint32_t number, const char *kind);
/* Gives a register to each value that the expression takes from the code around it. */
void lower_find_captures(CodeBuilder *b, const Expr *expr);
/* Facts about the finished code (lower_effects.c). */
void lower_find_effects(Image *image);

#endif
