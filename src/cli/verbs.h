/* verbs.h - the verbs of `sennit`; each function returns the exit code */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

/* argv[0] is the verb. */
int cmd_test(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_deadlock(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_suite(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_worker(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_cov(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_dap(int argc, char **argv);
int cmd_ui(int argc, char **argv);

#endif
