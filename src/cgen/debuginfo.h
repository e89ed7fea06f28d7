/* debuginfo.h - debug information about a function: its parameters and their types
 *
 * Read from LLVM's assembly text (clang -S -emit-llvm -g), whose metadata is one node per line:
 *     !13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
 * A node is named by its number.
 */
#ifndef CGEN_DEBUGINFO_H
#define CGEN_DEBUGINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

enum { DEBUG_NONE = -1 };

typedef struct DebugInfo {
    VEC(const char *) nodes; /* by number, the text after "= "; NULL: none */
    Text text;
} DebugInfo;

bool debuginfo_read(DebugInfo *info, const char *path, Error *error);
void debuginfo_release(DebugInfo *info);

/* "DIBasicType", "DIDerivedType" ...? */
bool debuginfo_is(const DebugInfo *info, int node, const char *kind);
/* Does the node have this tag (DW_TAG_...)? */
bool debuginfo_has_tag(const DebugInfo *info, int node, const char *tag);
/* A field of the node: a string (into `text`, reset first), a number, another node. */
bool debuginfo_string(const DebugInfo *info, int node, const char *key, Text *text);
long long debuginfo_number(const DebugInfo *info, int node, const char *key, long long otherwise);
int debuginfo_node(const DebugInfo *info, int node, const char *key);
bool debuginfo_has_word(const DebugInfo *info, int node, const char *key, const char *word);
/* The nth element of a list node; DEBUG_NONE for null. False beyond the end. */
bool debuginfo_element(const DebugInfo *info, int list, uint32_t nth, int *node);

/* The definition of a function, or of its nth parameter (from 1) as a variable. */
int debuginfo_find_function(const DebugInfo *info, const char *name);
int debuginfo_find_parameter(const DebugInfo *info, int function, uint32_t nth);
/* The absolute path of the file in which it is declared (into `path`, reset first). */
bool debuginfo_file(const DebugInfo *info, int node, Text *path);

#endif
