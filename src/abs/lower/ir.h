/* ir.h - a model as intermediate code, which the interpreter executes and analyses read
 *
 * Functions, methods, guards and anonymous functions are lists of instructions over
 * numbered registers; parameters come first. Pure code (functions, guards, anonymous
 * functions) has no access to objects: the fields that a guard reads are passed to it.
 */
#ifndef ABS_LOWER_IR_H
#define ABS_LOWER_IR_H

#include "abs/syntax/ast.h"
#include "abs/value/value.h"

typedef enum InstrOp {
#define INSTR(name) INSTR_##name,
#include "abs/lower/ir.def"
    INSTR_COUNT
} InstrOp;

typedef struct Code Code;
typedef struct ClassCode ClassCode;
typedef struct Instr Instr;
typedef struct Guarding Guarding;
typedef struct Machine Machine;

/* Executes an instruction; answers the next one, or NULL if the step ends here. */
typedef const Instr *InstrHandler(Machine *machine, Value *registers, const Instr *instr);
typedef Value BuiltinFunction(Machine *machine, const Value *args);

/* Where an accessor finds its argument, for each constructor that has it. */
typedef struct Accessor {
    uint32_t count;
    struct {
        uint32_t constructor;
        uint32_t index;
    } places[];
} Accessor;

/* An input: a variable, or the result of a query. */
typedef struct InputCode {
    const char *name;
    Type *type;
} InputCode;

/* The variables and fields of a condition. */
typedef struct AssertReads {
    uint32_t count;
    struct {
        const char *name;
        bool is_field;
        uint16_t number;         /* of the field, or the register */
    } items[];
} AssertReads;

struct Instr {
    InstrHandler *run;
    uint16_t op; /* InstrOp */
    uint16_t a, b, c;
    union {
        Value value;
        uint64_t number;
        const Instr *target;
        const Code *code;
        const ClassCode *class;
        const Accessor *accessor;
        const Guarding *guard;
        BuiltinFunction *builtin;
        uint64_t selector;
        const char *text;
        const InputCode *input;
        const AssertReads *reads;
    } x;
};

typedef enum CodeKind {
    CODE_FUNCTION,
    CODE_LAMBDA,
    CODE_GUARD,
    CODE_METHOD,
    CODE_INIT,
    CODE_RECOVER,
    CODE_MAIN
} CodeKind;

/* Exceptions thrown in [first, end) go to target, in register `exception`. */
typedef struct TryRegion {
    uint32_t first, end;
    uint32_t target;
    uint16_t exception;
} TryRegion;

struct Code {
    CodeKind kind;
    const char *name;
    uint32_t number;             /* among all code of the image                       */
    bool total;                  /* a function that cannot throw                      */
    bool reads_clock;            /* now(), deadline(); only of pure code              */
    uint16_t param_count;
    uint16_t register_count;
    Instr *instrs;
    SrcPos *places;              /* of the instructions                               */
    SrcPos *stmts;               /* of their statements; SRCPOS_NONE: in none          */
    uint32_t count;
    TryRegion *tries;            /* inner ones first                                  */
    uint32_t try_count;
    uint16_t *captured;          /* registers for captured values (CODE_LAMBDA, CODE_GUARD) */
    uint32_t captured_count;
    SrcPos pos;                  /* of its name                                       */
    const ClassCode *class;      /* of a method                                       */
};

enum { IR_MOST_INPUTS = 256 }; /* variables and fields in one guard */

/* What an await waits for: all of the futures, and the condition. A scheduler is one too, whose condition answers
 * a task of the queue; if it has none, every task may be chosen. */
