/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches winners of a study in the place of an application's kernels; where a launch does not fit
 * the winner, the kernel itself is launched, and that is counted. */
#include "layer/layer.h"

#include <math.h>
#include <pthread.h>

#include "file/sha256.h"
#include "library/winner.h"

/* A launch of a winner. */
struct replacement {
    const struct clopt_launch *launch;
    struct clopt_winner *winner;
    struct clopt_record_row *row;
    struct clopt_kernel_object *kernel; /* kept */
    struct clopt_argument_copy *arguments;
    size_t count;
    struct clopt_winner_launch sizes;
};

static struct clopt_wisdom *wisdom;                         /* NULL: without winners */
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER; /* of a winner's arguments */

/* ---- whether a launch fits ---- */

/* Maps the launch; returns why it does not fit, or NULL. */
static const char *map(struct replacement *made)
{
    const struct clopt_launch *launch = made->launch;
    for (cl_uint d = 0; launch->offset && d < launch->dimensions; d++)
        if (launch->offset[d])
            return "it has a global offset";
    return launch->is_task ? "it has other dimensions"
                           : clopt_winner_map(made->winner, launch->dimensions, launch->global,
                                              launch->local, &made->sizes);
}

static int64_t integer_of(const struct clopt_argument_copy *argument)
{
    int64_t value = 0;
    if (argument->value.bytes <= sizeof value)
        memcpy(&value, argument->value.small, argument->value.bytes);
    return value;
}

/* Returns why the arguments do not fit, or NULL. */
static const char *check_arguments(const struct replacement *made)
{
    const struct clopt_winner *winner = made->winner;
    if (made->count != strlen(winner->types))
        return "an argument is not known";
    for (size_t i = 0; i < made->count; i++) {
        const struct clopt_argument_copy *a = &made->arguments[i];
        if (!a->value.set || (a->value.is_svm && !a->has_data))
            return "an argument is not known";
        for (size_t j = 0; j < i && winner->distinct_buffers && a->memory.object.handle; j++)
            if (made->arguments[j].memory.object.handle &&
                made->arguments[j].memory.parent == a->memory.parent)
                return "two arguments share memory";
    }
    for (size_t i = 0; i < winner->multiples.count; i++) {
        const struct clopt_winner_pair *multiple = &winner->multiples.items[i];
        if (multiple->number >= made->count || !multiple->value ||
            integer_of(&made->arguments[multiple->number]) % (int64_t)multiple->value)
            return "an argument is not a multiple of what its winner needs";
    }
    for (size_t i = 0; i < winner->covers.count; i++) {
        const struct clopt_winner_pair *covers = &winner->covers.items[i];
        size_t d = covers->value - 1;
        const struct clopt_winner_size *size = &winner->sizes[d < 3 ? d : 0];
        size_t local = made->launch->local ? made->launch->local[d < 3 ? d : 0] : size->local;
        size_t items = size->local_size ? size->local_size : local;
        if (covers->number >= made->count || d >= made->launch->dimensions || !items ||
            integer_of(&made->arguments[covers->number]) <
                (int64_t)((made->launch->global[d] + items - 1) / items * items))
            return "an argument is less than the work-items that its winner needs it for";
    }
    return NULL;
}

/* Finds the winner of a kernel for a launch, unless the last one was of the same size; the layer's
 * lock is held. */
static void find_winner(struct clopt_kernel_object *kernel, const struct replacement *made)
{
    struct clopt_program *program = kernel->program;
    const struct clopt_launch *launch = made->launch;
    struct clopt_wanted wanted = {.kernel = kernel->name, .device = made->row->device};
    for (cl_uint d = 0; d < launch->dimensions && d < 3; d++)
        wanted.global[d] = launch->global ? launch->global[d] : 0;
    if (!program->source || (kernel->winner_known && memcmp(kernel->winner_global, wanted.global,
                                                            sizeof wanted.global) == 0))
        return;
    if (!program->source_hash[0])
        clopt_sha256_bytes(program->source, strlen(program->source), program->source_hash);
    wanted.options = program->options;
    kernel->winner = clopt_wisdom_find_hash(wisdom, &wanted, program->source_hash);
    kernel->winner_known = true;
    memcpy(kernel->winner_global, wanted.global, sizeof wanted.global);
}

