/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers in the layout that a winner has them in. Beside a buffer that its kernel only reads is a
 * copy, which is made once several launches have read the buffer unchanged, and given up as soon as
 * anything may write it. The buffer itself always has what the application expects, whoever reads
 * it. */
#include <clopt/memory.h>

#include "layer/apply.h"

#include <pthread.h>

#define MOST_MEMORY 2 /* buffers and copies take the device's memory divided by this at most */

static bool wanted;                                           /* by a winner */
static _Atomic bool blind;                                    /* there are writes unseen */
static pthread_mutex_t permuting = PTHREAD_MUTEX_INITIALIZER; /* comes before the layer's lock */
static uint64_t all_bytes; /* of buffers and copies, with the lock held */

/* A copy in another layout. */
struct clopt_permuted {
    cl_mem memory;
    struct clopt_layout_shape shape;
    uint64_t queue; /* whose launches have it */
    unsigned used;  /* by launches, beside the first */
    unsigned references;
};

void clopt_layouts_want(void)
{
    wanted = true;
}

/* ---- what writes buffers ---- */

/* Notes a write of a queue to a buffer, with the lock held; 0: of one that need not be in order.
 * Whether what another queue writes comes before a copy or after it is not known: some drivers
 * have not even written all when a call returns that waits for that. */
static void note_write(struct clopt_memory *memory, uint64_t queue)
{
    if (!memory)
        return;
    if (!queue || (memory->writer && memory->writer != queue))
        memory->barred = "several queues, or one that is out of order, write a buffer";
    memory->writer = queue;
    memory->version++;
    memory->reads = 0;
    struct clopt_permuted *permuted = memory->permuted;
    if (permuted && permuted->used < memory->awaited && memory->awaited < 1u << 20)
        memory->awaited *= 2; /* the copy was not worth it */
    clopt_permuted_drop(permuted);
    memory->permuted = NULL;
}

void clopt_written_note(cl_mem handle, cl_command_queue queue)
{
    if (!wanted || !handle)
        return;
    uint64_t number = clopt_queue_in_order(queue);
    clopt_layer_lock();
    note_write(clopt_object_find(CLOPT_MEMORY, handle), number);
    clopt_layer_unlock();
}

void clopt_mapped_note(cl_mem handle, cl_command_queue queue, bool maps)
{
    if (!wanted || !handle)
        return;
    uint64_t number = clopt_queue_in_order(queue);
    clopt_layer_lock();
    struct clopt_memory *memory = clopt_object_find(CLOPT_MEMORY, handle);
    if (memory && maps)
        memory->mapped++;
    else if (memory && memory->mapped)
        memory->mapped--;
    note_write(memory, number);
    clopt_layer_unlock();
}

void clopt_launch_note(const struct clopt_launch *launch)
{
    if (!wanted || blind)
        return;
    uint64_t number = clopt_queue_in_order(launch->queue);
    clopt_layer_lock();
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, launch->kernel);
    blind |= !kernel;
    for (size_t i = 0; kernel && i < kernel->argument_count; i++) {
        const void *handle = clopt_argument_memory(&kernel->arguments[i]).object.handle;
        if (handle && !clopt_kernel_reads(kernel, i))
            note_write(clopt_object_find(CLOPT_MEMORY, handle), number);
    }
    clopt_layer_unlock();
}

void clopt_memory_bar(const void *handle, const char *reason)
{
    clopt_layer_lock();
    struct clopt_memory *memory = clopt_object_find(CLOPT_MEMORY, handle);
    if (memory)
        memory->barred = reason;
    clopt_layer_unlock();
}

void clopt_layouts_blind(void)
{
    blind = true;
}

void clopt_permuted_drop(struct clopt_permuted *permuted)
{
    if (!permuted || --permuted->references)
        return;
    all_bytes -= clopt_permute_bytes(&permuted->shape);
    clopt_handle_leave(CLOPT_MEMORY, permuted->memory);
    free(permuted);
}

void clopt_memory_count(size_t bytes, bool made)
{
    all_bytes += made ? bytes : -bytes;
}

/* Calls that write what they do not say. */
static CL_API_ENTRY cl_int CL_API_CALL launch_native(cl_command_queue queue,
                                                     void(CL_CALLBACK *function)(void *),
                                                     void *arguments, size_t bytes, cl_uint count,
                                                     const cl_mem *memory, const void **at,
                                                     cl_uint wait_count, const cl_event *wait_for,
                                                     cl_event *event)
{
    blind = true;
    return clopt_next->clEnqueueNativeKernel(queue, function, arguments, bytes, count, memory, at,
                                             wait_count, wait_for, event);
}

/* Functions of extensions are called past the layer; those that ask write nothing. */
static void note_extension(const char *name)
{
    if (!name || strstr(name, "GlobalVariable") || strstr(name, "FunctionPointer"))
        clopt_proxies_bar();
    blind |= !name || (strncmp(name, "clGet", 5) != 0 && strncmp(name, "clIcd", 5) != 0);
}

