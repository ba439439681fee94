/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words how a variant is launched. */
#include "base/text.h"
#include "trial/transform.h"

/* Says what an argument is that the host has to pass in addition. */
static void say_added(struct clopt_text *text, const char *prefix,
                      const struct clopt_ndrange_change *change, size_t index)
{
    const struct clopt_added_argument *added = &change->added[index];
    clopt_text_printf(text, "%sone more argument, ulong: the ", prefix);
    if (added->local) {
        size_t parts = clopt_local_bytes(change, index, added->number, 1) / CLOPT_LOCAL_ALIGNMENT;
        clopt_text_printf(text,
                          "bytes of argument %u, local memory, rounded up to a multiple of %d",
                          added->number, CLOPT_LOCAL_ALIGNMENT);
        if (parts > 1)
            clopt_text_printf(text, ", times %zu", parts);
        clopt_text_printf(text, "; that argument gets %zu times as many", added->merged);
    } else {
        clopt_text_printf(text, "number of work-groups in dimension %u", added->number);
        if (added->merged > 1)
            clopt_text_printf(text, " divided by %zu, rounded up", added->merged);
    }
    clopt_text_append(text, "\n");
}

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
    for (size_t i = 0; i < change->added_count; i++)
        say_added(text, prefix, change, i);
}
