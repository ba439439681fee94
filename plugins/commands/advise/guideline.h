/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt report --guidelines` found to pay on a class of devices, as far as it says of a
 * kernel. */
#pragma once

#include "commands/advise/advice.h"

/* Returns the guidelines that hold on the device's class, of which it is known whether the kernel
 * is one that they pay on ("fits"): a list, for the caller to give up. */
json_t *clopt_guidelines_of(const json_t *document, const struct clopt_device_info *device,
                            const struct clopt_profile *profile);

/* Says of such a list what pays on kernels like this one, and what does not; nothing of none. */
void clopt_guidelines_say(struct clopt_text *text, const json_t *list);