static CL_API_ENTRY void *CL_API_CALL find_extension(const char *name)
{
    note_extension(name);
    return clopt_next->clGetExtensionFunctionAddress(name);
}

static CL_API_ENTRY void *CL_API_CALL find_platform_extension(cl_platform_id platform,
                                                              const char *name)
{
    note_extension(name);
    return clopt_next->clGetExtensionFunctionAddressForPlatform(platform, name);
}

void clopt_layouts_install(cl_icd_dispatch *dispatch)
{
    dispatch->clEnqueueNativeKernel = launch_native;
    dispatch->clGetExtensionFunctionAddress = find_extension;
    dispatch->clGetExtensionFunctionAddressForPlatform = find_platform_extension;
}

/* ---- permuting ---- */

/* Enqueues a copy of a buffer in another layout; `event` may be NULL. */
static bool permute(const struct clopt_replacement *made, const struct clopt_layout_shape *shape,
                    cl_mem from, cl_mem to, cl_event *event)
{
    char name[24];
    const cl_ulong numbers[] = {shape->rows, shape->width, shape->block, 0};
    const size_t global = clopt_permute_items(shape);
    snprintf(name, sizeof name, "permute%u", shape->element_bytes);
    cl_kernel kernel = clopt_permuting_kernel(made, name);
    bool done = kernel && !clopt_next->clSetKernelArg(kernel, 0, sizeof from, &from) &&
                !clopt_next->clSetKernelArg(kernel, 1, sizeof to, &to);
    for (cl_uint i = 0; i < sizeof numbers / sizeof *numbers && done; i++)
        done = !clopt_next->clSetKernelArg(kernel, 2 + i, sizeof numbers[i], &numbers[i]);
    done = done && !clopt_next->clEnqueueNDRangeKernel(made->launch->queue, kernel, 1, NULL,
                                                       &global, NULL, 0, NULL, event);
    if (kernel)
        clopt_next->clReleaseKernel(kernel);
    return done;
}

/* Makes a buffer for a copy; NULL: there is no memory for it. */
static cl_mem make_buffer(const struct clopt_replacement *made,
                          const struct clopt_layout_shape *shape)
{
    cl_context context = NULL;
    if (clopt_next->clGetCommandQueueInfo(made->launch->queue, CL_QUEUE_CONTEXT, sizeof context,
                                          &context, NULL) != CL_SUCCESS)
        return NULL;
    return clopt_next->clCreateBuffer(context, CL_MEM_READ_WRITE, clopt_permute_bytes(shape), NULL,
                                      NULL);
}

const char *clopt_layouts_make(struct clopt_replacement *made,
                               const struct clopt_argument_copy *arguments)
{
    const struct clopt_ndrange_change *change = &made->winner->change;
    bool good = true;
    clopt_layouts_drop(made);
    for (size_t i = 0; i < change->layout_count && good; i++) {
        cl_mem from = arguments[change->layouts[i].argument].memory.object.handle;
        made->permuted[i] = make_buffer(made, &made->shapes[i]);
        good = made->permuted[i] && permute(made, &made->shapes[i], from, made->permuted[i], NULL);
    }
    return good && clopt_next->clFinish(made->launch->queue) == CL_SUCCESS
               ? NULL
               : "a buffer cannot be copied in another layout";
}

void clopt_layouts_drop(struct clopt_replacement *made)
{
    for (size_t i = 0; i < CLOPT_MOST_LAYOUTS; i++) {
        if (made->permuted[i] && !made->held[i])
            clopt_next->clReleaseMemObject(made->permuted[i]);
        clopt_layer_lock();
        clopt_permuted_drop(made->held[i]);
        clopt_layer_unlock();
        made->permuted[i] = NULL;
        made->held[i] = NULL;
    }
}

/* ---- copies of the application's buffers ---- */

/* Returns the buffer that has a layout, with the lock held. */
static struct clopt_memory *find_buffer(const struct clopt_replacement *made, size_t layout)
{
    unsigned argument = made->winner->change.layouts[layout].argument;
    return clopt_object_find(CLOPT_MEMORY, made->arguments[argument].memory.object.handle);
}

/* Returns why a buffer has no layout now, or NULL; counts the launch that reads it. */
static const char *check_buffer(struct clopt_memory *memory, uint64_t queue,
                                const struct clopt_layout_shape *shape)
{
    if (!memory || memory->kind != CLOPT_BUFFER)
        return "a buffer is not known, to which its winner gives another layout";
    if (memory->barred)
        return memory->barred;
    if (memory->mapped)
        return "a buffer is mapped, to which its winner gives another layout";
    if (memory->writer && memory->writer != queue)
        return "another queue writes a buffer, to which its winner gives another layout";
    const struct clopt_permuted *permuted = memory->permuted;
    if (permuted &&
        (permuted->queue != queue || memcmp(&permuted->shape, shape, sizeof *shape) != 0))
        return "a buffer has another layout for other launches";
    memory->awaited = memory->awaited ? memory->awaited : CLOPT_FEWEST_READS;
    memory->reads += memory->reads <= memory->awaited;
    return permuted || memory->reads > memory->awaited
               ? NULL
               : "a buffer was not read often enough yet to get another layout";
}

