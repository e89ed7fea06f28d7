/* portray_internal.h - what the files of portray share */
#ifndef TCG_PORTRAY_INTERNAL_H
#define TCG_PORTRAY_INTERNAL_H

#include "tcg/condition.h"
#include "tcg/portray.h"

enum { VIEW_ABS = -1 };

/* Data or a reference of the start state that the execution used. */
typedef struct StartPart {
    const char *path;
    Value value;
    bool nested; /* in other data: its constructor is shown with that */
} StartPart;

/* The work on one test. */
typedef struct Portrait {
    Machine *machine;
    TestCase *test;
    TestFormat format;
    int view;                  /* VIEW_ABS, or the format                                  */
    bool unwritable;           /* no ABS expression has the value                          */
    const char *path;          /* of a value of the start                                  */
    bool ending;               /* the final state is shown                                 */
    Text text;
    VEC(uint32_t) identities;  /* of objects that are only compared, after `first_assumed` */
    uint32_t first_assumed;
    VEC(StartPart) parts;      /* of the start state: inputs that are no numbers           */
    uint32_t inside;           /* how many of them contain the value being printed         */
    TestCondition *condition;  /* of the path                                              */
} Portrait;

/* Adds a value to the text, in the form of the view. */
void portray_value(Portrait *p, Value v);
/* Adds an expression to the text, simplified by the path condition. */
void portray_expr(Portrait *p, ExprId e);
/* The object with this number, or NULL. */
const TestObject *portray_find_object(const Portrait *p, uint32_t number);

/* Computes the path condition; called before any value is shown. */
void portray_open_condition(Portrait *p);
/* Adds it to the test; called after the start state has been shown. */
void portray_condition(Portrait *p);
/* Fills the texts of the steps. */
void portray_steps(Portrait *p, AbsProgram *program, const Execution *ex);

#endif
