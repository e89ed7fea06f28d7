/* traces.h - the traces of a run, by folder */
#ifndef WEB_TRACES_H
#define WEB_TRACES_H

/* Calls `each` for up to `most` traces in this folder of the run directory ("": itself), sorted by name: with the name
 * of the execution ("bugs/deadlock-45e2") and the path of its trace. */
void traces_each(const char *run, const char *folder, unsigned most,
                 void (*each)(void *context, const char *name, const char *path), void *context);

#endif
