/* SPDX-License-Identifier: BSD-3-Clause */
/* Permutes buffers for variants that have their elements in another order. */
#include "worker/buffers.h"

#include <math.h>

#include "number/number.h"
#include "opencl/runner.h"
#include "text/text.h"

#define TIMED 3 /* copies that are timed: the least counts */

/* ---- what a launch says ---- */

bool clopt_asked_integer(const void *user, unsigned argument, int64_t *value)
{
    const struct clopt_asked_launch *launch = user;
    const struct clopt_argument *own = &launch->arguments[argument];
    return argument < launch->count && own->kind == CLOPT_ARGUMENT_VALUE &&
           clopt_integer_read(own->value, own->bytes, value);
}

const struct clopt_layout *clopt_launch_layout(const struct clopt_asked_launch *launch,
                                               size_t argument)
{
    for (size_t i = 0; i < launch->change->layout_count; i++)
        if (launch->change->layouts[i].argument == argument)
            return &launch->change->layouts[i];
    return NULL;
}

enum clopt_status clopt_layout_find(const struct clopt_buffers *buffers,
                                    const struct clopt_layout *layout,
                                    const struct clopt_asked_launch *launch,
                                    const struct clopt_ndrange *range,
                                    struct clopt_layout_shape *shape)
{
    const struct clopt_argument *arguments = launch->arguments;
    const struct clopt_launch_need *unmet;
    CLOPT_OWNED(clopt_text) text = {0};
    unsigned argument = layout->argument;
    if (argument >= launch->count || arguments[argument].kind != CLOPT_ARGUMENT_BUFFER ||
        buffers->items[arguments[argument].buffer].is_image)
        return clopt_fail(buffers->error, CLOPT_INFEASIBLE, "layout: argument %u is not a buffer",
                          argument);
    const struct clopt_device_buffer *buffer = &buffers->items[arguments[argument].buffer];
    if (!clopt_layout_shape_find(layout, buffer->bytes, range, clopt_asked_integer, launch, shape,
                                 &unmet))
        return clopt_fail(buffers->error, CLOPT_INFEASIBLE,
                          "layout: buffer %s has %zu bytes, which are not rows of %lld elements of "
                          "%u bytes",
                          buffer->name, buffer->bytes, (long long)shape->width,
                          layout->element_bytes);
    if (!unmet)
        return CLOPT_OK;
    clopt_need_say(&text, unmet);
    return clopt_fail(buffers->error, CLOPT_INFEASIBLE,
                      "layout: a launch accesses elements of argument %u that may be outside of "
                      "their rows: it must be that %s",
                      argument, clopt_text_string(&text));
}

/* ---- permuting ---- */

/* Copies between a buffer and its duplicate, and adds how long that takes, unless an application
 * would have nothing to copy there. */
static enum clopt_status permute(struct clopt_buffers *buffers, unsigned id, bool back)
{
    struct clopt_context *context = buffers->context;
    const struct clopt_duplicate *duplicate = &buffers->duplicates[id];
    const struct clopt_device_buffer *buffer = &buffers->items[id];
    const struct clopt_layout_shape *shape = &duplicate->shape;
    const cl_mem memory[] = {back ? duplicate->buffer.data : buffer->data,
                             back ? buffer->data : duplicate->buffer.data};
    const cl_ulong numbers[] = {shape->rows, shape->width, shape->block, back};
    struct clopt_runner runner = {
        .context = context, .program = context->permute_program, .error = buffers->error};
    char name[24];
    snprintf(name, sizeof name, "%s%u", shape->narrow ? "narrow" : "permute", shape->element_bytes);
    struct clopt_own_launch launch = {.name = name, .global = clopt_permute_items(shape)};
    clopt_runner_build(&runner, "permute", clopt_permute_source, "");
    context->permute_program = runner.program;
    clopt_runner_prepare(&runner, &launch);
    for (cl_uint i = 0; i < 2; i++)
        clopt_runner_set(&runner, &launch, i, sizeof memory[i], &memory[i]);
    for (cl_uint i = 0; i < sizeof numbers / sizeof *numbers; i++)
        clopt_runner_set(&runner, &launch, 2 + i, sizeof numbers[i], &numbers[i]);
    double time_ns = clopt_runner_run(&runner, &launch);
    for (unsigned again = 1; again < TIMED && buffers->times_permuting && !runner.status; again++)
        time_ns = fmin(time_ns, clopt_runner_run(&runner, &launch));
    clopt_runner_release_launch(&launch);
    if (back || buffer->use == CLOPT_INPUT || buffer->use == CLOPT_IN_OUT)
        buffers->permuted_ns += time_ns;
    return runner.status ? clopt_fail_within(buffers->error, "layout of buffer %s", buffer->name)
                         : CLOPT_OK;
}

static void drop_duplicate(struct clopt_buffers *buffers, struct clopt_duplicate *duplicate)
{
    buffers->bytes -= duplicate->buffer.whole ? duplicate->buffer.bytes : 0;
    clopt_buffer_release(&duplicate->buffer);
}

/* Makes a duplicate, or one that is large enough: its last block has as many rows as the others. */
static enum clopt_status make_duplicate(struct clopt_buffers *buffers, unsigned id)
{
    struct clopt_duplicate *duplicate = &buffers->duplicates[id];
    const struct clopt_layout_shape *shape = &duplicate->shape;
    size_t bytes = clopt_permute_bytes(shape);
    if (duplicate->buffer.name && duplicate->buffer.bytes == bytes)
        return CLOPT_OK;
    drop_duplicate(buffers, duplicate);
    duplicate->buffer = (struct clopt_device_buffer){
        .name = buffers->items[id].name, .use = CLOPT_SCRATCH, .bytes = bytes};
    enum clopt_status status = clopt_buffer_create(buffers, &duplicate->buffer);
    if (status)
        drop_duplicate(buffers, duplicate);
    return status;
}

enum clopt_status clopt_duplicate_use(struct clopt_buffers *buffers, unsigned id,
                                      const struct clopt_layout_shape *shape)
{
    struct clopt_duplicate *duplicate = &buffers->duplicates[id];
    bool holds = duplicate->holds && memcmp(&duplicate->shape, shape, sizeof *shape) == 0;
    enum clopt_status status = holds ? CLOPT_OK : clopt_duplicate_settle(buffers, id);
    duplicate->shape = *shape;
    bool is_input = buffers->items[id].use == CLOPT_INPUT;
    duplicate->holds =
        holds ||
        (!status && !make_duplicate(buffers, id) && !permute(buffers, id, false) &&
         !(is_input && clopt_buffer_digest(buffers, &duplicate->buffer, duplicate->digest)));
    duplicate->newer = duplicate->holds && !is_input && !shape->narrow;
    return duplicate->holds ? CLOPT_OK : buffers->error->status;
}

enum clopt_status clopt_duplicate_settle(struct clopt_buffers *buffers, unsigned id)
{
    struct clopt_duplicate *duplicate = &buffers->duplicates[id];
    bool newer = duplicate->newer;
    duplicate->newer = false;
    return newer ? permute(buffers, id, true) : CLOPT_OK;
}

enum clopt_status clopt_duplicates_settle(struct clopt_buffers *buffers)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++)
        CLOPT_TRY(clopt_duplicate_settle(buffers, id));
    return CLOPT_OK;
}

void clopt_duplicate_forget(struct clopt_buffers *buffers, unsigned id)
{
    buffers->duplicates[id].holds = buffers->duplicates[id].newer = false;
}
