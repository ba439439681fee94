/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers, images, samplers and pipes as the application makes them. */
#include "layer/layer.h"

static void fini_memory(struct clopt_object *object)
{
    const struct clopt_memory *memory = (const struct clopt_memory *)object;
    clopt_permuted_drop(memory->permuted);
    clopt_memory_count(memory->bytes, false);
}

static cl_mem note(cl_mem memory, enum clopt_memory_kind kind, size_t bytes)
{
    struct clopt_memory *known = memory ? calloc(1, sizeof *known) : NULL;
    if (known) {
        *known = (struct clopt_memory){.kind = kind, .bytes = bytes, .parent = memory};
        known->object.fini = fini_memory;
        clopt_layer_lock();
        clopt_memory_count(bytes, true);
        clopt_layer_unlock();
    }
    if (memory)
        clopt_object_add(CLOPT_MEMORY, memory, known);
    return memory;
}

/* Takes note of a buffer. What the host has a pointer to, it may write whenever it wants to. */
static cl_mem note_buffer(cl_mem made, cl_mem_flags flags, size_t bytes, bool has_properties)
{
    const cl_mem_flags own = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY |
                             CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                             CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    note(made, CLOPT_BUFFER, bytes);
    if (made && (flags & ~own || has_properties))
        clopt_memory_bar(made, "a buffer is memory of the host, or of somebody else");
    return made;
}

/* ---- images ---- */

/* Names the channels of an image as studies do; "" where they cannot. */
static void name_channels(const cl_image_format *format, char *name, size_t size)
{
    static const struct {
        cl_channel_type type;
        const char *name;
    } types[] = {
        {CL_SIGNED_INT8, "char"},       {CL_SIGNED_INT16, "short"},
        {CL_SIGNED_INT32, "int"},       {CL_UNSIGNED_INT8, "uchar"},
        {CL_UNSIGNED_INT16, "ushort"},  {CL_UNSIGNED_INT32, "uint"},
        {CL_HALF_FLOAT, "half"},        {CL_FLOAT, "float"},
        {CL_UNORM_INT8, "unorm_uchar"}, {CL_UNORM_INT16, "unorm_ushort"},
        {CL_SNORM_INT8, "snorm_char"},  {CL_SNORM_INT16, "snorm_short"},
    };
    cl_channel_order order = format->image_channel_order;
    const char *width = order == CL_RG ? "2" : order == CL_RGBA ? "4" : "";
    if (order != CL_R && !*width)
        return;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == format->image_channel_data_type)
            snprintf(name, size, "%s%s", types[i].name, width);
}

/* Takes note of an image: what it is says the driver. One that is part of a buffer, or an array of
 * images, no study can have. */
static cl_mem note_image(cl_mem image)
{
    static const cl_image_info sizes[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH};
    cl_mem_object_type type = 0;
    cl_image_format format = {0};
    cl_mem buffer = NULL;
    size_t pixel = 0, size[3] = {0};
    if (!image)
        return NULL;
    clopt_next->clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL);
    clopt_next->clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof buffer, &buffer,
                                   NULL);
    clopt_next->clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
    clopt_next->clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof pixel, &pixel, NULL);
    for (size_t i = 0; i < 3; i++)
        clopt_next->clGetImageInfo(image, sizes[i], sizeof size[i], &size[i], NULL);
    size_t bytes = pixel * size[0] * (size[1] ? size[1] : 1) * (size[2] ? size[2] : 1);
    note(image, CLOPT_IMAGE, bytes);
    clopt_memory_bar(buffer, "a buffer is an image, too");
    clopt_layer_lock();
    struct clopt_memory *known = clopt_object_find(CLOPT_MEMORY, image);
    if (known && !buffer && bytes &&
        (type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE2D ||
         type == CL_MEM_OBJECT_IMAGE3D))
        name_channels(&format, known->type, sizeof known->type);
    if (known)
        memcpy(known->size, size, sizeof size);
    clopt_layer_unlock();
    return image;
}

/* ---- samplers ---- */

