/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a device: which of them measured what, and how they differ. */
#ifndef CLOPT_VIEW_MEMBERS_H
#define CLOPT_VIEW_MEMBERS_H

#include "view/view.h"

/* Appends the numbers of the members that measured a variant, "0" or "0 1"; nothing where no device
 * of the store has several. */
void clopt_members_append(struct clopt_text *text, const struct clopt_results *results,
                          const struct clopt_result *result);

/* Says how much longer the initial code takes on the members of a device than on the first of them,
 * and whether that is more than noise; nothing where it has but one. */
void clopt_members_compare(struct clopt_text *text, const struct clopt_view *view, size_t device);

#endif
