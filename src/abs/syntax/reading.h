/* reading.h - how the files of a model are to be read: options of the user
 *
 * A module that is not given is looked for in the directory of the file that imports it, then in the directories of a
 * search path ("DIR:DIR").
 */
#ifndef ABS_SYNTAX_READING_H
#define ABS_SYNTAX_READING_H

#include "base/text.h"
#include "base/vec.h"

/* Which release of the language a model is written in. Auto: the current one if the model is correct in it. */
typedef enum Dialect { DIALECT_AUTO, DIALECT_CURRENT, DIALECT_OLD } Dialect;

/* What older releases do differently; a set of these is a reading of the language (check/dialect.h). */
typedef enum OldForm {
    OLD_PATTERNS = 1, /* a literal is a pattern for a value of a type parameter */
    OLD_DIVISION = 2, /* the quotient of two integers is an integer             */
    OLD_LOOKUP = 4    /* lookup() answers the value itself                      */
} OldForm;

/* All fields may be zero. Texts are borrowed. */
typedef struct ModelReading {
    const char *search_path;
    Dialect dialect;
    const char *product; /* whose deltas are applied: a name or `{F, G{a = 1}}`; NULL or empty: none */
} ModelReading;

/* Names of files or directories; owned. Start with {0}. */
typedef VEC(char *) FileNames;

void file_names_release(FileNames *names);

/* Adds the directories in which a module that `file` imports is looked for. */
void reading_list_places(const ModelReading *reading, const char *file, FileNames *places);

#endif
