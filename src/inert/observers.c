/* observers.c - the functions of include/sennit/monitor.h without exploration: one observer at a time */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SENNIT_DRIVER
#define SENNIT_DRIVER /* they are defined here */
#endif
#include "sennit/monitor.h"

static pthread_mutex_t observers = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void sennit_observe_begin(void) { pthread_mutex_lock(&observers); }
void sennit_observe_end(void) { pthread_mutex_unlock(&observers); }
void sennit_oblige(sennit_obligation *obligation) { (void)obligation; }
void sennit_hot(sennit_obligation *obligation) { (void)obligation; }
void sennit_cold(sennit_obligation *obligation) { (void)obligation; }
void sennit_strong(void) {}
void sennit_declare(sennit_property *property) { (void)property; }
void sennit_property_fails(sennit_property *property) { (void)property; }
void sennit_property_owes(sennit_property *property, int owes) { (void)property, (void)owes; }

void sennit_refused(const sennit_monitor *monitor, const char *event)
{
    fprintf(stderr, "assertion failed: %s: %s must not happen now\n", monitor->obligation.name, event);
    abort();
}
