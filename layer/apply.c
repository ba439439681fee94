/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches winners of a study in the place of an application's kernels; where a launch does not fit
 * the winner, the kernel itself is launched, and that is counted. */
#include "layer/apply.h"

#include <pthread.h>

#include <clopt/memory.h>

#include "library/kept.h"
#include "number/number.h"

static struct clopt_wisdom *wisdom;                         /* NULL: without winners */
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER; /* of a winner's arguments */

/* ---- whether a launch fits ---- */

static int64_t integer_of(const struct clopt_argument_copy *argument)
{
    int64_t value = 0;
    clopt_integer_read(argument->value.small, argument->value.bytes, &value);
    return value;
}

/* Returns the integers of the launch's arguments, which the caller frees. */
static int64_t *read_integers(const struct clopt_replacement *made)
{
    int64_t *integers = clopt_calloc(made->count + 1, sizeof *integers);
    for (size_t i = 0; i < made->count; i++)
        integers[i] = integer_of(&made->arguments[i]);
    return integers;
}

/* Maps the launch; returns why it does not fit, or NULL. */
static const char *map(struct clopt_replacement *made, const int64_t *integers)
{
    const struct clopt_launch *launch = made->launch;
    for (cl_uint d = 0; launch->offset && d < launch->dimensions; d++)
        if (launch->offset[d])
            return "it has a global offset, which no variant is measured with";
    if (launch->is_task)
        return "it has other dimensions";
    CLOPT_FREED uint64_t *bytes = clopt_calloc(made->count + 1, sizeof *bytes);
    for (size_t i = 0; i < made->count; i++)
        if (made->arguments[i].memory.kind == CLOPT_BUFFER)
            bytes[i] = made->arguments[i].memory.bytes;
    return made->count != strlen(made->winner->types)
               ? "an argument is not known"
               : clopt_winner_map_layouts(made->winner, launch->dimensions, launch->global,
                                          launch->local, integers, bytes, &made->sizes,
                                          made->shapes);
}

/* Returns why the arguments do not fit, or NULL. */
static const char *check_arguments(const struct clopt_replacement *made)
{
    const struct clopt_winner *winner = made->winner;
    if (made->count != strlen(winner->types))
        return "an argument is not known";
    for (size_t i = 0; i < made->count; i++) {
        const struct clopt_argument_copy *a = &made->arguments[i];
        if (!a->value.set || (a->value.is_svm && !a->has_data))
            return "an argument is not known";
        for (size_t j = 0; j < i && winner->change.distinct_buffers && a->memory.object.handle; j++)
            if (made->arguments[j].memory.object.handle &&
                made->arguments[j].memory.parent == a->memory.parent)
                return "two arguments share memory";
    }
    return NULL;
}

/* Finds what is launched while the layouts of a winner are not made; NULL: nothing is, or the
 * winner has none. */
static struct clopt_winner *find_plain(const struct clopt_winner *winner,
                                       const struct clopt_wanted *wanted, const char *hash)
{
    struct clopt_wisdom without = *wisdom;
    without.permutes = false;
    struct clopt_winner *plain = winner && winner->change.layout_count
                                     ? clopt_wisdom_find_hash(&without, wanted, hash)
                                     : NULL;
    if (plain && plain->change.layout_count)
        return NULL;
    return plain && strcmp(plain->device, wanted->device) != 0
               ? clopt_sibling_adopt(plain, wanted->device)
               : plain;
}

/* Finds the winner of a kernel for a launch, unless the last one was of the same size and that
 * one's winner fits it, too; the layer's lock is held. False: there is none. */
static bool find_winner(struct clopt_kernel_object *kernel, struct clopt_replacement *made)
{
    bool known = kernel->winner_row == made->row;
    if (known && kernel->winner_never)
        return false;
    const struct clopt_program *program = kernel->program;
    const struct clopt_launch *launch = made->launch;
    const struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, launch->queue);
    struct clopt_wanted wanted = {.kernel = kernel->name,
                                  .device = made->row->device,
                                  .options = program->options,
                                  .family = queue ? queue->family : NULL,
                                  .dimensions = launch->global ? launch->dimensions : 0,
                                  .local = launch->local};
    for (cl_uint d = 0; d < wanted.dimensions && d < 3; d++)
        wanted.global[d] = launch->global[d];
    bool same = known && memcmp(kernel->winner_global, wanted.global, sizeof wanted.global) == 0;
    made->winner = same ? kernel->winner : NULL;
    if ((same && !made->winner) || !clopt_arguments_copy(kernel, &made->arguments, &made->count))
        return false;
    CLOPT_FREED int64_t *integers = read_integers(made);
    wanted.integers = integers;
    if (same && !(made->unfit = map(made, integers)))
        return true;
    kernel->winner = clopt_wisdom_find_hash(wisdom, &wanted, program->source_hash);
    kernel->plain = find_plain(kernel->winner, &wanted, program->source_hash);
    if (kernel->winner && strcmp(kernel->winner->device, wanted.device) != 0)
        kernel->winner = clopt_sibling_adopt(kernel->winner, wanted.device);
    kernel->winner_row = made->row;
    kernel->winner_never =
        !kernel->winner && !clopt_wisdom_has(wisdom, &wanted, program->source_hash);
    memcpy(kernel->winner_global, wanted.global, sizeof wanted.global);
    made->winner = kernel->winner;
    if (made->winner)
        made->unfit = map(made, integers);
    else
        clopt_wisdom_explain(wisdom, &wanted, program->source_hash, made->row->winner.missing,
                             sizeof made->row->winner.missing);
    return made->winner;
}

