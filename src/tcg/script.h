/* script.h - reads a test module: what emit_abs wrote, or people did
 *
 * A test is the main block of a module with the annotation [Test]. It is read, not run: its
 * statements say what the start state is and what must hold in the end. Values stay
 * expressions; what they mean depends on the model they are tested on (verify.h).
 */
#ifndef TCG_SCRIPT_H
#define TCG_SCRIPT_H

#include "abs/syntax/ast.h"

typedef struct ScriptObject {
    Name variable;
    Name class;           /* of an object of the start                          */
    const char *path;     /* the same: its name, which objects are ordered by    */
    const char *creator;  /* the task that makes it; NULL: it is of the start    */
    uint32_t nth;         /* as which of its objects                            */
    bool dead;            /* in the end                                         */
} ScriptObject;

typedef struct ScriptCall {
    Name variable;        /* of its future                                      */
    uint32_t object;
    Name method;
    ExprList args;
} ScriptCall;

/* A task by its name. */
typedef struct ScriptFuture {
    Name variable;
    const char *task;
} ScriptFuture;

/* A field of an object, and the value that it has or must have. */
typedef struct ScriptField {
    uint32_t object;
    Name field;
    const Expr *value;
} ScriptField;

typedef enum ScriptEnd { SCRIPT_ENDS, SCRIPT_RETURNS, SCRIPT_THROWS, SCRIPT_WAITS } ScriptEnd;

typedef struct ScriptResult {
    uint32_t call;
    ScriptEnd end;
    const Expr *value;    /* of SCRIPT_RETURNS and SCRIPT_THROWS                */
    Name variable;        /* that has the result                                */
    SrcPos pos;
} ScriptResult;

typedef struct ScriptInput {
    const char *name, *value;
} ScriptInput;

typedef struct TestScript {
    const char *title;
    const char *module;
    const char *model;    /* file, from the directory of the test; NULL: none is named */
    const char *outcome;  /* "ok", or the kind of the first finding                    */
    VEC(const char *) schedule;
    VEC(ScriptInput) inputs;
    VEC(ScriptObject) objects;
    VEC(ScriptCall) calls;
    VEC(ScriptFuture) futures;
    VEC(ScriptField) before, after;
    VEC(ScriptResult) results;
} TestScript;

typedef VEC(TestScript) ScriptList;

/* Appends the tests of a file that was parsed into `suite`; texts stay in there. What is wrong
 * is in suite->diags. */
void script_read(Model *suite, ScriptList *list);
void scripts_release(ScriptList *list);

#endif
