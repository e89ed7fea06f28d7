/* heap.c - see heap.h */
#include "heap.h"

#include <stdio.h>
#include <string.h>

#include "abs/run/footprint.h"

enum { DATA_E, DATA_P0, DATA_P1, DATA_R };

/* ---- Making -------------------------------------------------------------------------- */

static void add_place(Heap *heap, PlaceKind kind, const char *owner, const char *name)
{
    HeapPlace *place = &heap->places[heap->place_count++];
    *place = (HeapPlace){.kind = kind};
    snprintf(place->path, sizeof place->path, "%s.%s", owner, name);
}

static HeapPlace *find_place(Heap *heap, const char *path)
{
    for (uint32_t i = 0; i < heap->place_count; i++)
        if (strcmp(heap->places[i].path, path) == 0)
            return &heap->places[i];
    return NULL;
}

static Value make_reference(const Heap *heap, Machine *machine, uint32_t value)
{
    (void)heap;
    return value ? start_object(machine, value - 1) : VALUE_NULL;
}

static uint32_t constructor_number(const Machine *machine, const char *name)
{
    for (uint32_t i = 0;; i++)
        if (strcmp(machine->image->constructor_names[i], name) == 0)
            return i;
}

static Value make_data(const Heap *heap, Machine *machine, uint32_t value)
{
    if (value == DATA_E)
        return value_constant(constructor_number(machine, "E"));
    Value arg = value < DATA_R ? value_from_int((int64_t)value - DATA_P0) : make_reference(heap, machine, value - DATA_R);
    return value_make_data(&machine->context, machine->arena, constructor_number(machine, value < DATA_R ? "P" : "R"), &arg, 1);
}

static bool find_value(void *context, Machine *machine, const char *path, Type *type, Value *value)
{
    Heap *heap = context;
    const HeapPlace *place = find_place(heap, path);
    (void)type;
    if (!place)
        return false;
    *value = place->kind == PLACE_NUMBER      ? value_from_int(place->value)
             : place->kind == PLACE_REFERENCE ? make_reference(heap, machine, place->value)
                                              : make_data(heap, machine, place->value);
    return true;
}

void heap_init(Heap *heap, AbsProgram *program, const StartState *context)
{
    const Image *image = program_abs_machine(program)->image;
    uint32_t classes = program_abs_model(program)->classes.count;
    *heap = (Heap){.start = start_create(program_abs_model(program)), .known = context->objects.count, .alike = classes == 1};
    heap->values = (StartValues){find_value, heap};
    for (uint32_t i = 0; i < context->objects.count; i++)
        start_add_object(heap->start, context->objects.items[i].class);
    for (uint32_t i = 0; i < (context->tasks.count > 1 ? 1 : HEAP_MORE); i++)
        start_add_object(heap->start, &image->classes[i % classes]);
    for (uint32_t i = 0; i < context->tasks.count; i++) {
        uint32_t task = start_add_task(heap->start, context->tasks.items[i].object, context->tasks.items[i].method);
        add_place(heap, PLACE_NUMBER, heap->start->tasks.items[task].path, "n");
        add_place(heap, PLACE_REFERENCE, heap->start->tasks.items[task].path, "o");
    }
    for (heap->looked_at = 0; heap->looked_at < heap->place_count; heap->looked_at++)
        heap->order[heap->looked_at] = heap->looked_at; /* arguments are in no footprint */
    heap->object_count = heap->start->objects.count;
    for (uint32_t i = 0; i < heap->object_count; i++) {
        const char *name = heap->start->objects.items[i].path;
        add_place(heap, PLACE_NUMBER, name, "x");
        add_place(heap, PLACE_REFERENCE, name, "next");
        add_place(heap, PLACE_DATA, name, "d");
    }
    heap->start->given = &heap->values;
}

void heap_release(Heap *heap) { start_destroy(heap->start); }

/* ---- Taking all of them ------------------------------------------------------------------- */

static uint32_t first_field(const Heap *heap) { return heap->place_count - heap->object_count * HEAP_FIELDS; }

static void look_at(Heap *heap, uint32_t place)
{
    for (uint32_t i = 0; i < heap->looked_at; i++)
        if (heap->order[i] == place)
            return;
    heap->order[heap->looked_at++] = place;
}

void heap_note(Heap *heap, const Machine *machine, const Execution *ex)
{
    for (uint32_t a = 0; a < ex->access_count; a++)
        for (uint32_t o = 0; o < heap->object_count; o++) {
            const ModelObject *object = &machine->objects[machine->starters.items[o]];
            uint64_t field = ex->accesses[a].resource - footprint_field(object, 0);
            if (field < HEAP_FIELDS)
                look_at(heap, first_field(heap) + o * HEAP_FIELDS + (uint32_t)field);
        }
}