/* Says why no winner is looked for; NULL: one is. */
static const char *find_obstacle(const struct clopt_kernel_object *kernel)
{
    const char *missing = clopt_program_obstacle(kernel ? kernel->program : NULL);
    return missing ? missing
           : clopt_kernel_is_known(kernel)
               ? NULL
               : "its program was built again after the kernel was made";
}

/* Looks whether there is a winner for a launch, and keeps what it needs. */
static bool look_at(struct clopt_replacement *made, const char **obstacle)
{
    clopt_layer_lock();
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, made->launch->kernel);
    const char *missing = find_obstacle(kernel);
    if (missing)
        snprintf(made->row->winner.missing, sizeof made->row->winner.missing, "%s", missing);
    bool there = !missing && find_winner(kernel, made);
    if (there) {
        snprintf(made->row->winner.variant, sizeof made->row->winner.variant, "%s",
                 made->winner->variant);
        if (made->winner->of)
            snprintf(made->row->winner.sibling, sizeof made->row->winner.sibling, "%s",
                     made->winner->of->device);
        made->kernel = kernel;
        made->plain = kernel->plain;
        kernel->object.references++;
        *obstacle = kernel->uses_svm ? "it uses shared virtual memory" : made->winner->failure;
    }
    clopt_layer_unlock();
    return there;
}

bool clopt_kernel_reads(struct clopt_kernel_object *kernel, size_t argument)
{
    if (!kernel->access_known && !find_obstacle(kernel)) {
        const struct clopt_wanted wanted = {.kernel = kernel->name,
                                            .options = kernel->program->options};
        kernel->access = clopt_wisdom_access(wisdom, &wanted, kernel->program->source_hash);
        kernel->access_known = true;
    }
    return kernel->access && argument < strlen(kernel->access) && kernel->access[argument] == 'r';
}

/* ---- the winner's kernel ---- */

struct clopt_program_calls clopt_replacement_calls(void)
{
    return (struct clopt_program_calls){clopt_next->clCreateProgramWithSource,
                                        clopt_next->clCreateProgramWithBinary,
                                        clopt_next->clBuildProgram,
                                        clopt_next->clGetProgramInfo,
                                        clopt_next->clGetDeviceInfo,
                                        clopt_next->clGetPlatformInfo,
                                        clopt_next->clReleaseProgram};
}

static cl_program build(const struct clopt_replacement *made, const struct clopt_winner *winner,
                        bool *loaded)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    const struct clopt_program_calls calls = clopt_replacement_calls();
    cl_int code = CL_SUCCESS;
    if (clopt_next->clGetKernelInfo(made->launch->kernel, CL_KERNEL_CONTEXT, sizeof context,
                                    &context, NULL) != CL_SUCCESS ||
        clopt_next->clGetCommandQueueInfo(made->launch->queue, CL_QUEUE_DEVICE, sizeof device,
                                          &device, NULL) != CL_SUCCESS)
        return NULL;
    clopt_activity_note(CLOPT_BUILDS, true); /* and not a launch, which it is part of */
    cl_program program = clopt_kept_program(&calls, context, device, winner, loaded, &code);
    clopt_activity_note(CLOPT_BUILDS, false);
    if (!program || code == CL_SUCCESS)
        return program;
    clopt_next->clReleaseProgram(program);
    return NULL;
}

/* Returns a winner as it was built for a program of the application, or builds it; NULL: memory has
 * run out. `setting` is locked. */
static const struct clopt_built *find_built(const struct clopt_replacement *made,
                                            const struct clopt_winner *winner)
{
    struct clopt_program *program = made->kernel->program;
    struct clopt_built *built = program->built;
    while (built && built->winner != winner)
        built = built->next;
    if (built || !(built = calloc(1, sizeof *built)))
        return built;
    built->winner = winner;
    built->program = build(made, winner, &built->loaded);
    clopt_layer_lock();
    built->next = program->built;
    program->built = built;
    clopt_layer_unlock();
    return built;
}

