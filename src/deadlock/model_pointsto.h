/* model_pointsto.h - which objects and futures a model's variables may hold
 *
 * Objects are abstracted by where they are created: the last k creation sites on the way
 * from the main block (context depth k). An activation is a method, init or recover block
 * or the main block run on one abstract object; a task is an activation that runs by
 * itself. Registers are analysed in the order of the code, fields as one value each.
 * Pure code creates neither objects nor tasks: its result holds what its arguments hold.
 */
#ifndef DEADLOCK_MODEL_POINTSTO_H
#define DEADLOCK_MODEL_POINTSTO_H

#include "abs/lower/ir.h"
#include "deadlock/atoms.h"

enum { MODEL_POINTSTO_MOST_CONTEXT = 4 };
#define MODEL_POINTSTO_NULL 0u /* the atom of a reference to nothing */
#define MODEL_POINTSTO_FOREIGN 1u /* in a set: its references may come from another cog */

typedef struct AbstractObject {
    const ClassCode *class;      /* NULL: the main block                        */
    uint32_t cog;                /* abstract object that its cog is named after */
    const Code *code;            /* created by instruction `at` of this code    */
    uint32_t at;
    bool single;                 /* represents one object only                  */
    uint64_t context[MODEL_POINTSTO_MOST_CONTEXT]; /* creation sites, the newest first   */
    uint32_t context_count;
    SetId *fields;
} AbstractObject;

typedef struct AbstractTask {
    uint32_t object;
    uint32_t activation;         /* with which it begins                                 */
} AbstractTask;

typedef enum LinkKind {
    LINK_SPAWN,                  /* a task is created                                   */
    LINK_INSIDE,                 /* an activation runs inside this task                 */
    LINK_CALL                    /* a task is created and the cog blocked until it ends */
} LinkKind;

/* What an instruction of an activation may start. */
typedef struct Link {
    uint32_t at;                 /* instruction                                          */
    uint32_t kind;               /* LinkKind                                             */
    uint32_t target;             /* task, or activation for LINK_INSIDE                  */
} Link;

typedef struct Activation {
    uint32_t object;
    const Code *code;
    SetId *params;
    SetId result;
    SetId tasks;                 /* futures of the tasks it may be part of               */
    SetId *states;               /* registers before each instruction                    */
    bool *reached;               /* by instruction                                       */
    VEC(Link) links;             /* by instruction, ascending                            */
} Activation;

typedef struct ModelPointsTo {
    const Image *image;
    uint32_t depth;              /* k                                                    */
    Atoms atoms;
    Arena arena;
    VEC(AbstractObject) objects; /* 0: that of the main block                            */
    VEC(Activation *) activations; /* 0: the main block                                  */
    VEC(AbstractTask) tasks;     /* 0: the main block                                    */
    Map object_numbers, activation_numbers, task_numbers;
    SetId exceptions;            /* what thrown values may hold                          */
    bool pure_code_sees_task;    /* some function or guard mentions this or destiny      */
    bool changed;
} ModelPointsTo;

/* Analyses the image (borrowed) from its main block on; the caller owns the result. */
ModelPointsTo *model_pointsto_create(const Image *image, uint32_t depth);
void model_pointsto_destroy(ModelPointsTo *p);

static inline uint32_t atom_of_object(uint32_t object) { return object * 2 + 2; }
static inline uint32_t atom_of_task(uint32_t task) { return task * 2 + 3; }
static inline bool atom_is_object(uint32_t atom) { return atom >= 2 && atom % 2 == 0; }
static inline bool atom_is_task(uint32_t atom) { return atom >= 2 && atom % 2 == 1; }
static inline uint32_t atom_number(uint32_t atom) { return (atom - 2) / 2; }

/* What register `number` may hold before an instruction. */
static inline SetId model_pointsto_register(const Activation *a, uint32_t at, uint32_t number)
{
    return a->states[(size_t)at * a->code->register_count + number];
}

/* The abstract object created by instruction `at` of `code` run on abstract object `creator`; UINT32_MAX if there is
 * none. */
uint32_t model_pointsto_find_object(const ModelPointsTo *p, const Code *code, uint32_t at, uint32_t creator,
                                    bool local);
/* The activation, or task, of the code on an object; UINT32_MAX if there is none. */
uint32_t model_pointsto_find_activation(const ModelPointsTo *p, uint32_t object, const Code *code);
uint32_t model_pointsto_find_task(const ModelPointsTo *p, uint32_t object, const Code *code);

#endif
