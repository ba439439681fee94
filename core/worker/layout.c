/* SPDX-License-Identifier: BSD-3-Clause */
/* Permutes buffers for variants that have their elements in another order. */
#include "worker/buffers.h"

#include <math.h>

#include "opencl/runner.h"
#include "text/text.h"
#include "trial/transform.h"

#define TILE  8
#define TIMED 3 /* copies that are timed: the least counts */

/* permute.cl as a string. */
static const char source[] =
#include "core/worker/permute_text.h"
    ;

/* ---- what a launch says ---- */

bool clopt_argument_integer(const struct clopt_argument *argument, int64_t *value)
{
    size_t bytes = argument->bytes;
    union {
        int8_t byte;
        int16_t half;
        int32_t word;
        int64_t all;
    } number;
    if (argument->kind != CLOPT_ARGUMENT_VALUE ||
        (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
        return false;
    memcpy(&number, argument->value, bytes);
    *value = bytes == 1   ? number.byte
             : bytes == 2 ? number.half
             : bytes == 4 ? number.word
                          : number.all;
    return true;
}

/* What the symbols of a form are of. */
struct known {
    const struct clopt_asked_launch *launch;
    const struct clopt_ndrange *range;
};

static bool value_of(const void *user, unsigned symbol, int64_t *value)
{
    const struct known *known = user;
    bool global = symbol < CLOPT_LAUNCH_LOCAL;
    if (symbol < CLOPT_LAUNCH_GLOBAL)
        return symbol <= known->launch->count &&
               clopt_argument_integer(&known->launch->arguments[symbol - 1], value);
    unsigned d = (symbol - (global ? CLOPT_LAUNCH_GLOBAL : CLOPT_LAUNCH_LOCAL)) % 3;
    size_t size = (global ? known->range->global : known->range->local)[d];
    *value = size ? (int64_t)size : 1;
    return true;
}

/* Computes a launch's form. False where one of its arguments is no integer. */
static bool compute(const struct clopt_affine *form, const struct clopt_asked_launch *launch,
                    const struct clopt_ndrange *range, int64_t *value)
{
    return clopt_affine_compute(form, value_of, &(struct known){launch, range}, value);
}

/* Checks what a layout needs of a launch. */
static enum clopt_status check_needs(const struct clopt_layout *layout,
                                     const struct clopt_asked_launch *launch,
                                     const struct clopt_ndrange *range, struct clopt_error *error)
{
    for (unsigned i = 0; i < layout->need_count; i++) {
        const struct clopt_launch_need *need = &layout->needs[i];
        CLOPT_OWNED(clopt_text) text = {0};
        int64_t value = 0;
        bool known = compute(&need->form, launch, range, &value);
        if (known && (need->multiple ? value % need->multiple == 0 : value >= 0))
            continue;
        clopt_need_say(&text, need);
        return clopt_fail(
            error, CLOPT_INFEASIBLE,
            "layout: a launch accesses elements of argument %u that may be outside of their "
            "rows: it must be that %s",
            layout->argument, clopt_text_string(&text));
    }
    return CLOPT_OK;
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
    unsigned argument = layout->argument;
    int64_t width = 0;
    if (argument >= launch->count || arguments[argument].kind != CLOPT_ARGUMENT_BUFFER ||
        buffers->items[arguments[argument].buffer].is_image)
        return clopt_fail(buffers->error, CLOPT_INFEASIBLE, "layout: argument %u is not a buffer",
                          argument);
    const struct clopt_device_buffer *buffer = &buffers->items[arguments[argument].buffer];
    if (!compute(&layout->row, launch, range, &width) || width < 1 ||
        buffer->bytes % (layout->element_bytes * (uint64_t)width))
        return clopt_fail(buffers->error, CLOPT_INFEASIBLE,
                          "layout: buffer %s has %zu bytes, which are not rows of %lld elements of "
                          "%u bytes",
                          buffer->name, buffer->bytes, (long long)width, layout->element_bytes);
    *shape = (struct clopt_layout_shape){layout->element_bytes, layout->narrow, layout->block,
                                         (uint64_t)width,
                                         buffer->bytes / (layout->element_bytes * (uint64_t)width)};
    return check_needs(layout, launch, range, buffers->error);
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
    struct clopt_own_launch launch = {
        .name = name,
        .global = (size_t)((shape->rows + TILE - 1) / TILE * ((shape->width + TILE - 1) / TILE))};
    clopt_runner_build(&runner, "permute", source, "");
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
    uint64_t rows = clopt_round_up((size_t)shape->rows, shape->block ? (size_t)shape->block : 1);
    size_t bytes = (size_t)(rows * shape->width * (shape->narrow ? 2 : shape->element_bytes));
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
