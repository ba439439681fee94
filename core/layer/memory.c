/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers, images and pipes as the application makes them. */
#include "layer/layer.h"

#include <stdlib.h>
#include <string.h>

static cl_mem note(cl_mem memory, enum clopt_memory_kind kind, size_t bytes)
{
    struct clopt_memory *known = memory ? calloc(1, sizeof *known) : NULL;
    if (known)
        *known = (struct clopt_memory){.kind = kind, .bytes = bytes, .parent = memory};
    if (memory)
        clopt_object_add(CLOPT_MEMORY, memory, known ? &known->object : NULL);
    return memory;
}

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags,
                                                     size_t size, void *host, cl_int *result)
{
    return note(clopt_next->clCreateBuffer(context, flags, size, host, result), CLOPT_BUFFER, size);
}

static CL_API_ENTRY cl_mem CL_API_CALL
create_buffer_with_properties(cl_context context, const cl_mem_properties *properties,
                              cl_mem_flags flags, size_t size, void *host, cl_int *result)
{
    return note(
        clopt_next->clCreateBufferWithProperties(context, properties, flags, size, host, result),
        CLOPT_BUFFER, size);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                                         cl_buffer_create_type type,
                                                         const void *info, cl_int *result)
{
    cl_mem made = clopt_next->clCreateSubBuffer(buffer, flags, type, info, result);
    if (!made || type != CL_BUFFER_CREATE_TYPE_REGION)
        return made;
    const cl_buffer_region *region = info;
    note(made, CLOPT_SUB_BUFFER, region->size);
    clopt_layer_lock();
    struct clopt_memory *known = (struct clopt_memory *)clopt_object_find(CLOPT_MEMORY, made);
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
    return note(clopt_next->clCreateImage(context, flags, format, about, host, result), CLOPT_IMAGE,
                0);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_with_properties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *about, void *host, cl_int *result)
{
    return note(clopt_next->clCreateImageWithProperties(context, properties, flags, format, about,
                                                        host, result),
                CLOPT_IMAGE, 0);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags,
                                                       const cl_image_format *format, size_t width,
                                                       size_t height, size_t pitch, void *host,
                                                       cl_int *result)
{
    return note(
        clopt_next->clCreateImage2D(context, flags, format, width, height, pitch, host, result),
        CLOPT_IMAGE, 0);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_3d(cl_context context, cl_mem_flags flags,
                                                       const cl_image_format *format, size_t width,
                                                       size_t height, size_t depth, size_t pitch,
                                                       size_t slice, void *host, cl_int *result)
{
    return note(clopt_next->clCreateImage3D(context, flags, format, width, height, depth, pitch,
                                            slice, host, result),
                CLOPT_IMAGE, 0);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags,
                                                   cl_uint packet, cl_uint packets,
                                                   const cl_pipe_properties *properties,
                                                   cl_int *result)
{
    return note(clopt_next->clCreatePipe(context, flags, packet, packets, properties, result),
                CLOPT_PIPE, 0);
}

struct clopt_memory *clopt_argument_memory(const struct clopt_argument *argument)
{
    const void *handle = NULL;
    if (!argument->set || argument->is_svm || argument->is_null ||
        argument->bytes != sizeof(cl_mem))
        return NULL;
    memcpy(&handle, argument->small, sizeof handle);
    return (struct clopt_memory *)clopt_object_find(CLOPT_MEMORY, handle);
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
}