const char *clopt_layouts_check(const struct clopt_replacement *made)
{
    const struct clopt_ndrange_change *change = &made->winner->change;
    uint64_t queue = clopt_queue_in_order(made->launch->queue);
    const char *reason = NULL;
    if (blind || clopt_loaders_are_others())
        return "the layer does not see all that writes buffers, to which its winner gives another "
               "layout";
    if (!queue)
        return "its queue is out of order";
    clopt_layer_lock();
    for (size_t i = 0; i < change->layout_count; i++) {
        const char *own = clopt_winner_reads(made->winner, change->layouts[i].argument)
                              ? check_buffer(find_buffer(made, i), queue, &made->shapes[i])
                              : "it writes a buffer, to which its winner gives another layout";
        reason = reason ? reason : own;
    }
    clopt_layer_unlock();
    return reason;
}

/* Whether there is room for a copy beside all buffers. */
static bool has_room(const struct clopt_replacement *made, size_t bytes)
{
    cl_device_id device = NULL;
    cl_ulong most = 0;
    clopt_next->clGetCommandQueueInfo(made->launch->queue, CL_QUEUE_DEVICE, sizeof device, &device,
                                      NULL);
    clopt_next->clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof most, &most, NULL);
    clopt_layer_lock();
    bool fits = all_bytes + bytes <= most / MOST_MEMORY;
    clopt_layer_unlock();
    return fits;
}

/* Makes a copy, and waits for it: what failed would be found by launches alone. NULL: it cannot. */
static cl_mem make_copy(const struct clopt_replacement *made, size_t layout)
{
    const struct clopt_layout_shape *shape = &made->shapes[layout];
    unsigned argument = made->winner->change.layouts[layout].argument;
    cl_event event = NULL;
    clopt_handles_release(); /* copies that were given up, before there are more */
    clopt_queues_flush();    /* what it has to wait for may be behind others */
    cl_mem to = has_room(made, clopt_permute_bytes(shape)) ? make_buffer(made, shape) : NULL;
    bool good = to &&
                permute(made, shape, made->arguments[argument].memory.object.handle, to, &event) &&
                clopt_next->clWaitForEvents(1, &event) == CL_SUCCESS;
    if (event)
        clopt_next->clReleaseEvent(event);
    if (good || !to)
        return to;
    clopt_next->clReleaseMemObject(to);
    return NULL;
}

/* Makes the copy of a buffer, and puts it beside that. */
static bool add_copy(struct clopt_replacement *made, size_t layout, uint64_t version)
{
    cl_mem own = make_copy(made, layout);
    struct clopt_permuted *permuted = own ? malloc(sizeof *permuted) : NULL;
    if (permuted)
        *permuted = (struct clopt_permuted){.memory = own,
                                            .shape = made->shapes[layout],
                                            .queue = clopt_queue_in_order(made->launch->queue),
                                            .references = 2};
    else if (own)
        clopt_next->clReleaseMemObject(own);
    clopt_layer_lock();
    struct clopt_memory *memory = find_buffer(made, layout);
    if (memory && permuted && memory->version == version) {
        clopt_permuted_drop(memory->permuted);
        memory->permuted = permuted;
        all_bytes += clopt_permute_bytes(&permuted->shape);
        made->held[layout] = permuted;
        made->permuted[layout] = own;
    } else if (permuted) { /* it may have been written since */
        clopt_handle_leave(CLOPT_MEMORY, own);
        free(permuted);
    } else if (memory) {
        memory->barred = "there is no memory for a buffer in another layout";
    }
    clopt_layer_unlock();
    return made->held[layout];
}

/* Takes the copy of a buffer, which it makes where there is none that holds what that does. */
static bool take_copy(struct clopt_replacement *made, size_t layout)
{
    clopt_layer_lock();
    const struct clopt_memory *memory = find_buffer(made, layout);
    struct clopt_permuted *there = memory ? memory->permuted : NULL;
    uint64_t version = memory ? memory->version : 0;
    if (there && memcmp(&there->shape, &made->shapes[layout], sizeof there->shape) == 0) {
        there->used++;
        there->references++;
        made->held[layout] = there;
        made->permuted[layout] = there->memory;
    }
    clopt_layer_unlock();
    return made->held[layout] ||
           (memory && clopt_capture_may_wait() && add_copy(made, layout, version));
}

const char *clopt_layouts_take(struct clopt_replacement *made)
{
    bool taken = true;
    pthread_mutex_lock(&permuting);
    for (size_t i = 0; i < made->winner->change.layout_count && taken; i++)
        taken = take_copy(made, i);
    pthread_mutex_unlock(&permuting);
    return taken ? NULL : "a buffer cannot be copied in another layout";
}