/* Looks whether there is a winner for a launch, and keeps what it needs. */
static bool look_at(struct replacement *made, const char **obstacle)
{
    clopt_layer_lock();
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, made->launch->kernel);
    bool known = kernel && clopt_kernel_is_known(kernel);
    if (known)
        find_winner(kernel, made);
    made->winner = known ? kernel->winner : NULL;
    bool there = made->winner && strcmp(made->winner->device, made->row->device) == 0;
    if (there) {
        snprintf(made->row->winner.variant, sizeof made->row->winner.variant, "%s",
                 made->winner->variant);
        made->kernel = kernel;
        kernel->object.references++;
        there = clopt_arguments_copy(kernel, &made->arguments, &made->count);
        *obstacle = kernel->uses_svm ? "it uses shared virtual memory" : made->winner->failure;
    }
    clopt_layer_unlock();
    return there;
}

/* ---- the winner's kernel ---- */

static cl_program build(const struct replacement *made)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    const char *code = made->winner->code;
    if (clopt_next->clGetKernelInfo(made->launch->kernel, CL_KERNEL_CONTEXT, sizeof context,
                                    &context, NULL) != CL_SUCCESS ||
        clopt_next->clGetCommandQueueInfo(made->launch->queue, CL_QUEUE_DEVICE, sizeof device,
                                          &device, NULL) != CL_SUCCESS)
        return NULL;
    cl_program program = clopt_next->clCreateProgramWithSource(context, 1, &code, NULL, NULL);
    if (program && clopt_next->clBuildProgram(program, 1, &device, made->winner->build, NULL,
                                              NULL) == CL_SUCCESS)
        return program;
    if (program)
        clopt_next->clReleaseProgram(program);
    return NULL;
}

/* Returns the winner's kernel, which it makes once for each kernel of the application; the program
 * is built once for each of its programs. NULL: it cannot be built. `setting` is locked. */
static cl_kernel find_kernel(const struct replacement *made)
{
    struct clopt_program *program = made->kernel->program;
    struct clopt_built *built = program->built;
    struct clopt_kernel_object *kernel = made->kernel;
    if (kernel->winner_kernel && kernel->winner_built == made->winner)
        return kernel->winner_kernel;
    while (built && built->winner != made->winner)
        built = built->next;
    if (!built && (built = calloc(1, sizeof *built))) {
        built->winner = made->winner;
        built->program = build(made);
        clopt_layer_lock();
        built->next = program->built;
        program->built = built;
        clopt_layer_unlock();
    }
    clopt_layer_lock();
    clopt_handle_leave(CLOPT_KERNEL, kernel->winner_kernel); /* of a winner for another size */
    clopt_layer_unlock();
    kernel->winner_kernel =
        built && built->program
            ? clopt_next->clCreateKernel(built->program, made->winner->kernel, NULL)
            : NULL;
    kernel->winner_built = made->winner;
    return kernel->winner_kernel;
}

static bool set_arguments(const struct replacement *made, cl_kernel kernel)
{
    for (size_t i = 0; i < made->count; i++) {
        const struct clopt_argument *value = &made->arguments[i].value;
        const void *bytes = value->large ? value->large : value->small;
        void *pointer;
        memcpy(&pointer, value->small, sizeof pointer);
        cl_int result = value->is_svm
                            ? clopt_next->clSetKernelArgSVMPointer(kernel, (cl_uint)i, pointer)
                            : clopt_next->clSetKernelArg(kernel, (cl_uint)i, value->bytes,
                                                         value->is_null ? NULL : bytes);
        if (result != CL_SUCCESS)
            return false;
    }
    for (size_t i = 0; i < made->sizes.added_count; i++) {
        cl_ulong value = made->sizes.added[i];
        if (clopt_next->clSetKernelArg(kernel, (cl_uint)(made->count + i), sizeof value, &value) !=
            CL_SUCCESS)
            return false;
    }
    return true;
}

