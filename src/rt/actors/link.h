/* link.h - links between actors that the program can cut and heal
 *
 * While a link is cut, messages over it are lost. Whether it is cut is a resource: a cut writes it, and every send over
 * the link reads it in a step of its own, so all orders of cuts and sends are explored. Only links that main has named
 * before anything else happens are such resources; sends over others remain without a footprint. (ACT-10)
 */
#ifndef RT_ACTORS_LINK_H
#define RT_ACTORS_LINK_H

#include "rt/actors/actor.h"

void link_reset(void);
/* The link between the two may be cut. */
void link_make(const Actor *a, const Actor *b);
/* False if there is no such link. */
bool link_set(const Actor *a, const Actor *b, bool cut);
/* Does a message get through? */
bool link_carries(const Actor *sender, const Actor *receiver);

/* Adds which links are cut. */
void link_add_state(Fingerprint *print);

#endif
