/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of an application goes, from its start to its end, and what to do about it. */
#pragma once

#include "commands/capture/timeline.h"

/* Says what to do first, where something else takes more of the run than all kernels; false: they
 * take most. */
bool clopt_activities_advise(const struct clopt_application *application,
                             const struct clopt_queue_timeline *timeline,
                             struct clopt_document *document);

/* Add the table of all that the run did: for people, and for programs. */
void clopt_activities_table(const struct clopt_application *application,
                            const struct clopt_queue_timeline *timeline,
                            struct clopt_document *document);
void clopt_activities_data(const struct clopt_application *application,
                           struct clopt_document *document);