/* Launches the winner; returns why that cannot be done, or NULL. */
static const char *launch_winner(const struct replacement *made, cl_uint wait_count,
                                 const cl_event *wait_for, cl_event *event)
{
    const char *failure = NULL;
    pthread_mutex_lock(&setting);
    cl_kernel kernel = find_kernel(made);
    if (!kernel)
        failure = "its winner cannot be built";
    else if (!set_arguments(made, kernel))
        failure = "its winner does not take its arguments";
    else if (clopt_next->clEnqueueNDRangeKernel(
                 made->launch->queue, kernel, made->launch->dimensions, NULL, made->sizes.global,
                 made->sizes.local, wait_count, wait_for, event) != CL_SUCCESS)
        failure = "its winner cannot be launched";
    pthread_mutex_unlock(&setting);
    return failure;
}

/* ---- both, compared ---- */

static bool copy(const struct replacement *made, size_t index, unsigned char *bytes, bool back)
{
    const struct clopt_argument_copy *argument = &made->arguments[index];
    return clopt_transfer(&(struct clopt_transfer){.queue = made->launch->queue,
                                                   .argument = argument,
                                                   .back = back,
                                                   .bytes = argument->memory.bytes,
                                                   .data = bytes}) == CL_SUCCESS;
}

static double real_at(char type, const unsigned char *bytes, size_t index)
{
    float single;
    double value;
    if (type == 'd') {
        memcpy(&value, bytes + index * sizeof value, sizeof value);
        return value;
    }
    memcpy(&single, bytes + index * sizeof single, sizeof single);
    return (double)single;
}

/* Whether two buffers are equal, but for rounding where they have real numbers: relative 1e-4, for
 * double 1e-10, to the number or the mean magnitude. */
static bool agree(char type, const unsigned char *a, const unsigned char *b, size_t bytes)
{
    size_t count = bytes / (type == 'd' ? sizeof(double) : sizeof(float));
    double mean = 0, bound = type == 'd' ? 1e-10 : 1e-4;
    if (memcmp(a, b, bytes) == 0)
        return true;
    if (type != 'f' && type != 'd')
        return false;
    for (size_t i = 0; i < count; i++) {
        double x = real_at(type, a, i);
        mean += isfinite(x) ? fabs(x) / (double)count : 0;
    }
    for (size_t i = 0; i < count; i++) {
        double x = real_at(type, a, i), y = real_at(type, b, i);
        bool same = x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= bound * fmax(fabs(x), mean);
        if (!same)
            return false;
    }
    return true;
}

/* Copies all buffers of a launch: to the host, or back. */
static bool copy_all(const struct replacement *made, unsigned char **buffers, bool back)
{
    bool whole = true;
    for (size_t i = 0; i < made->count; i++) {
        const struct clopt_argument_copy *argument = &made->arguments[i];
        if (!argument->has_data)
            continue;
        if (!back && !(buffers[i] = malloc(argument->memory.bytes)))
            return false;
        whole = copy(made, i, buffers[i], back) && whole;
    }
    return whole;
}

static void free_all(unsigned char **buffers, size_t count)
{
    for (size_t i = 0; buffers && i < count; i++)
        free(buffers[i]);
    free(buffers);
}

/* Launches the winner on what the kernel was given, and compares what both leave. The buffers keep
 * what the kernel has left. Returns why they cannot be compared, or what differs, or NULL. */
static const char *compare(const struct replacement *made, unsigned char **before,
                           unsigned char **after, unsigned char **others)
{
    cl_event event = NULL;
    const char *failure = NULL;
    if (!copy_all(made, after, false))
        return "its buffers cannot be copied to check the winner";
    failure = copy_all(made, before, true) ? launch_winner(made, 0, NULL, &event)
                                           : "its buffers cannot be written to check the winner";
    if (!failure &&
        (clopt_next->clWaitForEvents(1, &event) != CL_SUCCESS || !copy_all(made, others, false)))
        failure = "its winner fails";
    if (event)
        clopt_next->clReleaseEvent(event);
    for (size_t i = 0; i < made->count && !failure; i++)
        if (made->arguments[i].has_data &&
            !agree(made->winner->types[i], after[i], others[i], made->arguments[i].memory.bytes))
            failure = "its winner computes something else: it is not launched any more";
    return copy_all(made, after, true) || failure ? failure : "its buffers cannot be written back";
}