cl_kernel clopt_permuting_kernel(const struct clopt_replacement *made, const char *name)
{
    static const struct clopt_winner permuting = {
        .kernel = "permute", .build = "", .code = clopt_permute_source};
    pthread_mutex_lock(&setting);
    const struct clopt_built *built = find_built(made, &permuting);
    pthread_mutex_unlock(&setting);
    return built && built->program ? clopt_next->clCreateKernel(built->program, name, NULL) : NULL;
}

/* Returns the winner's kernel, which it makes once for each kernel of the application; the program
 * is built once for each of its programs. NULL: it cannot be built. `setting` is locked. */
static cl_kernel find_kernel(const struct clopt_replacement *made)
{
    struct clopt_kernel_object *kernel = made->kernel;
    if (kernel->winner_kernel && kernel->winner_built == made->winner)
        return kernel->winner_kernel;
    const struct clopt_built *built = find_built(made, made->winner);
    clopt_layer_lock();
    clopt_handle_leave(CLOPT_KERNEL, kernel->winner_kernel); /* of a winner for another size */
    clopt_handle_leave(CLOPT_MEMORY, kernel->winner_zeroed);
    kernel->winner_zeroed = NULL;
    clopt_layer_unlock();
    kernel->winner_kernel =
        built && built->program
            ? clopt_next->clCreateKernel(built->program, made->winner->kernel, NULL)
            : NULL;
    kernel->winner_built = made->winner;
    made->row->winner.loaded = built && built->loaded;
    return kernel->winner_kernel;
}

cl_kernel clopt_replacement_kernel(const struct clopt_replacement *made)
{
    pthread_mutex_lock(&setting);
    cl_kernel kernel = find_kernel(made);
    pthread_mutex_unlock(&setting);
    return kernel;
}

bool clopt_arguments_set(const struct clopt_argument_copy *arguments, size_t count,
                         cl_kernel kernel)
{
    for (size_t i = 0; i < count; i++) {
        const struct clopt_argument *value = &arguments[i].value;
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
    return true;
}

uint64_t clopt_queue_in_order(cl_command_queue handle)
{
    cl_command_queue_properties properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    clopt_next->clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                      NULL);
    clopt_layer_lock();
    const struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, handle);
    uint64_t number = queue ? queue->number : 0;
    clopt_layer_unlock();
    return properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? 0 : number;
}

/* Finds the buffer of zeros that the winner of a kernel takes: that of its last launch, if that was
 * on the same queue and is over before this one begins; else another one, which launches that are
 * under way keep. `setting` is locked. */
static cl_mem *find_zeroed(struct clopt_kernel_object *kernel, cl_command_queue queue,
                           uint64_t bytes)
{
    uint64_t number = clopt_queue_in_order(queue);
    cl_context context = NULL;
    if (kernel->winner_zeroed && number && number == kernel->zeroed_queue &&
        bytes <= kernel->zeroed_bytes)
        return &kernel->winner_zeroed;
    if (kernel->winner_zeroed)
        clopt_next->clReleaseMemObject(kernel->winner_zeroed);
    kernel->winner_zeroed = NULL;
    void *zeros = calloc(1, bytes);
    if (zeros && clopt_next->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context,
                                                   &context, NULL) == CL_SUCCESS)
        kernel->winner_zeroed = clopt_next->clCreateBuffer(
            context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, NULL);
    free(zeros);
    kernel->zeroed_bytes = bytes;
    kernel->zeroed_queue = number;
    return kernel->winner_zeroed ? &kernel->winner_zeroed : NULL;
}

/* Sets the buffers that have another layout, and what the winner takes in addition. */
static bool set_added(const struct clopt_replacement *made, cl_kernel kernel)
{
    const struct clopt_ndrange_change *change = &made->winner->change;
    for (size_t i = 0; i < change->layout_count; i++)
        if (clopt_next->clSetKernelArg(kernel, change->layouts[i].argument,
                                       sizeof made->permuted[i], &made->permuted[i]) != CL_SUCCESS)
            return false;
    for (size_t i = 0; i < made->sizes.added_count; i++) {
        cl_ulong number = made->sizes.added[i];
        bool zeroed = made->sizes.zeroed[i];
        size_t bytes = zeroed ? sizeof(cl_mem) : sizeof number;
        const void *value =
            zeroed ? (void *)find_zeroed(made->kernel, made->launch->queue, number) : &number;
        if (!value || clopt_next->clSetKernelArg(kernel, (cl_uint)(made->count + i), bytes,
                                                 value) != CL_SUCCESS)
            return false;
    }
    return true;
}

