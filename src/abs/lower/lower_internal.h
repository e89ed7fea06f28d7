/* lower_internal.h - what the files of lowering share */
#ifndef ABS_LOWER_LOWER_INTERNAL_H
#define ABS_LOWER_LOWER_INTERNAL_H

#include "abs/lower/ir.h"

/* A value of the surrounding code that pure code captures: a variable, a field or this. */
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
    /* annotations of the statement: register + 1; 0: none */
    uint16_t deadline, component, size;
    const Guarding *scheduler; /* the same; NULL: none                             */
    uint32_t comparing;          /* comparisons around the expression               */
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

/* A jump target that is placed later: the jumps to be patched. */
typedef struct JumpLabel {
    VEC(uint32_t) uses;
} JumpLabel;

/* ---- Building code (lower.c) ---- */

/* Begins to build `code`; `outer` builds the code around an anonymous function or guard, else NULL. */
void lower_begin(CodeBuilder *b, Lowering *lowering, CodeBuilder *outer, Code *code);
/* Moves the finished instructions into the image and releases the builder. */
void lower_end(CodeBuilder *b);
Code *lower_new_code(Lowering *lowering, CodeKind kind, const char *name, SrcPos pos);
/* Appends an instruction and answers its index. If there are too many, lowering->too_large is set instead. */
uint32_t lower_emit(CodeBuilder *b, InstrOp op, uint16_t a, uint16_t operand_b, uint16_t c);
/* The instruction appended last; valid until the next one. */
Instr *lower_last(CodeBuilder *b);
/* Allocates a register, or consecutive ones, and answers the first; 0 with lowering->too_large set if there are too
 * many. b->next is reset to free them. */
uint16_t lower_temp(CodeBuilder *b);
uint16_t lower_temps(CodeBuilder *b, uint32_t count);
/* The number of a decision of the user's files, for coverage; 0 in the library. */
uint16_t lower_decision(CodeBuilder *b, SrcPos pos, const char *kind);
/* Emits code that records an outcome of the decision; nothing for number 0. */
void lower_cover(CodeBuilder *b, uint16_t decision, bool holds);
/* Emits a jump to the label, which lower_place puts at the next instruction. */
void lower_jump(CodeBuilder *b, InstrOp op, uint16_t reg, JumpLabel *label);
void lower_place(CodeBuilder *b, JumpLabel *label);
/* The variable is in this register of the code; NULL: nothing. */
void lower_declare(CodeBuilder *b, Variable *variable, uint16_t slot);
/* The number of a method name, the same for all classes. */
uint32_t lower_selector(Lowering *lowering, const char *name);
void lower_const(CodeBuilder *b, uint16_t target, Value value);
const InputCode *lower_input(CodeBuilder *b, const char *name, Type *type);

/* ---- Parts ---- */

/* Answers the register with the value; for a variable its own register. */
uint16_t lower_expr(CodeBuilder *b, const Expr *expr);
void lower_expr_to(CodeBuilder *b, const Expr *expr, uint16_t target);
void lower_tail(CodeBuilder *b, const Expr *expr);          /* returns it from a function    */
void lower_args(CodeBuilder *b, const ExprList *args, uint16_t base);
void lower_call(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail); /* lower_call.c */
void lower_effect(CodeBuilder *b, const Expr *expr, uint16_t target, bool used); /* lower_stmt.c */
uint16_t lower_variable(CodeBuilder *b, const Variable *variable);
uint16_t lower_field(CodeBuilder *b, const Field *field);
uint16_t lower_this(CodeBuilder *b);
/* Emits a jump to `fail` unless the value in the register matches; binds variables. */
void lower_pattern(CodeBuilder *b, const Pattern *pattern, uint16_t value, JumpLabel *fail);
void lower_stmt(CodeBuilder *b, const Stmt *stmt);
/* `kind`: of the decisions that the branches are; NULL: they are none. */
void lower_branches(CodeBuilder *b, const Branches *branches, uint16_t value, const char *kind, JumpLabel *done);
/* The decision whether a value that reaches this branch matches it; 0 if it always does. */
uint16_t lower_branch_decision(CodeBuilder *b, const Branches *branches, uint32_t number, const char *kind);
/* Allocates a register for each value that the expression captures. */
void lower_find_captures(CodeBuilder *b, const Expr *expr);
/* Time (lower_time.c): a delay's registers; the statement; annotations of a statement, in force until they are ended;
 * and of the call that is emitted next. */
void lower_delay(CodeBuilder *b, const ExprList *delay, uint16_t *least, uint16_t *most);
void lower_duration(CodeBuilder *b, const Stmt *stmt);
uint16_t lower_annotations(CodeBuilder *b, const Stmt *stmt);
void lower_end_annotations(CodeBuilder *b, const Stmt *stmt, uint16_t mark);
void lower_call_annotations(CodeBuilder *b, uint16_t receiver);
void lower_new_annotations(CodeBuilder *b);
void lower_find_components(Image *image);
/* The annotation [Scheduler: f(queue)] of a class or of a statement that creates an object; NULL: there is none. */
const Guarding *lower_scheduler(Lowering *lowering, const Annotations *annotations);
/* Finds the pure code that depends on the time. */
void lower_find_clock_readers(Image *image);
/* Finds functions that cannot throw and reads of fields that do not matter (lower_effects.c). */
void lower_find_effects(Image *image);

#endif
