/* unknown.h - unknown values of a start state (lazy initialisation)
 *
 * Unknown numbers and Booleans are symbolic inputs like any other. Unknown data and references are settled where
 * something depends on them: which constructor; null, one of the objects of the start state, or another one. All of it
 * is a function of inputs, so that the engine can ask for the other cases and for combinations: a constructor is a
 * number, and so is the identity of an object. Unknown references can be compared without being settled. The objects
 * of the start state are created one by one, when they are called: which of them exist is a resource of its own
 * (footprint_touch_start).
 *
 * Without a start state they are inputs of the main block or of a method that are more than a number or a Bool
 * (inputs.h): texts are those that the model compares values with, rationals are whole, lists and trees are at most
 * PARTS deep; what that leaves out is counted (machine->limited).
 */
#ifndef ABS_RUN_UNKNOWN_H
#define ABS_RUN_UNKNOWN_H

#include "abs/check/types.h"
#include "abs/run/machine.h"
#include "sym/expr/expr.h"

/* An unknown value of a type. Its path ("DB_1.clients") is its name in tests, and of its inputs. The search begins with
 * `first`, if there is such a value (VALUE_NONE: none). */
Value unknown_make(Machine *machine, const char *path, Type *type, Value first);

static inline bool value_is_unknown(Value v) { return value_is_kind(v, CELL_UNKNOWN); }
/* Its path and its type. */
const char *unknown_path(Value v);
Type *unknown_type(Value v);
/* Data with only one possible constructor, which is not recursive: no input selects it. */
bool unknown_is_determined(Machine *machine, Value v);
/* Does a value made with this constructor contain values of its own type? */
bool unknown_is_recursive(const ConstructorDecl *constructor);

/* Settles an unknown value at its top: data with a constructor, null or an object. VALUE_NONE if the bound on objects
 * is exceeded. */
Value unknown_settle(Machine *machine, Value v);
/* The same if it is unknown, else the value itself. */
static inline Value unknown_known(Machine *machine, Value v)
{
    return value_is_unknown(v) ? unknown_settle(machine, v) : v;
}

/* All of it settled, as deep as it is; after an execution (machine->inspecting). */
Value unknown_expand(Machine *machine, Value v);

/* The initial value of an unknown integer, which it keeps until a decision depends on it. */
Bits unknown_first_number(const InputRange *range, const char *path);

/* Is it an unknown reference? */
bool unknown_is_reference(Value v);
/* May it mean an object of the class? */
bool unknown_fits(Value v, const ClassCode *class);
/* The identity of a reference as an expression: of an unknown one, null, or an object. */
ExprId unknown_identity(Machine *machine, Value v);

/* The number that the object of the start state with this path has, or would have; 0 if there are too many objects. */
uint32_t unknown_object_number(Machine *machine, const char *path);
/* Adds an object to the start state; its fields are unknown. Answers its number, or 0 if there are too many. */
uint32_t unknown_add_object(Machine *machine, const char *path, const ClassCode *class, ExprId identity);

#endif
