/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a winner with the kernel whose place it takes. Both run on copies of the application's
 * memory, so that nothing counts that other threads write there meanwhile, and nothing of theirs is
 * written over. */
#include "layer/apply.h"

#include <clopt/scalar.h>
#include <math.h>
#include <time.h>

/* The arguments of a launch, with memory of the layer's own. */
struct copies {
    const struct clopt_replacement *made;
    cl_context context;
    struct clopt_argument_copy *arguments; /* their large values are those of the launch */
    void **wholes; /* of each argument what its memory is part of; NULL: it has none, or that of an
                      argument before */
};

static void release_copies(struct copies *copies)
{
    for (size_t i = 0; copies->arguments && copies->wholes && i < copies->made->count; i++) {
        const struct clopt_memory *memory = &copies->arguments[i].memory;
        if (memory->kind == CLOPT_SUB_BUFFER && memory->object.handle)
            clopt_next->clReleaseMemObject(memory->object.handle);
        if (copies->wholes[i] && memory->kind == CLOPT_SVM)
            clopt_next->clSVMFree(copies->context, copies->wholes[i]);
        else if (copies->wholes[i])
            clopt_next->clReleaseMemObject(copies->wholes[i]);
    }
    free(copies->arguments);
    free(copies->wholes);
}

/* Returns the copy of what the memory of an argument is part of, which it makes unless an argument
 * before has it: of the application's, or of other copies. NULL: it cannot. */
static void *find_whole(struct copies *copies, size_t index, const struct copies *others)
{
    const struct clopt_argument_copy *asked = copies->made->arguments;
    const struct clopt_memory *memory = &asked[index].memory;
    for (size_t i = 0; i < index; i++)
        if (asked[i].memory.object.handle && asked[i].memory.parent == memory->parent)
            return copies->arguments[i].memory.parent;
    void *from = others ? others->arguments[index].memory.parent : memory->parent;
    copies->wholes[index] = clopt_memory_copy(
        &(struct clopt_copying){
            .context = copies->context, .queue = copies->made->launch->queue, .memory = memory},
        from);
    return copies->wholes[index];
}

/* Gives an argument the copy of its memory. */
static bool copy_argument(struct copies *copies, size_t index, const struct copies *others)
{
    struct clopt_argument_copy *argument = &copies->arguments[index];
    struct clopt_memory *memory = &argument->memory;
    const cl_buffer_region region = {memory->begin, memory->bytes};
    void *whole = find_whole(copies, index, others), *given = whole;
    memory->parent = memory->object.handle = whole;
    if (whole && memory->kind == CLOPT_SUB_BUFFER)
        given = memory->object.handle =
            clopt_next->clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    else if (whole && memory->kind == CLOPT_SVM)
        given = (char *)whole + memory->begin;
    memcpy(argument->value.small, &given, sizeof given);
    return given != NULL;
}

/* Copies all memory of the launch, or of other copies of it. */
static bool make_copies(struct copies *copies, const struct clopt_replacement *made,
                        const struct copies *others)
{
    *copies = (struct copies){.made = made,
                              .arguments = calloc(made->count + 1, sizeof *copies->arguments),
                              .wholes = calloc(made->count + 1, sizeof *copies->wholes)};
    if (!copies->arguments || !copies->wholes ||
        clopt_next->clGetKernelInfo(made->launch->kernel, CL_KERNEL_CONTEXT, sizeof copies->context,
                                    &copies->context, NULL) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < made->count; i++) {
        copies->arguments[i] = made->arguments[i];
        copies->arguments[i].memory.object.handle = NULL;
    }
    for (size_t i = 0; i < made->count; i++)
        if (made->arguments[i].has_data && !copy_argument(copies, i, others))
            return false;
    return clopt_next->clFinish(made->launch->queue) == CL_SUCCESS;
}

/* Launches the kernel itself on copies, by a kernel of the layer's own. */
static const char *launch_kernel(const struct copies *copies, cl_event *event)
{
    const struct clopt_launch *launch = copies->made->launch;
    const char *failure = NULL;
    cl_program program = NULL;
    if (clopt_next->clGetKernelInfo(launch->kernel, CL_KERNEL_PROGRAM, sizeof program, &program,
                                    NULL) != CL_SUCCESS)
        return "the kernel has no program that could be asked for it";
    cl_kernel kernel = clopt_next->clCreateKernel(program, copies->made->kernel->name, NULL);
    if (!kernel || !clopt_arguments_set(copies->arguments, copies->made->count, kernel) ||
        clopt_next->clEnqueueNDRangeKernel(launch->queue, kernel, launch->dimensions,
                                           launch->offset, launch->global, launch->local, 0, NULL,
                                           event) != CL_SUCCESS)
        failure = "the kernel cannot be launched on copies to check its winner";
    if (kernel)
        clopt_next->clReleaseKernel(kernel);
    return failure;
}

/* ---- what they leave ---- */

/* Whether two buffers are equal, but for rounding where they have real numbers: relative 1e-4, for
 * half 1e-2 and for double 1e-10, to the number or the mean magnitude. */
