/* SPDX-License-Identifier: BSD-3-Clause */
/* Captures launches: what their arguments are, what is in buffers before, and what is after. The
 * application waits for it, so that nothing of it changes a buffer in between; where that could
 * wait for ever, nothing is captured. */
#include "layer/capture.h"

#include <errno.h>
#include <unistd.h>

#define CHUNK        ((size_t)1 << 20)
#define MOST_SIZES   8 /* of a kernel that are told apart */
#define MOST_KERNELS 256
#define MOST_IDLE    1024 /* launches that change nothing, of a kernel and its sizes */

static struct clopt_capture_sizes sizes[MOST_KERNELS * MOST_SIZES];
static size_t size_count;
static unsigned next_number;
static _Atomic uint64_t launches_begun;
static _Atomic int open_gates; /* user events that nothing has set yet */

bool clopt_capture_may_wait(void)
{
    return open_gates == 0;
}

void clopt_capture_count_launch(void)
{
    launches_begun++;
}

/* ---- whether, and why not ---- */

static uint64_t hash_of(const struct clopt_capture *capture)
{
    const struct clopt_launch *launch = capture->launch;
    uint64_t hash = launch->dimensions;
    for (cl_uint d = 0; d < launch->dimensions; d++) {
        hash = hash * 1000003 ^ launch->global[d];
        hash = hash * 1000003 ^ (launch->local ? launch->local[d] : 0);
    }
    for (size_t i = 0; i < capture->count; i++)
        hash = hash * 1000003 ^ capture->arguments[i].memory.bytes;
    return hash;
}

/* Finds how often the kernel was captured with these sizes, with the lock held; NULL: there are too
 * many of them. */
static struct clopt_capture_sizes *find_sizes(const struct clopt_capture *capture)
{
    uint64_t hash = hash_of(capture);
    size_t of_kernel = 0;
    for (size_t i = 0; i < size_count; i++) {
        if (sizes[i].row == capture->row && sizes[i].hash == hash)
            return &sizes[i];
        of_kernel += sizes[i].row == capture->row;
    }
    if (of_kernel == MOST_SIZES || size_count == sizeof sizes / sizeof *sizes)
        return NULL;
    sizes[size_count] = (struct clopt_capture_sizes){.row = capture->row, .hash = hash};
    return &sizes[size_count++];
}

/* Says why a launch cannot be captured; NULL: it can. */
static const char *find_obstacle(const struct clopt_capture *capture,
                                 const struct clopt_kernel_object *kernel)
{
    const struct clopt_launch *launch = capture->launch;
    const char *missing = clopt_program_obstacle(capture->program);
    if (missing)
        return missing;
    if (!clopt_kernel_is_known(kernel))
        return "its program was built again after the kernel was made";
    if (kernel->uses_svm)
        return "it uses shared virtual memory";
    if (open_gates > 0)
        return "a user event was not set yet, for which the launch may wait";
    for (cl_uint d = 0; launch->offset && d < launch->dimensions; d++)
        if (launch->offset[d])
            return "it has a global offset, which no study has";
    for (size_t i = 0; i < capture->count; i++) {
        const struct clopt_argument_copy *argument = &capture->arguments[i];
        if (argument->value.is_svm && !argument->has_data)
            return "an argument is shared virtual memory that clSVMAlloc() has not made";
        if (argument->memory.object.handle && !argument->has_data)
            return "an argument is a pipe, or an image of a kind that studies do not have: part of "
                   "a "
                   "buffer, an array, or with other channels than R, RG and RGBA";
        if (argument->memory.type[0] && clopt_row_bytes(&argument->memory) > CHUNK)
            return "an argument is an image with too long rows";
        if (argument->is_sampler && !argument->sampler[0])
            return "an argument is a sampler that studies do not have";
    }
    return NULL;
}

/* Takes what is known of a launch; false: it is not wanted, or cannot be captured. */
static bool look_at(struct clopt_capture *capture)
{
    const struct clopt_launch *launch = capture->launch;
    const struct clopt_record *record = clopt_record_get();
    const char *obstacle = NULL;
    bool wanted = launch->dimensions >= 1 && launch->dimensions <= 3 && launch->global;
    clopt_layer_lock();
    const struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, launch->kernel);
    wanted = wanted && kernel &&
             (!record->kernel[0] || strcmp(record->kernel, kernel->name) == 0) &&
             clopt_arguments_copy(kernel, &capture->arguments, &capture->count);
    capture->seen = wanted ? find_sizes(capture) : NULL;
    wanted = capture->seen && capture->seen->count < record->launches &&
             capture->seen->idle < MOST_IDLE && capture->seen->idle_bytes <= record->limit_bytes;
    if (wanted) {
        capture->number = next_number++;
        capture->buffer_bytes = clopt_buffer_bytes(kernel);
        capture->program = kernel->program;
        if (capture->program)
            capture->program->object.references++;
        obstacle = find_obstacle(capture, kernel);
    }
    clopt_layer_unlock();
    if (obstacle)
        clopt_record_omit(&capture->row->left_out, "%s", obstacle);
    return wanted && !obstacle;
}

