/* SPDX-License-Identifier: BSD-3-Clause */
/* Command queues: the layer lets each tell the times of its commands, and the application sees the
 * properties that it asked for. */
#include "layer/apply.h"

#include "library/kept.h"

static _Atomic uint64_t queue_count;

static void fini_queue(struct clopt_object *object)
{
    free(((struct clopt_command_queue *)object)->properties);
}

static void name_device(struct clopt_command_queue *queue, cl_device_id device)
{
    cl_platform_id platform = NULL;
    const struct clopt_program_calls calls = clopt_replacement_calls();
    if (clopt_record_get()->winners[0])
        clopt_kept_family(&calls, device, queue->family);
    clopt_next->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof queue->device - 1, queue->device,
                                NULL);
    if (clopt_next->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) ==
        CL_SUCCESS)
        clopt_next->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof queue->platform - 1,
                                      queue->platform, NULL);
}

static void note(cl_command_queue made, cl_device_id device, bool profiles, bool timed,
                 const cl_queue_properties *properties)
{
    struct clopt_command_queue *queue = calloc(1, sizeof *queue);
    if (queue) {
        queue->object.fini = fini_queue;
        queue->number = ++queue_count;
        queue->profiles = profiles;
        queue->timed = timed;
        while (properties && properties[queue->property_count])
            queue->property_count += 2;
        queue->property_count += properties != NULL;
        size_t bytes = queue->property_count * sizeof *properties;
        queue->properties = properties ? malloc(bytes) : NULL;
        if (queue->properties)
            memcpy(queue->properties, properties, bytes);
        name_device(queue, device);
    }
    clopt_object_add(CLOPT_QUEUE, made, queue);
}

static CL_API_ENTRY cl_command_queue CL_API_CALL create_queue(cl_context context,
                                                              cl_device_id device,
                                                              cl_command_queue_properties asked,
                                                              cl_int *result)
{
    bool untimed = clopt_record_get()->untimed, asks = asked & CL_QUEUE_PROFILING_ENABLE;
    bool adds = !untimed && !asks;
    cl_command_queue made = adds ? clopt_next->clCreateCommandQueue(
                                       context, device, asked | CL_QUEUE_PROFILING_ENABLE, result)
                                 : NULL;
    bool profiles = made != NULL;
    if (!made)
        made = clopt_next->clCreateCommandQueue(context, device, asked, result);
    if (made)
        note(made, device, profiles, profiles || (asks && !untimed), NULL);
    return made;
}

/* Copies properties and lets the queue profile; NULL: it does already, or it is a device's own. */
static cl_queue_properties *add_profiling(const cl_queue_properties *asked)
{
    size_t count = 0, at = 0;
    cl_queue_properties bits = 0;
    bool there = false;
    for (; asked && asked[count]; count += 2)
        if (asked[count] == CL_QUEUE_PROPERTIES) {
            there = true;
            at = count;
            bits = asked[count + 1];
        }
    if (bits & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE))
        return NULL;
    cl_queue_properties *more = calloc(count + 3, sizeof *more);
    if (!more)
        return NULL;
    if (count)
        memcpy(more, asked, count * sizeof *more);
    at = there ? at : count;
    more[at] = CL_QUEUE_PROPERTIES;
    more[at + 1] = bits | CL_QUEUE_PROFILING_ENABLE;
    return more;
}

static bool asks_for_times(const cl_queue_properties *asked)
{
    for (; asked && asked[0]; asked += 2)
        if (asked[0] == CL_QUEUE_PROPERTIES && asked[1] & CL_QUEUE_PROFILING_ENABLE)
            return true;
    return false;
}

static CL_API_ENTRY cl_command_queue CL_API_CALL create_queue_with_properties(
    cl_context context, cl_device_id device, const cl_queue_properties *asked, cl_int *result)
{
    bool untimed = clopt_record_get()->untimed;
    cl_queue_properties *more = untimed ? NULL : add_profiling(asked);
    cl_command_queue made =
        more ? clopt_next->clCreateCommandQueueWithProperties(context, device, more, result) : NULL;
    bool profiles = made != NULL;
    free(more);
    if (!made)
        made = clopt_next->clCreateCommandQueueWithProperties(context, device, asked, result);
    if (made)
        note(made, device, profiles, profiles || (asks_for_times(asked) && !untimed), asked);
    return made;
}

