/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words how a variant is launched. */
#include "commands/shared/change.h"

#include "text/text.h"
#include "trial/transform.h"

/* Says what an argument is that the host has to pass in addition. */
static void say_added(struct clopt_text *text, const char *prefix,
                      const struct clopt_ndrange_change *change, size_t index)
{
    const struct clopt_added_argument *added = &change->added[index];
    if (added->zeroed) {
        clopt_text_printf(text,
                          "%sone more argument, a buffer of zeros: %zu bytes for each work-group\n",
                          prefix, added->zeroed);
        return;
    }
    clopt_text_printf(text, "%sone more argument, ulong: the ", prefix);
    if (added->rows) {
        clopt_text_printf(text, "number of rows of argument %u",
                          change->layouts[added->number].argument);
    } else if (added->local) {
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

/* Says what a layout is: "argument 1: transposed, of rows of argument 2 elements". */
static void say_layout(struct clopt_text *text, const struct clopt_layout *layout)
{
    clopt_text_printf(text, "argument %u: ", layout->argument);
    if (layout->narrow) {
        clopt_text_append(text, "its floats as half");
        return;
    }
    if (layout->block)
        clopt_text_printf(text, "%u rows interleaved", layout->block);
    else
        clopt_text_append(text, "transposed");
    clopt_text_append(text, ", of rows of ");
    clopt_form_say(text, &layout->row);
    clopt_text_append(text, " elements");
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
        if (change->divided_items[d] > 1)
            clopt_text_printf(text, "%sNDRange, dimension %u: global size multiplied by %zu\n",
                              prefix, d, change->divided_items[d]);
        if (change->local_multiple[d] && with_multiples)
            clopt_text_printf(text, "%sdimension %u: for local sizes that are multiples of %zu\n",
                              prefix, d, change->local_multiple[d]);
        if (change->merged_groups[d] > 1)
            clopt_text_printf(
                text, "%sNDRange, dimension %u: number of work-groups divided by %zu, rounded up\n",
                prefix, d, change->merged_groups[d]);
        any |= change->local_size[d] || change->merged_items[d] > 1 ||
               change->merged_groups[d] > 1 || change->divided_items[d] > 1;
    }
    if (!any)
        clopt_text_printf(text, "%sNDRange: as it was\n", prefix);
    if (change->distinct_buffers)
        clopt_text_printf(text, "%sarguments: no buffer may be passed twice\n", prefix);
    for (size_t i = 0; i < change->multiple_count; i++) {
        const struct clopt_argument_multiple *own = &change->multiples[i];
        if (own->argument >= CLOPT_LAUNCH_GLOBAL)
            clopt_text_printf(text,
                              "%sNDRange: for at most so many work-items in dimension %u as in "
                              "dimension %u\n",
                              prefix, own->covers - 1, own->argument - CLOPT_LAUNCH_GLOBAL);
        else if (own->covers)
            clopt_text_printf(text,
                              "%sargument %u: for at most so many work-items in dimension %u\n",
                              prefix, own->argument, own->covers - 1);
        else if (own->equals)
            clopt_text_printf(text, "%sargument %u: for %u\n", prefix, own->argument, own->equals);
        else
            clopt_text_printf(text, "%sargument %u: for multiples of %u\n", prefix, own->argument,
                              own->multiple);
    }
    for (size_t i = 0; i < change->layout_count; i++) {
        const struct clopt_layout *layout = &change->layouts[i];
        clopt_text_append(text, prefix);
        say_layout(text, layout);
        for (unsigned k = 0; k < layout->need_count; k++) {
            clopt_text_append(text, k ? ", and " : "; for launches where ");
            clopt_need_say(text, &layout->needs[k]);
        }
        clopt_text_append(text, "\n");
    }
    for (size_t i = 0; i < change->added_count; i++)
        say_added(text, prefix, change, i);
}
