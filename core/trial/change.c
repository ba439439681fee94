/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words how a variant is launched. */
#include "base/text.h"
#include "trial/transform.h"

void clopt_change_say(struct clopt_text *text, const char *prefix,
                      const struct clopt_ndrange_change *change, bool with_multiples)
{
    bool any = false;
    for (unsigned d = 0; d < 3; d++) {
        if (change->local_size[d])
            clopt_text_printf(text, "%sNDRange, dimension %u: local size %zu\n", prefix, d,
                              change->local_size[d]);
        if (change->merged_items[d] > 1)
            clopt_text_printf(text,
                              "%sNDRange, dimension %u: local and global size divided by %zu\n",
                              prefix, d, change->merged_items[d]);
        if (change->local_multiple[d] && with_multiples)
            clopt_text_printf(text, "%sdimension %u: for local sizes that are multiples of %zu\n",
                              prefix, d, change->local_multiple[d]);
        if (change->merged_groups[d] > 1)
            clopt_text_printf(
                text, "%sNDRange, dimension %u: number of work-groups divided by %zu, rounded up\n",
                prefix, d, change->merged_groups[d]);
        any |= change->local_size[d] || change->merged_items[d] > 1 || change->merged_groups[d] > 1;
    }
    if (!any)
        clopt_text_printf(text, "%sNDRange: as it was\n", prefix);
    if (change->distinct_buffers)
        clopt_text_printf(text, "%sarguments: no buffer may be passed twice\n", prefix);
    for (size_t i = 0; i < change->group_count_count; i++) {
        const struct clopt_group_count *count = &change->group_counts[i];
        clopt_text_printf(text,
                          "%sone more argument, ulong: the number of work-groups in dimension %u",
                          prefix, count->dimension);
        if (count->merged > 1)
            clopt_text_printf(text, " divided by %zu, rounded up", count->merged);
        clopt_text_append(text, "\n");
    }
}
