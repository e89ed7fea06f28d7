/* heap.h - concrete start states of the generated models, all of a small domain
 *
 * A heap has the objects of the context and one more, or two if there is but one task. Each of its places (fields of objects,
 * arguments of tasks) has one of a few values. Heaps are taken one after another; places that
 * no execution looked at keep their value, since the others would behave the same.
 */
#ifndef TCG_ORACLE_HEAP_H
#define TCG_ORACLE_HEAP_H

#include "abs/program/program_abs.h"
#include "abs/run/start.h"

enum { HEAP_MORE = 2, HEAP_MOST_OBJECTS = 6, HEAP_MOST_TASKS = 3, HEAP_FIELDS = 3, HEAP_MOST_PLACES = 32 };

typedef enum PlaceKind { PLACE_NUMBER, PLACE_REFERENCE, PLACE_DATA } PlaceKind;

typedef struct HeapPlace {
    PlaceKind kind;
    uint32_t value; /* a number; 0 for null, else object + 1; E, P(0), P(1), R(null), R(first), ... */
    char path[64];
} HeapPlace;

typedef struct Heap {
    StartState *start;      /* with all objects in it; owned                   */
    uint32_t object_count;
    uint32_t known;         /* objects of the context: the rest is like        */
    bool alike;             /* the further objects are of one class            */
    HeapPlace places[HEAP_MOST_PLACES];
    uint32_t place_count;
    uint32_t order[HEAP_MOST_PLACES]; /* places in the order in which they were looked at */
    uint32_t looked_at;
    StartValues values;
} Heap;

/* The first heap for a context. The heap must not move afterwards. */
void heap_init(Heap *heap, AbsProgram *program, const StartState *context);
void heap_release(Heap *heap);

/* After an execution from heap->start: notes which places it looked at. */
void heap_note(Heap *heap, const Machine *machine, const Execution *ex);
/* The next one that differs in what was looked at; false if there is none. */
bool heap_next(Heap *heap);

/* The value of an input of the symbolic search, named by its path; false if the heap has no such place. */
bool heap_find_input(const Heap *heap, const char *name, Bits *value);
void heap_print(const Heap *heap);

#endif