/* Takes the bytes of all buffers, before and after, from those that are allowed. */
static bool reserve(struct clopt_capture *capture)
{
    struct clopt_record *record = clopt_record_get();
    for (size_t i = 0; i < capture->count; i++)
        capture->reserved +=
            2 * (capture->arguments[i].has_data ? capture->arguments[i].memory.bytes : 0);
    uint64_t wanted = capture->reserved, used = record->used_bytes += wanted;
    if (used <= record->limit_bytes)
        return true;
    record->used_bytes -= wanted;
    capture->reserved = 0;
    clopt_record_omit(&capture->row->left_out,
                      "its buffers would take %" PRIu64 " bytes, before and after, of the %" PRIu64
                      " that --limit leaves",
                      wanted, record->limit_bytes - (used - wanted));
    return false;
}

/* ---- buffers ---- */

/* How many bytes to take at once: of an image whole rows of one plane. */
static size_t chunk_size(const struct clopt_memory *memory, size_t at)
{
    size_t left = memory->bytes - at;
    if (memory->kind == CLOPT_IMAGE) {
        size_t row = clopt_row_bytes(memory), height = memory->size[1] ? memory->size[1] : 1;
        size_t of_plane = (height - at / row % height) * row;
        return of_plane < CHUNK ? of_plane : CHUNK / row * row;
    }
    return left < CHUNK ? left : CHUNK;
}

static cl_int read_chunk(const struct clopt_capture *capture, size_t index, size_t at, size_t bytes,
                         const cl_event *after)
{
    const struct clopt_launch *launch = capture->launch;
    return clopt_memory_read(&(struct clopt_reading){.queue = launch->queue,
                                                     .memory = &capture->arguments[index].memory,
                                                     .at = at,
                                                     .bytes = bytes,
                                                     .data = capture->chunk,
                                                     .wait_count = after ? 1 : launch->wait_count,
                                                     .wait_for = after ? after
                                                                 : launch->wait_count
                                                                     ? launch->wait_for
                                                                     : NULL});
}

/* Compares a chunk with what was there before. */
static bool is_changed(const struct clopt_capture *capture, int before, size_t at, size_t bytes)
{
    size_t got = 0;
    while (got < bytes) {
        ssize_t more = pread(before, capture->other_chunk + got, bytes - got, (off_t)(at + got));
        if (more <= 0)
            return true;
        got += (size_t)more;
    }
    return memcmp(capture->chunk, capture->other_chunk, bytes) != 0;
}

/* Writes what is in a buffer to a file; `after` is the event of the launch, NULL before it. False:
 * that could not be done, and why has been said. */
static bool copy_buffer(struct clopt_capture *capture, size_t index, const cl_event *after)
{
    struct clopt_argument_copy *argument = &capture->arguments[index];
    char ending[64], before_ending[64];
    cl_int result = CL_SUCCESS;
    snprintf(before_ending, sizeof before_ending, "-%zu.before", index);
    snprintf(ending, sizeof ending, "-%zu.%s", index, after ? "after" : "before");
    int file = clopt_capture_open(capture, ending, true), failure = file < 0 ? errno : 0;
    int before = after ? clopt_capture_open(capture, before_ending, false) : -1;
    for (size_t at = 0, bytes; at < argument->memory.bytes && !failure && !result; at += bytes) {
        bytes = chunk_size(&argument->memory, at);
        result = read_chunk(capture, index, at, bytes, after);
        if (!result && after)
            argument->changed |= is_changed(capture, before, at, bytes);
        failure = result ? 0 : clopt_capture_write(file, capture->chunk, bytes);
    }
    if (file >= 0)
        close(file);
    if (before >= 0)
        close(before);
    if (after && !argument->changed)
        clopt_capture_remove(capture, ending);
    if (result)
        clopt_record_omit(&capture->row->left_out,
                          "argument %zu: cannot be read: error %d of clEnqueueRead%s", index,
                          result, argument->memory.kind == CLOPT_IMAGE ? "Image" : "Buffer");
    else if (failure)
        clopt_record_omit(&capture->row->left_out, "argument %zu: cannot be written: %s", index,
                          strerror(failure));
    return !result && !failure;
}

static bool copy_buffers(struct clopt_capture *capture, const cl_event *after)
{
    for (size_t i = 0; i < capture->count; i++)
        if (capture->arguments[i].has_data && !copy_buffer(capture, i, after))
            return false;
    return true;
}