static cl_sampler note_sampler(cl_sampler made)
{
    static const char *const modes[] = {"none", "clamp_to_edge", "clamp", "repeat",
                                        "mirrored_repeat"};
    cl_bool normalized = CL_FALSE;
    cl_addressing_mode mode = 0;
    cl_filter_mode filter = 0;
    struct clopt_sampler_object *sampler = made ? calloc(1, sizeof *sampler) : NULL;
    if (sampler &&
        !clopt_next->clGetSamplerInfo(made, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized,
                                      &normalized, NULL) &&
        !clopt_next->clGetSamplerInfo(made, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, NULL) &&
        !clopt_next->clGetSamplerInfo(made, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL) &&
        mode >= CL_ADDRESS_NONE && mode - CL_ADDRESS_NONE < sizeof modes / sizeof *modes)
        snprintf(sampler->text, sizeof sampler->text, "%s %s %s",
                 filter == CL_FILTER_LINEAR ? "linear" : "nearest", modes[mode - CL_ADDRESS_NONE],
                 normalized ? "normalized" : "unnormalized");
    if (made)
        clopt_object_add(CLOPT_SAMPLER, made, sampler);
    return made;
}

static CL_API_ENTRY cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalized,
                                                          cl_addressing_mode mode,
                                                          cl_filter_mode filter, cl_int *result)
{
    return note_sampler(clopt_next->clCreateSampler(context, normalized, mode, filter, result));
}

static CL_API_ENTRY cl_sampler CL_API_CALL create_sampler_with_properties(
    cl_context context, const cl_sampler_properties *properties, cl_int *result)
{
    return note_sampler(clopt_next->clCreateSamplerWithProperties(context, properties, result));
}

/* ---- the calls of memory ---- */

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags,
                                                     size_t size, void *host, cl_int *result)
{
    clopt_activity_note(CLOPT_COPIES, true); /* the contents, if it gets any */
    cl_mem made = clopt_next->clCreateBuffer(context, flags, size, host, result);
    clopt_activity_note(CLOPT_COPIES, false);
    return note_buffer(made, flags, size, false);
}

static CL_API_ENTRY cl_mem CL_API_CALL
create_buffer_with_properties(cl_context context, const cl_mem_properties *properties,
                              cl_mem_flags flags, size_t size, void *host, cl_int *result)
{
    return note_buffer(
        clopt_next->clCreateBufferWithProperties(context, properties, flags, size, host, result),
        flags, size, properties && *properties);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                                         cl_buffer_create_type type,
                                                         const void *info, cl_int *result)
{
    cl_mem made = clopt_next->clCreateSubBuffer(buffer, flags, type, info, result);
    if (made)
        clopt_memory_bar(buffer, "a buffer has others that are parts of it");
    if (!made || type != CL_BUFFER_CREATE_TYPE_REGION)
        return made;
    const cl_buffer_region *region = info;
    note(made, CLOPT_SUB_BUFFER, region->size);
    clopt_layer_lock();
    struct clopt_memory *known = clopt_object_find(CLOPT_MEMORY, made);
    if (known) {
        known->parent = buffer;
        known->begin = region->origin;
    }
    clopt_layer_unlock();
    return made;
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags,
                                                    const cl_image_format *format,
                                                    const cl_image_desc *about, void *host,
                                                    cl_int *result)
{
    return note_image(clopt_next->clCreateImage(context, flags, format, about, host, result));
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_with_properties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *about, void *host, cl_int *result)
{
    return note_image(clopt_next->clCreateImageWithProperties(context, properties, flags, format,
                                                              about, host, result));
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags,
                                                       const cl_image_format *format, size_t width,
                                                       size_t height, size_t pitch, void *host,
                                                       cl_int *result)
{
    return note_image(
        clopt_next->clCreateImage2D(context, flags, format, width, height, pitch, host, result));
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_3d(cl_context context, cl_mem_flags flags,
                                                       const cl_image_format *format, size_t width,
                                                       size_t height, size_t depth, size_t pitch,
                                                       size_t slice, void *host, cl_int *result)
{
    return note_image(clopt_next->clCreateImage3D(context, flags, format, width, height, depth,
                                                  pitch, slice, host, result));
}

static CL_API_ENTRY cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags,
                                                   cl_uint packet, cl_uint packets,
                                                   const cl_pipe_properties *properties,
                                                   cl_int *result)
{
    return note(clopt_next->clCreatePipe(context, flags, packet, packets, properties, result),
                CLOPT_PIPE, 0);
}

/* ---- shared virtual memory ---- */