static bool agree(char type, const unsigned char *a, const unsigned char *b, size_t bytes)
{
    enum clopt_scalar scalar = type == 'h'   ? CLOPT_SCALAR_HALF
                               : type == 'f' ? CLOPT_SCALAR_FLOAT
                               : type == 'd' ? CLOPT_SCALAR_DOUBLE
                                             : CLOPT_SCALAR_NONE;
    size_t size = clopt_scalar_bytes(scalar, 1), count = size ? bytes / size : 0;
    double mean = 0, bound = type == 'h' ? 1e-2 : type == 'f' ? 1e-4 : 1e-10;
    if (memcmp(a, b, bytes) == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        double x = clopt_scalar_real(scalar, a + i * size);
        mean += isfinite(x) ? fabs(x) / (double)count : 0;
    }
    for (size_t i = 0; i < count; i++) {
        double x = clopt_scalar_real(scalar, a + i * size);
        double y = clopt_scalar_real(scalar, b + i * size);
        bool same = x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= bound * fmax(fabs(x), mean);
        if (!same)
            return false;
    }
    return count > 0;
}

static unsigned char *read_copy(const struct copies *copies, size_t index)
{
    const struct clopt_memory *memory = &copies->arguments[index].memory;
    unsigned char *data = malloc(memory->bytes);
    if (data && clopt_memory_read(&(struct clopt_reading){.queue = copies->made->launch->queue,
                                                          .memory = memory,
                                                          .bytes = memory->bytes,
                                                          .data = data}) == CL_SUCCESS)
        return data;
    free(data);
    return NULL;
}

static const char *compare(const struct copies *right, const struct copies *others)
{
    const struct clopt_replacement *made = right->made;
    const char *failure = NULL;
    for (size_t i = 0; i < made->count && !failure; i++) {
        if (!made->arguments[i].has_data)
            continue;
        unsigned char *a = read_copy(right, i), *b = a ? read_copy(others, i) : NULL;
        if (!b)
            failure = "its winner fails, or its results cannot be read";
        else if (!agree(made->winner->types[i], a, b, made->arguments[i].memory.bytes))
            failure = "its winner computes something else: it is not launched any more";
        free(a);
        free(b);
    }
    return failure;
}

/* ---- the whole ---- */

static const char *find_obstacle(const struct clopt_replacement *made)
{
    for (size_t i = 0; i < made->count; i++)
        if (made->arguments[i].memory.object.handle && !made->arguments[i].has_data)
            return "its winner cannot be checked: an argument is a pipe or an image that cannot be "
                   "copied";
    return strstr(made->kernel->program->source, "printf")
               ? "its winner cannot be checked: it prints, and a check would print that again"
               : NULL;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void keep_least(double *least_s, double took_s)
{
    *least_s = !*least_s || took_s < *least_s ? took_s : *least_s;
}

/* Lets one of them run, and keeps the least time that it took. */
static const char *run_one(struct clopt_replacement *made, const struct copies *copies,
                           bool is_winner, double *least_s)
{
    cl_event event = NULL;
    const bool permutes = is_winner && made->winner->change.layout_count;
    double begin = now();
    const char *failure = permutes ? clopt_layouts_make(made, copies->arguments) : NULL;
    if (failure)
        return failure;
    if (permutes && made->compared)
        keep_least(&made->permuted_s, now() - begin);
    begin = now();
    failure = is_winner ? clopt_replacement_launch(made, copies->arguments, 0, NULL, &event)
                        : launch_kernel(copies, &event);
    if (event && clopt_next->clWaitForEvents(1, &event) != CL_SUCCESS && !failure)
        failure = is_winner ? "its winner fails" : "the kernel fails on copies of its buffers";
    double took = now() - begin;
    if (event)
        clopt_next->clReleaseEvent(event);
    if (made->compared)
        keep_least(least_s, took);
    return failure;
}

/* Lets both run, by turns one and the other first and on copies that were made first, and compares.
 * The times of the first comparison do not count: drivers compile then. */
static const char *run_both(struct clopt_replacement *made, const struct copies *first,
                            const struct copies *second)
{
    bool swaps = made->compared % 2;
    const char *failure = run_one(made, first, swaps, swaps ? &made->winner_s : &made->kernel_s);
    if (!failure)
        failure = run_one(made, second, !swaps, swaps ? &made->kernel_s : &made->winner_s);
    made->compared++;
    return failure ? failure : compare(swaps ? second : first, swaps ? first : second);
}

const char *clopt_replacement_check(struct clopt_replacement *made)
{
    const struct clopt_launch *launch = made->launch;
    struct copies first = {0}, second = {0};
    const char *failure = find_obstacle(made);
    if (failure)
        return failure;
    clopt_queues_flush();
    bool ready = (!launch->wait_count || clopt_next->clWaitForEvents(
                                             launch->wait_count, launch->wait_for) == CL_SUCCESS) &&
                 clopt_next->clFinish(launch->queue) == CL_SUCCESS &&
                 make_copies(&first, made, NULL) && make_copies(&second, made, &first);
    failure = ready ? run_both(made, &first, &second)
                    : "its buffers cannot be copied to check the winner";
    release_copies(&first);
    release_copies(&second);
    return failure;
}
