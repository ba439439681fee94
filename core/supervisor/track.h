/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the contests on the devices that share hardware to their end, one after the other.
 *
 * One contest is measured at a time, the next one may be built meanwhile. On a GPU a sweep begins
 * with the first contender that is built, and the others join it as they become ready; its process
 * opens the device before, and those of the next sweeps open the device and set the problem up
 * meanwhile. On a CPU nothing else runs while a sweep does: it begins when all contenders in hand
 * are built; those whose builds take much longer than the others' are paused meanwhile. When
 * nothing is left of a contest but its finalists, they are compared with each other once more, and
 * checked with other problems. */
#ifndef CLOPT_SUPERVISOR_TRACK_H
#define CLOPT_SUPERVISOR_TRACK_H

#include "supervisor/schedule.h"

/* Begins the next contests of a track, and looks at their next trials. */
void clopt_track_fill(struct clopt_track *track);

/* Takes the next step with the contest that is measured. */
void clopt_track_advance(struct clopt_track *track);

/* Whether a sweep may use a device. */
bool clopt_track_is_open(const struct clopt_track *track);

/* Returns how many processors a track takes while it samples. */
size_t clopt_track_processors(const struct clopt_track *track);

/* Ends what is under way, without a word. */
void clopt_track_fini(struct clopt_track *track);

#endif