static CL_API_ENTRY void *CL_API_CALL allocate_shared(cl_context context, cl_svm_mem_flags flags,
                                                      size_t bytes, cl_uint alignment)
{
    void *made = clopt_next->clSVMAlloc(context, flags, bytes, alignment);
    if (flags &
        CL_MEM_SVM_FINE_GRAIN_BUFFER) /* by which host and kernels may wait for each other */
        clopt_layouts_blind();
    struct clopt_memory *known = made ? calloc(1, sizeof *known) : NULL;
    if (known)
        *known = (struct clopt_memory){.kind = CLOPT_SVM, .bytes = bytes, .parent = made};
    if (made)
        clopt_object_add(CLOPT_SHARED, made, known);
    return made;
}

static CL_API_ENTRY void CL_API_CALL free_shared(cl_context context, void *memory)
{
    clopt_object_remove(CLOPT_SHARED, memory);
    clopt_next->clSVMFree(context, memory);
}

/* Marks memory that a driver is about to free: as soon as it is, another thread may get the same.
 */
static void mark_leaving(cl_uint count, void *const *pointers)
{
    clopt_layer_lock();
    for (cl_uint i = 0; pointers && i < count; i++) {
        struct clopt_object *object = clopt_object_find(CLOPT_SHARED, pointers[i]);
        if (object)
            object->held = 0;
    }
    clopt_layer_unlock();
}

/* Takes out what is still marked; or it stays, where nothing was freed. */
static void end_leaving(cl_uint count, void *const *pointers, bool freed)
{
    for (cl_uint i = 0; pointers && i < count; i++) {
        clopt_layer_lock();
        struct clopt_object *object = clopt_object_find(CLOPT_SHARED, pointers[i]);
        bool leaves = object && !object->held;
        if (leaves)
            object->held = 1;
        clopt_layer_unlock();
        if (leaves && freed)
            clopt_object_remove(CLOPT_SHARED, pointers[i]);
    }
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue_free(
    cl_command_queue queue, cl_uint count, void *pointers[],
    void(CL_CALLBACK *notify)(cl_command_queue queue, cl_uint count, void *pointers[], void *user),
    void *user, cl_uint wait_count, const cl_event *wait_for, cl_event *event)
{
    mark_leaving(count, pointers);
    cl_int result = clopt_next->clEnqueueSVMFree(queue, count, pointers, notify, user, wait_count,
                                                 wait_for, event);
    end_leaving(count, pointers, result == CL_SUCCESS);
    return result;
}

/* Returns the shared memory from a pointer on. */
static struct clopt_memory find_shared(const struct clopt_argument *argument)
{
    const char *at;
    memcpy(&at, argument->small, sizeof at);
    const struct clopt_memory *known = clopt_object_find_range(CLOPT_SHARED, at);
    size_t begin = known ? (size_t)(at - (const char *)known->object.handle) : 0;
    if (!known || begin >= known->bytes)
        return (struct clopt_memory){0};
    struct clopt_memory found = *known;
    found.begin = begin;
    found.bytes -= begin;
    return found;
}

static struct clopt_object *find_argument(const struct clopt_argument *argument,
                                          enum clopt_handle_kind kind)
{
    const void *handle = NULL;
    if (!argument->set || argument->is_svm || argument->is_null || argument->bytes != sizeof handle)
        return NULL;
    memcpy(&handle, argument->small, sizeof handle);
    return clopt_object_find(kind, handle);
}

struct clopt_memory clopt_argument_memory(const struct clopt_argument *argument)
{
    if (argument->set && argument->is_svm)
        return find_shared(argument);
    const struct clopt_memory *known = (struct clopt_memory *)find_argument(argument, CLOPT_MEMORY);
    return known ? *known : (struct clopt_memory){0};
}

struct clopt_sampler_object *clopt_argument_sampler(const struct clopt_argument *argument)
{
    return (struct clopt_sampler_object *)find_argument(argument, CLOPT_SAMPLER);
}

void clopt_memory_install(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateBuffer = create_buffer;
    dispatch->clCreateBufferWithProperties = create_buffer_with_properties;
    dispatch->clCreateSubBuffer = create_sub_buffer;
    dispatch->clCreateImage = create_image;
    dispatch->clCreateImageWithProperties = create_image_with_properties;
    dispatch->clCreateImage2D = create_image_2d;
    dispatch->clCreateImage3D = create_image_3d;
    dispatch->clCreatePipe = create_pipe;
    dispatch->clSVMAlloc = allocate_shared;
    dispatch->clSVMFree = free_shared;
    dispatch->clEnqueueSVMFree = enqueue_free;
    dispatch->clCreateSampler = create_sampler;
    dispatch->clCreateSamplerWithProperties = create_sampler_with_properties;
}
