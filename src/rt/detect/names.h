/* names.h - what threads, memory and steps are called in reports
 *
 * Each function writes at most `size` bytes, terminated.
 */
#ifndef RT_DETECT_NAMES_H
#define RT_DETECT_NAMES_H

#include "core/execution.h"

/* "main", "worker (0.1)", the name of an actor. */
void name_agent(AgentId agent, char *text, size_t size);
/* The agent that took a seat last. */
void name_seat(uint32_t seat, char *text, size_t size);
/* What a resource stands for: "counter", "heap block main#1 (allocated at a.c:3)". */
void name_resource(uint64_t resource, uint8_t lanes, char *text, size_t size);
/* The same in a word or two: "main#1". */
void name_resource_briefly(uint64_t resource, uint8_t lanes, char *text, size_t size);
/* A value of what the access is to, which `count` accesses of its event begin with: a number, or what a pointer points
 * to. */
void name_value(const Access *access, uint32_t count, int64_t value, char *text, size_t size);
/* A step with its first accesses: "write x: 0 -> 1". */
void name_step(uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size);

#endif