/* Of two further objects of one class the second is used only after the first. */
static uint32_t objects_to_name(const Heap *heap, uint32_t nth)
{
    uint32_t used = heap->known;
    for (uint32_t i = 0; i < nth; i++) {
        const HeapPlace *place = &heap->places[heap->order[i]];
        uint32_t reference = place->kind == PLACE_REFERENCE ? place->value : place->kind == PLACE_DATA && place->value > DATA_R ? place->value - DATA_R : 0;
        used = reference > used ? reference : used;
    }
    return heap->alike && used < heap->object_count ? used + 1 : heap->object_count;
}

static uint32_t most_of(const Heap *heap, uint32_t nth)
{
    switch (heap->places[heap->order[nth]].kind) {
    case PLACE_NUMBER: return 1;
    case PLACE_REFERENCE: return objects_to_name(heap, nth);
    default: return DATA_R + objects_to_name(heap, nth);
    }
}

bool heap_next(Heap *heap)
{
    while (heap->looked_at > 0) {
        HeapPlace *place = &heap->places[heap->order[heap->looked_at - 1]];
        if (place->value < most_of(heap, heap->looked_at - 1)) {
            place->value++;
            return true;
        }
        place->value = 0;
        heap->looked_at--;
    }
    return false;
}

/* ---- Inputs of the symbolic search ----------------------------------------------------------- */

/* The part of `path` up to the nth dot. */
static void take_part(const char *path, uint32_t dots, char *part, size_t size)
{
    uint32_t length = 0;
    for (; path[length] && length + 1 < size; length++)
        if (path[length] == '.' && dots-- == 0)
            break;
    memcpy(part, path, length);
    part[length] = '\0';
}

/* Goes from the first place on the path to the last one; "A_1.next.x" is the place "A_2.x" if A_1.next is A_2. */
static HeapPlace *follow(Heap *heap, const char *path, const char **rest)
{
    char part[64];
    HeapPlace *place = NULL;
    for (uint32_t dots = 1; dots <= 2 && !place; dots++) { /* a field or an argument */
        take_part(path, dots, part, sizeof part);
        place = find_place(heap, part);
    }
    *rest = path + (place ? strlen(part) : 0);
    while (place && **rest == '.') {
        uint32_t object = place->value;
        if (place->kind == PLACE_DATA) {
            if (strncmp(*rest, ".v", 2) == 0)
                return place;
            if (strncmp(*rest, ".r", 2) != 0 || place->value < DATA_R)
                return NULL;
            *rest += 2;
            if (**rest != '.')
                return place;
            object = place->value - DATA_R;
        }
        if (place->kind == PLACE_NUMBER || object == 0)
            return NULL;
        char next[128];
        take_part(*rest + 1, 0, part, sizeof part);
        snprintf(next, sizeof next, "%s.%s", heap->start->objects.items[object - 1].path, part);
        *rest += 1 + strlen(part);
        place = find_place(heap, next);
    }
    return place;
}

static bool data_input(const HeapPlace *place, const char *rest, bool whole, Bits *value)
{
    uint32_t constructor = place->value == DATA_E ? 0 : place->value < DATA_R ? 1 : 2;
    if (strcmp(rest, ".v") == 0) {
        *value = (Bits)(place->value - DATA_P0);
        return constructor == 1;
    }
    *value = whole ? constructor : (Bits)(place->value - DATA_R);
    return true;
}

bool heap_find_input(const Heap *heap, const char *name, Bits *value)
{
    char path[256];
    const char *space = strchr(name, ' '), *rest;
    snprintf(path, sizeof path, "%.*s", space ? (int)(space - name) : 255, name);
    const HeapPlace *place = follow((Heap *)heap, path, &rest);
    if (!place)
        return false;
    size_t length = strlen(path);
    bool inside = length > 2 && strcmp(path + length - 2, ".r") == 0;
    if (place->kind == PLACE_DATA) {
        if (!data_input(place, rest, !inside, value))
            return false;
    } else
        *value = place->value;
    if (!space)
        return true;
    if (*value == 0)
        return false;
    *value = heap->start->objects.items[*value - 1].class->number; /* " class" */
    return true;
}

void heap_print(const Heap *heap)
{
    for (uint32_t i = 0; i < heap->place_count; i++) {
        const HeapPlace *place = &heap->places[i];
        const char *names[] = {"E", "P(0)", "P(1)"};
        if (place->kind == PLACE_DATA && place->value < DATA_R)
            printf("  %s = %s\n", place->path, names[place->value]);
        else if (place->kind == PLACE_NUMBER)
            printf("  %s = %u\n", place->path, place->value);
        else {
            uint32_t object = place->kind == PLACE_DATA ? place->value - DATA_R : place->value;
            const char *target = object ? heap->start->objects.items[object - 1].path : "null";
            printf(place->kind == PLACE_DATA ? "  %s = R(%s)\n" : "  %s = %s\n", place->path, target);
        }
    }
}
