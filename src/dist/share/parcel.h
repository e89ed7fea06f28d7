/* parcel.h - a program on its way to other machines: its files, options, arguments
 *
 * Workers unpack it into a directory of their own and refuse another version of Sennit and
 * shared libraries that differ.
 */
#ifndef DIST_SHARE_PARCEL_H
#define DIST_SHARE_PARCEL_H

#include <limits.h>

#include "app/options/options.h"
#include "base/vec.h"
#include "dist/store.h"
#include "host/claim.h"

typedef struct Parcel {
    VEC(Text) keys;
    VEC(Text) values;
    Text identity;   /* the same for the same search */
    char hash[17];
    char *program;   /* absolute path                */
} Parcel;

/* Packs a test binary with its arguments, or the files of a model. */
bool parcel_pack(Parcel *parcel, const char *program, char *const *models, uint32_t model_count, char **arguments,
                 const Options *options, Error *error);
void parcel_release(Parcel *parcel);

/* What a worker got. */
typedef struct Unpacked {
    Claim directory;           /* where it runs           */
    char path[PATH_MAX + 300]; /* of the program to start */
    VEC(char *) argv;
    Options options;
    bool model;
} Unpacked;

/* Fetches the program of the store's search. */
bool parcel_unpack(Store *store, Unpacked *unpacked, Error *error);
void unpacked_release(Unpacked *unpacked);

#endif
