/* SPDX-License-Identifier: BSD-3-Clause */
/* The images of an app. They have no guards: nothing can be written outside of an image. */
#include "worker/buffers.h"

/* As float this is a NaN, as in buffers. */
static const uint32_t poison[4] = {CLOPT_POISON, CLOPT_POISON, CLOPT_POISON, CLOPT_POISON};

static const struct {
    cl_channel_type type;
    size_t bytes;
} channels[] = {
    [CLOPT_SNORM_INT8] = {CL_SNORM_INT8, 1},
    [CLOPT_SNORM_INT16] = {CL_SNORM_INT16, 2},
    [CLOPT_UNORM_INT8] = {CL_UNORM_INT8, 1},
    [CLOPT_UNORM_INT16] = {CL_UNORM_INT16, 2},
    [CLOPT_SIGNED_INT8] = {CL_SIGNED_INT8, 1},
    [CLOPT_SIGNED_INT16] = {CL_SIGNED_INT16, 2},
    [CLOPT_SIGNED_INT32] = {CL_SIGNED_INT32, 4},
    [CLOPT_UNSIGNED_INT8] = {CL_UNSIGNED_INT8, 1},
    [CLOPT_UNSIGNED_INT16] = {CL_UNSIGNED_INT16, 2},
    [CLOPT_UNSIGNED_INT32] = {CL_UNSIGNED_INT32, 4},
    [CLOPT_HALF_FLOAT] = {CL_HALF_FLOAT, 2},
    [CLOPT_FLOAT] = {CL_FLOAT, 4},
};

static const size_t origin[3] = {0, 0, 0};

size_t clopt_image_bytes(const struct clopt_image_format *format)
{
    size_t bytes = channels[format->channel].bytes * format->channels;
    bool good = format->dimensions >= 1 && format->dimensions <= 3 &&
                (format->channels == 1 || format->channels == 2 || format->channels == 4);
    for (unsigned d = 0; d < 3; d++)
        good = good && !__builtin_mul_overflow(bytes, format->size[d], &bytes);
    return good ? bytes : 0;
}

enum clopt_status clopt_image_write(const struct clopt_buffers *buffers,
                                    const struct clopt_device_buffer *image, const void *source)
{
    cl_int code = clEnqueueWriteImage(buffers->context->queue, image->data, CL_TRUE, origin,
                                      image->format.size, 0, 0, source, 0, NULL, NULL);
    return clopt_buffer_check(buffers, image, "clEnqueueWriteImage", code);
}

enum clopt_status clopt_image_read(const struct clopt_buffers *buffers,
                                   const struct clopt_device_buffer *image, void *destination)
{
    cl_int code = clEnqueueReadImage(buffers->context->queue, image->data, CL_TRUE, origin,
                                     image->format.size, 0, 0, destination, 0, NULL, NULL);
    return clopt_buffer_check(buffers, image, "clEnqueueReadImage", code);
}

enum clopt_status clopt_image_fill(const struct clopt_buffers *buffers,
                                   const struct clopt_device_buffer *image)
{
    if (image->contents)
        return clopt_image_write(buffers, image, image->contents);
    cl_int code = clEnqueueFillImage(buffers->context->queue, image->data, poison, origin,
                                     image->format.size, 0, NULL, NULL);
    return clopt_buffer_check(buffers, image, "clEnqueueFillImage", code);
}

enum clopt_status clopt_image_create(struct clopt_buffers *buffers,
                                     struct clopt_device_buffer *image)
{
    static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D,
                                               CL_MEM_OBJECT_IMAGE3D};
    static const cl_channel_order orders[] = {[1] = CL_R, [2] = CL_RG, [4] = CL_RGBA};
    const struct clopt_image_format *format = &image->format;
    const size_t *size = format->size;
    struct clopt_error *error = buffers->error;
    cl_image_format layout = {orders[format->channels], channels[format->channel].type};
    cl_image_desc shape = {.image_type = types[format->dimensions - 1],
                           .image_width = size[0],
                           .image_height = format->dimensions > 1 ? size[1] : 0,
                           .image_depth = format->dimensions > 2 ? size[2] : 0};
    cl_int code;
    cl_mem data =
        clCreateImage(buffers->context->context, CL_MEM_READ_WRITE, &layout, &shape, NULL, &code);
    if (clopt_buffer_check(buffers, image, "clCreateImage", code)) {
        bool lacks = code == CL_IMAGE_FORMAT_NOT_SUPPORTED || code == CL_INVALID_OPERATION ||
                     code == CL_INVALID_IMAGE_SIZE; /* what cannot be there makes no variant */
        return clopt_fail(error, lacks ? CLOPT_INFEASIBLE : error->status,
                          "%s: %zux%zux%zu pixels of %u channels: the device has no such images",
                          error->message, size[0], size[1], size[2], format->channels);
    }
    image->data = data;
    buffers->bytes += image->bytes;
    return clopt_image_fill(buffers, image);
}
