/* portray_internal.h - what the files of portray share */
#ifndef TCG_PORTRAY_INTERNAL_H
#define TCG_PORTRAY_INTERNAL_H

#include "tcg/condition.h"
#include "tcg/portray.h"

enum { VIEW_ABS = -1 };

/* Data or a reference of the start that the execution looked at. */
typedef struct StartPart {
    const char *path;
    Value value;
    bool nested; /* in other data: its constructor is told with that */
} StartPart;

/* The making of one portrait. */
typedef struct Portrait {
    Machine *machine;
    TestCase *test;
    TestFormat format;
    int view;                  /* VIEW_ABS, or the format */
    bool unwritable;           /* no ABS expression means the value */
    const char *path;          /* of a value of the start           */
    bool ending;               /* the state of the end is shown     */
    Text text;
    VEC(uint32_t) identities;  /* of objects that are only compared, after `first_assumed` */
    uint32_t first_assumed;
    VEC(StartPart) parts;      /* of the start: inputs that are no numbers                 */
    uint32_t inside;           /* how many of them the value that is printed is part of    */
    TestCondition *condition;  /* of the path                                              */
} Portrait;

/* Adds a value to the text, as the view wants it. */
void portray_value(Portrait *p, Value v);
/* Adds an expression to the text, without what the path settles. */
void portray_expr(Portrait *p, ExprId e);
/* NULL if there is none with this number. */
const TestObject *portray_find_object(const Portrait *p, uint32_t number);

/* Works out the condition of the path; before any value is shown. */
void portray_open_condition(Portrait *p);
/* Writes it into the test; when the start has been shown. */
void portray_condition(Portrait *p);
void portray_steps(Portrait *p, AbsProgram *program, const Execution *ex);

#endif