const char *clopt_replacement_launch(const struct clopt_replacement *made,
                                     const struct clopt_argument_copy *arguments,
                                     cl_uint wait_count, const cl_event *wait_for, cl_event *event)
{
    const char *failure = NULL;
    pthread_mutex_lock(&setting);
    cl_kernel kernel = find_kernel(made);
    if (!kernel)
        failure = "its winner cannot be built";
    else if (!clopt_arguments_set(arguments, made->count, kernel) || !set_added(made, kernel))
        failure = "its winner does not take its arguments";
    else if (clopt_next->clEnqueueNDRangeKernel(
                 made->launch->queue, kernel, made->launch->dimensions, NULL, made->sizes.global,
                 made->sizes.local, wait_count, wait_for, event) != CL_SUCCESS)
        failure = "its winner cannot be launched";
    pthread_mutex_unlock(&setting);
    return failure;
}

/* ---- the whole ---- */

static cl_int launch_itself(const struct clopt_launch *launch, cl_event *event)
{
    return clopt_next->clEnqueueNDRangeKernel(launch->queue, launch->kernel, launch->dimensions,
                                              launch->offset, launch->global, launch->local,
                                              launch->wait_count, launch->wait_for, event);
}

void clopt_winners_read(void)
{
    struct clopt_error error = {0};
    const char *path = clopt_record_get()->winners;
    if (*path && clopt_wisdom_open(path, &wisdom, &error))
        fprintf(stderr, "clopt: %s; kernels run as they are\n", error.message);
    for (size_t i = 0; wisdom && i < wisdom->count; i++)
        if (wisdom->winners[i].change.layout_count)
            clopt_layouts_want();
    if (wisdom)
        wisdom->permutes = true;
}

/* Counts what became of a launch. A winner that fails is not tried again in this process. */
static void count(const struct clopt_replacement *made, uint64_t *counter, const char *failure)
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

static bool launch(struct clopt_replacement *made, cl_event *event, cl_int *result, bool *by_winner)
{
    const uint32_t checks = clopt_record_get()->checks;
    const char *obstacle = made->unfit ? made->unfit : check_arguments(made);
    const bool permutes = made->winner->change.layout_count;
    bool tries = (made->winner->of || permutes) && !made->winner->tried;
    bool is_check = !obstacle && (tries || made->row->winner.checked < checks);
    if (is_check && !clopt_capture_may_wait())
        obstacle = "its winner could not be checked yet: a user event was not set";
    if (obstacle) {
        clopt_record_omit(&made->row->winner.kept, "%s", obstacle);
        return false;
    }
    const char *difference = tries      ? clopt_sibling_try(made)
                             : is_check ? clopt_replacement_check(made)
                                        : NULL;
    if (difference || made->compared) {
        *result = launch_itself(made->launch, event);
        if (*result == CL_SUCCESS)
            count(made, &made->row->winner.checked, difference);
        return true;
    }
    if (permutes && (obstacle = clopt_layouts_take(made))) {
        clopt_record_omit(&made->row->winner.kept, "%s", obstacle);
        return false;
    }
    const char *failure = clopt_replacement_launch(made, made->arguments, made->launch->wait_count,
                                                   made->launch->wait_for, event);
    *by_winner = !failure;
    *result = failure ? launch_itself(made->launch, event) : CL_SUCCESS;
    if (*result == CL_SUCCESS) /* else the application has asked for what cannot be */
        count(made, &made->row->winner.replaced, failure);
    return true;
}

/* Has a launch run what has no other layouts; returns why not even that, or NULL. */
static const char *choose_plain(struct clopt_replacement *made)
{
    CLOPT_FREED int64_t *integers = read_integers(made);
    made->winner = made->plain;
    made->unfit = map(made, integers);
    clopt_layer_lock();
    snprintf(made->row->winner.variant, sizeof made->row->winner.variant, "%s",
             made->winner->variant);
    clopt_layer_unlock();
    return made->kernel->uses_svm ? "it uses shared virtual memory" : made->winner->failure;
}

bool clopt_layer_replace(const struct clopt_launch *asked, struct clopt_record_row *row,
                         cl_event *event, cl_int *result, bool *by_winner)
{
    struct clopt_replacement made = {.launch = asked, .row = row};
    const char *obstacle = NULL;
    if (!wisdom)
        return false;
    bool launched = false, there = look_at(&made, &obstacle);
    if (there && made.winner->change.layout_count) {
        if (!obstacle && !made.unfit)
            obstacle = clopt_layouts_check(&made);
        if ((obstacle || made.unfit) && made.plain)
            obstacle = choose_plain(&made);
    }
    if (there && obstacle)
        clopt_record_omit(&row->winner.kept, "%s", obstacle);
    else if (there)
        launched = launch(&made, event, result, by_winner);
    clopt_layer_lock();
    clopt_object_drop(made.kernel);
    clopt_layer_unlock();
    clopt_layouts_drop(&made);
    clopt_arguments_free(made.arguments, made.count);
    return launched;
}
