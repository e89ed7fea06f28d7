/* cmd_cc.h - `sennit cc`: stands in for the C compiler */
#ifndef CC_CMD_CC_H
#define CC_CMD_CC_H

/* Compiles and links as gcc or clang would, instrumenting C sources. argv[0] is ignored.
 * Answers the exit code: clang's own if clang fails, 1 if we do. */
int cmd_cc(int argc, char **argv);

#endif
