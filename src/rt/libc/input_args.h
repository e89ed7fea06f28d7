/* input_args.h - command-line arguments that are inputs (--sym-args)
 *
 * They come after the arguments that the program is given; how many there are is an input too.
 */
#ifndef RT_LIBC_INPUT_ARGS_H
#define RT_LIBC_INPUT_ARGS_H

/* Before the first fork. */
void input_args_init(void);
/* At the start of an execution, in main: replaces the arguments if there are such inputs. */
void input_args_begin(int *argc, char ***argv);

#endif
