/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of a drafted study. */
#ifndef CLOPT_DRAFT_SIZES_H
#define CLOPT_DRAFT_SIZES_H

#include "schema/command.h"

/* Makes the sizes that a drafted study has guessed larger, until a launch of each kernel's initial
 * code takes long enough to be measured on a device (as of -d; NULL: the only one), and says so on
 * stderr. Where the kernel cannot be run the sizes stay as they are. */
enum clopt_status clopt_draft_enlarge(const struct clopt_global_options *global, const char *study,
                                      const char *device, struct clopt_error *error);

/* Says which lines of a study are guesses that matter most: the sizes. */
void clopt_draft_tell_guesses(const char *study);

#endif
