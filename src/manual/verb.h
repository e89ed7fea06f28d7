/* verb.h - the verbs of the command line as help and manual describe them
 *
 * verbs.def as a table without code, so that the generator of the man pages can use it as well.
 */
#ifndef MANUAL_VERB_H
#define MANUAL_VERB_H

typedef enum VerbRowKind { ROW_VERB, ROW_USAGE, ROW_GROUP, ROW_OPTION, ROW_END } VerbRowKind;

/* One line of verbs.def. */
typedef struct VerbRow {
    VerbRowKind kind;
    char letter;          /* of an option, or 0                                          */
    const char *text;     /* the verb, the arguments, the title or the option's name     */
    const char *argument; /* of an option; "": a flag                                    */
    const char *fallback; /* its default, or ""                                          */
    const char *help;     /* of an option or a verb                                      */
    const char *about;    /* of a verb: the description in its man page                  */
    unsigned uses;        /* of a verb: of its common options (app/options/options.h)    */
} VerbRow;

/* The rows in the order of verbs.def; the last one is ROW_END. */
extern const VerbRow VERB_ROWS[];

/* The verb's own row; it must exist. */
const VerbRow *verb_get(const char *name);
/* The next row that belongs to the same verb, or NULL. */
const VerbRow *verb_next_row(const VerbRow *row);
/* The next verb, or NULL; verb_next(NULL) is the first. */
const VerbRow *verb_next(const VerbRow *verb);

#endif
