/* start.h - a start state instead of the main block: objects and the tasks that wait in them
 *
 * Fields and arguments are unknown (unknown.h). The first task of the execution, in place of the main block, creates
 * the objects and tasks and ends.
 */
#ifndef ABS_RUN_START_H
#define ABS_RUN_START_H

#include "abs/check/types.h"
#include "abs/run/machine.h"
#include "base/vec.h"

typedef struct StartObject {
    const ClassCode *class;
    const char *path;        /* "DB_1" */
} StartObject;

typedef struct StartTask {
    uint32_t object;         /* index of the StartObject                     */
    const MethodDecl *method;
    const char *path;        /* "DB_1.register": its arguments are below it  */
} StartTask;

/* Known values: of a field ("DB_1.clients") or an argument ("DB_1.register.w"). */
typedef struct StartValues {
    bool (*find)(void *context, Machine *machine, const char *path, Type *type, Value *value); /* false: unknown */
    void *context;
} StartValues;

typedef struct StartState StartState;
struct StartState {
    Types types;
    InputRange numbers;      /* of unknown integers; {0}: all                                        */
    bool distinct;           /* no two unknown references mean the same object, nor one of `objects` */
    bool never_null;         /* the target of a call is not null                                     */
    VEC(StartObject) objects;
    VEC(StartTask) tasks;
    uint32_t object_count;   /* identities 1..object_count are taken                                 */
    const StartValues *given;/* borrowed; NULL: nothing is known             */
    Arena arena;             /* of paths                                     */
};

/* A start state without objects; the caller owns it. The model is borrowed. */
StartState *start_create(Model *model);
void start_destroy(StartState *start);
/* Adds an object of a class, or a task on an object; answers its index. Paths are generated, except by add_named. */
uint32_t start_add_object(StartState *start, const ClassCode *class);
uint32_t start_add_named(StartState *start, const ClassCode *class, const char *path);
uint32_t start_add_task(StartState *start, uint32_t object, const MethodDecl *method);

/* For StartValues: a reference to the nth object of the start state, whether it exists yet or not. */
Value start_object(Machine *machine, uint32_t nth);

/* A method or field that the class declares; NULL if there is none. */
const MethodDecl *start_find_method(const ClassDecl *class, const char *name);
const Field *start_find_field(const ClassDecl *class, const char *name);

/* The first step of an execution that begins with machine->start. */
void start_run(Machine *machine);
/* The agent of the nth task of the start state, in an execution that has begun. */
AgentId start_agent(const Machine *machine, uint32_t nth);

#endif
