/* parcel.h - the program of a shared search in the store: its files, options and arguments
 *
 * Each worker unpacks it into a directory of its own. It rejects the program if it was packed by another
 * version of Sennit, or if a shared library differs on the worker's machine.
 */
#ifndef DIST_SEARCH_PARCEL_H
#define DIST_SEARCH_PARCEL_H

#include <limits.h>

#include "app/options/options.h"
#include "base/vec.h"
#include "dist/store.h"
#include "host/claim.h"

/* The program of a shared search: a test binary with its arguments, or the files of an ABS model. Borrowed. */
typedef struct SharedProgram {
    const char *path;     /* the binary, or the first file of the model                         */
    char **arguments;     /* of the binary; for a model all of its files. Ended by NULL         */
    uint32_t model_count; /* how many files the model has; 0: it is a binary                    */
} SharedProgram;

/* A program as keys and values of the store, packed by the coordinator. */
typedef struct Parcel {
    VEC(Text) keys;
    VEC(Text) values;
    Text identity;   /* the same for the same search */
    char hash[17];
    char *program;   /* absolute path                */
} Parcel;

/* Fills the parcel; to be released even after a failure. The files of a model must be given by paths
 * below the current directory: workers use the same names, so that places in traces agree. */
bool parcel_pack(Parcel *parcel, const SharedProgram *program, const Options *options, Error *error);
void parcel_release(Parcel *parcel);

/* A program unpacked by a worker. */
typedef struct Unpacked {
    Claim directory;           /* where it runs           */
    char path[PATH_MAX + 300]; /* of the program to start */
    VEC(char *) argv;
    Options options;
    bool model;
} Unpacked;

/* Fetches the program of the store's search and checks it. To be released even after a failure. */
bool parcel_unpack(Store *store, Unpacked *unpacked, Error *error);
void unpacked_release(Unpacked *unpacked);

#endif