/* Finds what a queue answers instead of its driver; false: nothing. */
static bool is_changed(cl_command_queue handle)
{
    clopt_layer_lock();
    const struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, handle);
    bool profiles = queue && queue->profiles;
    clopt_layer_unlock();
    return profiles;
}

/* Answers CL_QUEUE_PROPERTIES_ARRAY by what the application has given. */
static cl_int get_array(cl_command_queue handle, size_t size, void *value, size_t *needed)
{
    cl_int result = CL_SUCCESS;
    clopt_layer_lock();
    const struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, handle);
    size_t bytes = queue ? queue->property_count * sizeof *queue->properties : 0;
    if (value && size < bytes)
        result = CL_INVALID_VALUE;
    else if (value && bytes && queue->properties)
        memcpy(value, queue->properties, bytes);
    if (!result && needed)
        *needed = bytes;
    clopt_layer_unlock();
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL get_queue_info(cl_command_queue queue,
                                                      cl_command_queue_info name, size_t size,
                                                      void *value, size_t *needed)
{
    size_t unused;
    bool changed =
        (name == CL_QUEUE_PROPERTIES || name == CL_QUEUE_PROPERTIES_ARRAY) && is_changed(queue);
    if (changed && name == CL_QUEUE_PROPERTIES_ARRAY) {
        cl_int known = clopt_next->clGetCommandQueueInfo(queue, name, 0, NULL, &unused);
        return known == CL_SUCCESS ? get_array(queue, size, value, needed) : known;
    }
    cl_int result = clopt_next->clGetCommandQueueInfo(queue, name, size, value, needed);
    if (changed && value && result == CL_SUCCESS) {
        cl_command_queue_properties bits;
        memcpy(&bits, value, sizeof bits);
        bits &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
        memcpy(value, &bits, sizeof bits);
    }
    return result;
}

/* An old call that few drivers know: what the application asks for becomes true. */
static CL_API_ENTRY cl_int CL_API_CALL set_queue_property(cl_command_queue handle,
                                                          cl_command_queue_properties properties,
                                                          cl_bool enable,
                                                          cl_command_queue_properties *old)
{
    bool changed = is_changed(handle);
    cl_int result = clopt_next->clSetCommandQueueProperty(handle, properties, enable, old);
    if (result != CL_SUCCESS)
        return result;
    if (changed && old)
        *old &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    clopt_layer_lock();
    struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, handle);
    if (queue && properties & CL_QUEUE_PROFILING_ENABLE) {
        queue->profiles = false;
        queue->timed = enable && !clopt_record_get()->untimed;
    }
    clopt_layer_unlock();
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL get_times(cl_event event, cl_profiling_info name,
                                                 size_t size, void *value, size_t *needed)
{
    cl_command_queue queue = NULL;
    if (clopt_next->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) ==
            CL_SUCCESS &&
        queue && is_changed(queue))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return clopt_next->clGetEventProfilingInfo(event, name, size, value, needed);
}

#define MOST_FLUSHED 64

static cl_int retain_queue(void *handle)
{
    return clopt_next->clRetainCommandQueue(handle);
}

void clopt_queues_flush(void)
{
    void *queues[MOST_FLUSHED];
    size_t count = clopt_object_retain_all(CLOPT_QUEUE, queues, MOST_FLUSHED, retain_queue);
    for (size_t i = 0; i < count; i++) {
        clopt_next->clFlush(queues[i]);
        clopt_next->clReleaseCommandQueue(queues[i]);
    }
}

void clopt_queues_install(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateCommandQueue = create_queue;
    dispatch->clCreateCommandQueueWithProperties = create_queue_with_properties;
    dispatch->clGetCommandQueueInfo = get_queue_info;
    dispatch->clSetCommandQueueProperty = set_queue_property;
    dispatch->clGetEventProfilingInfo = get_times;
}
