/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how far a study has come, and what is best so far. */
#include <stdlib.h>

#include "base/text.h"
#include "supervisor/schedule.h"
#include "supervisor/standing.h"

/* Appends the speed-up of the best variant of each kernel, and the variant's name where there is
 * but one kernel. */
static void append_best(struct clopt_text *text, const struct clopt_group *group)
{
    const struct clopt_kernel *kernels = clopt_entry_app(group->app)->kernels;
    const char *before = "; best: ";
    for (size_t k = 0; k < group->kernel_count; k++) {
        struct clopt_contender *leader = group->standing[k].leader;
        if (!leader || leader->is_initial)
            continue;
        struct clopt_interval ratio = clopt_standing_ratio(group, &group->initial, leader, k);
        if (!(ratio.median > 1))
            continue;
        char *name = group->kernel_count == 1 ? clopt_trial_name(&leader->trial) : NULL;
        clopt_text_printf(text, "%s%s %.3gx", before, name ? name : kernels[k].name, ratio.median);
        free(name);
        before = ", ";
    }
}

void clopt_schedule_show(struct clopt_schedule *schedule)
{
    struct clopt_group *group = schedule->groups[0];
    double done = (double)schedule->over;
    struct clopt_text doing = {0};
    size_t waiting = 0, unbuilt = group ? clopt_group_count_unbuilt(group, &waiting) : 0;
    schedule->progress->skipped = schedule->skipped;
    for (size_t i = 0; i < 2; i++)
        if (schedule->groups[i]) {
            done += (double)schedule->groups[i]->over;
            schedule->progress->skipped += schedule->groups[i]->skipped;
        }
    if (!group)
        clopt_text_append(&doing, "starting");
    else if (unbuilt && !schedule->active)
        clopt_text_printf(&doing, "building %zu", unbuilt);
    else if (group->racer_count)
        clopt_text_printf(&doing, "comparing the best %zu", group->racer_count);
    else if (schedule->active)
        clopt_text_printf(&doing, "measuring %zu", clopt_sweep_candidates(group));
    else
        clopt_text_append(&doing, "checking the best with other inputs");
    if (group)
        append_best(&doing, group);
    clopt_progress_show(schedule->progress, done, doing.data ? doing.data : "");
    clopt_text_fini(&doing);
}
