/* dap.h - `sennit dap`: a debug adapter for executions, over standard input and output
 *
 * Editors speak the Debug Adapter Protocol with it. A trace is launched: its execution is replayed once, natively, and
 * the adapter moves about in what was recorded, forwards and backwards. A step is a step of the schedule, whichever
 * thread takes it.
 */
#ifndef WEB_DAP_H
#define WEB_DAP_H

/* Answers requests until the client disconnects; returns the exit code. `sennit` is the path of the tool. */
int dap_serve(const char *sennit);

#endif
