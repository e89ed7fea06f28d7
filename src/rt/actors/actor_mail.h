/* actor_mail.h - messages: sending, matching, receiving */
#ifndef RT_ACTORS_ACTOR_MAIL_H
#define RT_ACTORS_ACTOR_MAIL_H

#include "core/program.h"
#include "rt/actors/actor.h"

void actor_mail_reset(void);
/* Sends a copy of the bytes; `queue` may be UINT64_MAX: the next one of the sender. */
void actor_send(Actor *sender, Actor *receiver, int tag, uint64_t queue, const void *bytes, size_t size);
/* Sends a message to each of the receivers at once: the sender does not crash in between, and in causal channels who
 * has received one knows of all. */
void actor_broadcast(Actor *sender, Actor *const *receivers, unsigned count, int tag, const void *bytes, size_t size);
/* Copies bytes of a message with their shadows. */
void actor_copy(void *to, const void *from, size_t size);
/* Sends the messages that were held back until the actors start. */
void actor_send_held(Actor *sender);
/* Adds the time-out of a receive. */
void actor_add_timer(Actor *actor, int64_t stand);
/* A receive may not time out because of a bound: pids are the same as if it could. (CUT-1) */
void actor_leave_out_timer(const Actor *actor);
/* A timer of the actor: a message to itself with this tag that arrives once, at any time from now on, unless it is
 * cancelled before. Starting it again cancels it first. (ACT-11) */
void actor_start_timer(Actor *actor, int tag, int64_t deadline);
void actor_cancel_timer(Actor *actor, int tag);
void actor_cancel_timers(Actor *actor);
bool actor_has_timer(const Actor *actor);
/* Where an actor will stand that waits for a match; `timed` makes it a stand of its own,
 * `timers` lets its timers run out there. */
int64_t actor_make_stand(Actor *actor, const sennit_match *match, bool timed, bool timers);
/* Records that the actor has consumed the message. */
void actor_take(Actor *actor, const Message *message);
/* Fills `mail` if the agent is a message; false if it is none. */
bool actor_mail(AgentId agent, Mail *mail);
/* A new actor knows of the messages that its creator knows of. */
void actor_inherit(Actor *actor, const Actor *creator);
/* The execution is complete: counts the messages that were received after an equal one (--symmetry). */
void actor_count_symmetric(void);
/* The number of these messages in all complete executions; adds those of other machines. */
uint64_t actor_mail_symmetric(void);
void actor_mail_add_symmetric(uint64_t count);
/* What a message says: "Vote(term=1)". False if the agent is none. */
bool actor_mail_text(const Execution *ex, AgentId agent, char *text, size_t size);
/* actor_mail for any execution. */
bool actor_mail_of(const Execution *ex, AgentId agent, Mail *mail);
/* ProgramOps.guard_holds: may the message `guard` be consumed when the actor is at `stand`? */
bool actor_guard_holds(uint64_t guard, int64_t stand);
/* Messages of this execution, by number. */
uint32_t actor_mail_count(void);
const Message *actor_mail_nth(uint32_t number);
/* Is it on its way, and could it ever be received? */
bool actor_mail_is_live(const Message *message);
/* Adds what an actor waits for at a stand above STAND_ANY; and the messages that are held back. */
void actor_mail_add_stand(Fingerprint *print, int64_t stand);
void actor_mail_add_held(Fingerprint *print);
/* What an actor waits for: "a message with tag 2 from b". */
void actor_name_wanted(const Actor *actor, char *text, size_t size);
/* Messages to the actor that were not received: "; undelivered: 3, Vote(term=1)", or "". */
void actor_name_undelivered(const Actor *actor, char *text, size_t size);

#endif