/* Whether two buffers share memory of which one has been changed. */
static bool shares(const struct clopt_argument_copy *a, const struct clopt_argument_copy *b)
{
    const struct clopt_memory *m = &a->memory, *n = &b->memory;
    return a->has_data && b->has_data && m->parent == n->parent && (a->changed || b->changed) &&
           m->begin < n->begin + n->bytes && n->begin < m->begin + m->bytes;
}

static bool check_sharing(const struct clopt_capture *capture)
{
    for (size_t i = 0; i < capture->count; i++)
        for (size_t j = 0; j < i; j++)
            if (shares(&capture->arguments[i], &capture->arguments[j])) {
                clopt_record_omit(&capture->row->left_out,
                                  "arguments %zu and %zu share memory that the kernel writes", j,
                                  i);
                return false;
            }
    return true;
}

/* Whether a launch changes nothing, as a search that finds nothing. As many such are kept as
 * were asked for, which say why their kernel has no study; a later launch may have one, unless they
 * are too many or too large. */
static bool is_idle(struct clopt_capture *capture)
{
    bool changed = false;
    for (size_t i = 0; i < capture->count; i++)
        changed |= capture->arguments[i].changed;
    clopt_layer_lock();
    capture->seen->idle += !changed;
    capture->seen->idle_bytes += changed ? 0 : capture->reserved;
    clopt_layer_unlock();
    return !changed;
}

/* ---- the whole ---- */

static void destroy(struct clopt_capture *capture)
{
    if (!capture)
        return;
    clopt_layer_lock();
    clopt_object_drop(capture->program);
    clopt_layer_unlock();
    clopt_arguments_free(capture->arguments, capture->count);
    free(capture->chunk);
    free(capture->other_chunk);
    free(capture);
}

/* Removes the files of a launch, or those that it does not need, and gives back what it reserved.
 */
static void clean_up(struct clopt_capture *capture, bool whole)
{
    uint64_t kept = 0;
    for (size_t i = 0; i < capture->count; i++) {
        static const char *const kinds[] = {"before", "after"};
        const struct clopt_argument_copy *argument = &capture->arguments[i];
        char ending[64];
        for (size_t kind = 0; kind < 2 && argument->has_data; kind++) {
            snprintf(ending, sizeof ending, "-%zu.%s", i, kinds[kind]);
            if (whole && (kind == 0 || argument->changed))
                kept += argument->memory.bytes;
            else
                clopt_capture_remove(capture, ending);
        }
    }
    clopt_record_get()->used_bytes -= capture->reserved - kept;
}

struct clopt_capture *clopt_capture_begin(const struct clopt_launch *launch,
                                          struct clopt_record_row *row)
{
    if (!clopt_record_get()->folder[0])
        return NULL;
    struct clopt_capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return NULL;
    capture->launch = launch;
    capture->row = row;
    capture->launches = launches_begun;
    bool taken = look_at(capture) && (capture->chunk = malloc(CHUNK)) &&
                 (capture->other_chunk = malloc(CHUNK)) && reserve(capture);
    if (taken) {
        clopt_queues_flush();
        taken = copy_buffers(capture, NULL);
        if (!taken)
            clean_up(capture, false);
    }
    if (taken)
        return capture;
    destroy(capture);
    return NULL;
}

void clopt_capture_end(struct clopt_capture *capture, cl_event event)
{
    bool whole = event != NULL;
    if (whole && launches_begun != capture->launches + 1) {
        clopt_record_omit(&capture->row->left_out,
                          "another thread launched a kernel at the same time");
        whole = false;
    }
    whole = whole && copy_buffers(capture, &event) && check_sharing(capture);
    bool idle = whole && is_idle(capture);
    whole = whole && (!idle || capture->seen->idle <= clopt_record_get()->launches);
    if (whole) {
        whole = clopt_capture_describe(capture);
        if (!whole)
            clopt_record_omit(&capture->row->left_out, "the folder has no room");
    }
    clean_up(capture, whole);
    if (whole) {
        clopt_layer_lock();
        capture->seen->count += !idle;
        capture->row->captured++;
        clopt_layer_unlock();
    }
    destroy(capture);
}

/* ---- user events ---- */

static CL_API_ENTRY cl_event CL_API_CALL create_user_event(cl_context context, cl_int *result)
{
    cl_event made = clopt_next->clCreateUserEvent(context, result);
    open_gates += made != NULL;
    return made;
}

static CL_API_ENTRY cl_int CL_API_CALL set_user_event(cl_event event, cl_int status)
{
    cl_int result = clopt_next->clSetUserEventStatus(event, status);
    open_gates -= result == CL_SUCCESS;
    return result;
}

void clopt_captures_install(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateUserEvent = create_user_event;
    dispatch->clSetUserEventStatus = set_user_event;
}