struct Guarding {
    uint16_t *futures;           /* registers                                         */
    uint32_t future_count;
    bool delays;                 /* it waits for the clock too; registers:            */
    uint16_t least, most;
    bool reads_clock;            /* its condition does                                */
    const Code *condition;       /* NULL: none. Its captured values are the following: */
    struct GuardInput {
        enum { INPUT_REGISTER, INPUT_FIELD, INPUT_THIS, INPUT_QUEUE } kind;
        uint32_t number;         /* register or field */
    } *inputs;
    uint32_t input_count;
    uint32_t number;             /* among all guards of the image */
    uint32_t decision;           /* of its condition; 0: none     */
    SrcPos pos;
};

struct ClassCode {
    ClassDecl *decl;
    const char *name;
    uint32_t number;
    uint32_t field_count, param_count;
    const Code *init;            /* sets the fields, runs the init block; parameters as the class */
    const Code *recover;         /* parameter: the exception; NULL if there is none   */
    const Code **methods;        /* by selector; NULL: it has none                    */
    const Code *run;             /* NULL: none                                        */
    uint8_t *implements;         /* by interface number                               */
    bool *guarded;               /* by field: a guard reads it                        */
    bool init_may_wait;          /* its init block calls other objects                */
    const Guarding *scheduler;   /* of the cogs of its objects; NULL: none            */
};

/* A point where the code branches, for decision coverage. */
typedef struct CodeDecision {
    SrcPos pos;
    const Code *code;
    const char *kind;            /* "if", "while", "await" ...                         */
} CodeDecision;

/* What a deployment component gives out in each unit of time, and where it keeps account of it. */
typedef enum CapacityKind { CAPACITY_SPEED, CAPACITY_BANDWIDTH, CAPACITY_KINDS } CapacityKind;
typedef enum AccountField {
    ACCOUNT_USED, ACCOUNT_TOTAL, ACCOUNT_NEXT, ACCOUNT_USES, ACCOUNT_TOTALS, ACCOUNT_FIELDS
} AccountField;

typedef struct Image {
    Arena arena;
    const Model *model;
    VEC(Code *) codes;
    VEC(Guarding *) guards;
    ClassCode *classes;          /* by class number                                   */
    const char **selectors;      /* names of methods, by selector                     */
    uint32_t selector_count;
    const Code *main;
    VEC(CodeDecision) decisions; /* of the user's files; number 0 is none             */
    bool needs_knowledge;        /* some await names a future                         */
    bool has_inputs;             /* [Input], random() or queries                      */
    VEC(Value) texts;            /* literals that values are compared with            */
    bool moves_cogs;             /* with movecogto                                    */
    bool timed;                  /* code of the user can let time pass                */
    const char **constructor_names;
    uint32_t *constructor_ranks;
    uint64_t *constructor_hashes;
    uint32_t *constructor_sizes; /* number of arguments                               */
    uint32_t constructor_count;
    Value no_match, null_pointer, division_by_zero, assertion_failed, object_dead, stack_overflow, heap_overflow;
    const ClassCode *component;  /* the class of deployment components; NULL: none    */
    uint32_t accounts[CAPACITY_KINDS][ACCOUNT_FIELDS];   /* its fields                */
    uint32_t finite;             /* number of the constructor Fin                     */
    uint32_t nil, cons;          /* numbers of the constructors of lists              */
} Image;

/* Lowers a model without errors, with the main block of this module; NULL: an empty main block. The image borrows the
 * model; the caller owns the image. NULL with `error` set if the model is too large. */
Image *image_create(const Model *model, const ModuleDecl *main, Error *error);
void image_destroy(Image *image);

/* The function behind a library declaration "= builtin"; NULL if there is none. */
BuiltinFunction *builtin_find(const char *name);
/* Can its arguments be symbolic (symbol.h)? Other functions get concretised values. */
bool builtin_takes_symbols(BuiltinFunction *function);
/* Does it create a symbolic input? */
bool builtin_is_input(BuiltinFunction *function);
/* Does its result depend on the time? */
bool builtin_reads_clock(BuiltinFunction *function);
/* The code of an instruction (exec.c). */
InstrHandler *machine_handler(InstrOp op);

#endif