static cl_int launch_itself(const struct clopt_launch *launch, cl_event *event)
{
    return clopt_next->clEnqueueNDRangeKernel(launch->queue, launch->kernel, launch->dimensions,
                                              launch->offset, launch->global, launch->local,
                                              launch->wait_count, launch->wait_for, event);
}

/* Launches the kernel, as the application has asked, and then its winner to compare. */
static const char *launch_both(const struct replacement *made, cl_event *event, cl_int *result)
{
    const struct clopt_launch *launch = made->launch;
    unsigned char **contents[3];
    const char *failure = NULL;
    cl_event done = NULL, *told = event ? event : &done;
    for (size_t i = 0; i < 3; i++)
        contents[i] = calloc(made->count + 1, sizeof **contents);
    clopt_queues_flush();
    bool ready =
        contents[0] && contents[1] && contents[2] &&
        (!launch->wait_count ||
         clopt_next->clWaitForEvents(launch->wait_count, launch->wait_for) == CL_SUCCESS) &&
        clopt_next->clFinish(launch->queue) == CL_SUCCESS && copy_all(made, contents[0], false);
    *result = launch_itself(launch, told);
    if (!ready)
        failure = "its buffers cannot be copied to check the winner";
    else if (*result == CL_SUCCESS && clopt_next->clWaitForEvents(1, told) == CL_SUCCESS)
        failure = compare(made, contents[0], contents[1], contents[2]);
    if (done)
        clopt_next->clReleaseEvent(done);
    for (size_t i = 0; i < 3; i++)
        free_all(contents[i], made->count);
    return failure;
}

/* ---- the whole ---- */

void clopt_winners_read(void)
{
    struct clopt_error error = {0};
    const char *path = clopt_record_get()->winners;
    if (*path && clopt_wisdom_open(path, &wisdom, &error))
        fprintf(stderr, "clopt: %s; kernels run as they are\n", error.message);
}

/* Counts what became of a launch. A winner that fails is not tried again in this process. */
static void count(const struct replacement *made, uint64_t *counter, const char *failure)
{
    clopt_layer_lock();
    if (!failure)
        ++*counter;
    else
        made->winner->failure = failure;
    clopt_layer_unlock();
    if (failure)
        clopt_record_omit(&made->row->winner.kept, "%s", failure);
}

static bool launch(struct replacement *made, cl_event *event, cl_int *result)
{
    const uint32_t checks = clopt_record_get()->checks;
    const char *obstacle = map(made);
    if (!obstacle)
        obstacle = check_arguments(made);
    bool is_check = !obstacle && made->row->winner.checked < checks;
    if (is_check && !clopt_capture_may_wait())
        obstacle = "its winner could not be checked yet: a user event was not set";
    if (obstacle) {
        clopt_record_omit(&made->row->winner.kept, "%s", obstacle);
        return false;
    }
    if (is_check) {
        const char *difference = launch_both(made, event, result);
        if (*result == CL_SUCCESS)
            count(made, &made->row->winner.checked, difference);
        return true;
    }
    const char *failure =
        launch_winner(made, made->launch->wait_count, made->launch->wait_for, event);
    *result = failure ? launch_itself(made->launch, event) : CL_SUCCESS;
    if (*result == CL_SUCCESS) /* else the application has asked for what cannot be */
        count(made, &made->row->winner.replaced, failure);
    return true;
}

bool clopt_layer_replace(const struct clopt_launch *asked, struct clopt_record_row *row,
                         cl_event *event, cl_int *result)
{
    struct replacement made = {.launch = asked, .row = row};
    const char *obstacle = NULL;
    if (!wisdom)
        return false;
    bool launched = false, there = look_at(&made, &obstacle);
    if (there && obstacle)
        clopt_record_omit(&row->winner.kept, "%s", obstacle);
    else if (there)
        launched = launch(&made, event, result);
    clopt_layer_lock();
    clopt_object_drop(made.kernel);
    clopt_layer_unlock();
    clopt_arguments_free(made.arguments, made.count);
    return launched;
}
