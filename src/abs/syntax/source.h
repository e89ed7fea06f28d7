/* source.h - the source texts of a model and positions in them
 *
 * All files of a model share one space of positions, one file after the other, so that a position is a single number.
 */
#ifndef ABS_SYNTAX_SOURCE_H
#define ABS_SYNTAX_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

typedef uint32_t SrcPos;
#define SRCPOS_NONE UINT32_MAX

typedef struct SourceFile {
    char *name;
    char *text;       /* NUL-terminated; a NUL inside is an error like any character that begins no token */
    uint32_t size;
    SrcPos start;     /* position of its first character                                                  */
    bool library;     /* part of Sennit, not of the user's model                                          */
    VEC(uint32_t) lines; /* offset of the start of each line        */
} SourceFile;

/* Owns its files. */
typedef struct Sources {
    VEC(SourceFile) files;
} Sources;

typedef struct SourcePlace {
    const SourceFile *file;
    uint32_t line;    /* from 1 */
    uint32_t column;  /* from 1, in bytes */
} SourcePlace;

void sources_release(Sources *sources);

/* Adds a text (copied) and answers the number of the file. source_add_file: false with `error` set if it cannot be
 * read. */
uint32_t source_add_text(Sources *sources, const char *name, const char *text, size_t size, bool library);
bool source_add_file(Sources *sources, const char *path, Error *error);

/* File, line and column of a position. */
SourcePlace source_place(const Sources *sources, SrcPos pos);
/* The line's characters without the line end; not NUL-terminated. */
const char *source_line(const SourceFile *file, uint32_t line, uint32_t *length);

#endif
