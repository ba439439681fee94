/* SPDX-License-Identifier: BSD-3-Clause */
/* The images of an app. They have no guards: nothing can be written outside of an image. */
#include <stdint.h>

#include "opencl/name.h"
#include "worker/session.h"

/* As float this is a NaN, as in buffers. */
static const uint32_t poison[4] = {0xFFC5A5C5u, 0xFFC5A5C5u, 0xFFC5A5C5u, 0xFFC5A5C5u};

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

enum clopt_status clopt_image_copy_in(struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *image, const void *source,
                                      struct clopt_error *error)
{
    cl_int code = clEnqueueWriteImage(buffers->context->queue, image->data, CL_TRUE, origin,
                                      image->format.size, 0, 0, source, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueWriteImage", code);
}

enum clopt_status clopt_image_copy_out(struct clopt_buffers *buffers,
                                       const struct clopt_device_buffer *image, void *destination,
                                       struct clopt_error *error)
{
    cl_int code = clEnqueueReadImage(buffers->context->queue, image->data, CL_TRUE, origin,
                                     image->format.size, 0, 0, destination, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueReadImage", code);
}

enum clopt_status clopt_image_fill(struct clopt_buffers *buffers,
                                   const struct clopt_device_buffer *image,
                                   struct clopt_error *error)
{
    if (image->contents)
        return clopt_image_copy_in(buffers, image, image->contents, error);
    cl_int code = clEnqueueFillImage(buffers->context->queue, image->data, poison, origin,
                                     image->format.size, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueFillImage", code);
}

/* One that the device cannot have makes no variant. */
static enum clopt_status fail_create(const struct clopt_image_format *format, cl_int code,
                                     struct clopt_error *error)
{
    clopt_fail_cl(error, "clCreateImage", code);
    if (code == CL_IMAGE_FORMAT_NOT_SUPPORTED || code == CL_INVALID_OPERATION ||
        code == CL_INVALID_IMAGE_SIZE)
        error->status = CLOPT_INFEASIBLE;
    return clopt_fail(error, error->status,
                      "%s: %zux%zux%zu pixels of %u channels: the device has no such images",
                      error->message, format->size[0], format->size[1], format->size[2],
                      format->channels);
}

enum clopt_status clopt_image_create(struct clopt_buffers *buffers,
                                     struct clopt_device_buffer *image, struct clopt_error *error)
{
    static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D,
                                               CL_MEM_OBJECT_IMAGE3D};
    static const cl_channel_order orders[] = {[1] = CL_R, [2] = CL_RG, [4] = CL_RGBA};
    const struct clopt_image_format *format = &image->format;
    cl_image_format layout = {.image_channel_order = orders[format->channels],
                              .image_channel_data_type = channels[format->channel].type};
    cl_image_desc shape = {.image_type = types[format->dimensions - 1],
                           .image_width = format->size[0],
                           .image_height = format->dimensions > 1 ? format->size[1] : 0,
                           .image_depth = format->dimensions > 2 ? format->size[2] : 0};
    cl_int code;
    image->data =
        clCreateImage(buffers->context->context, CL_MEM_READ_WRITE, &layout, &shape, NULL, &code);
    if (code != CL_SUCCESS) {
        image->data = NULL;
        return fail_create(format, code, error);
    }
    buffers->bytes += image->bytes;
    return clopt_image_fill(buffers, image, error);
}

/* Computes the bytes of an image; false where there is no such image. */
static bool count_bytes(const struct clopt_image_format *format, size_t *bytes)
{
    bool good = format->dimensions >= 1 && format->dimensions <= 3 &&
                (format->channels == 1 || format->channels == 2 || format->channels == 4);
    *bytes = channels[format->channel].bytes * format->channels;
    for (unsigned d = 0; d < 3; d++)
        good =
            good && format->size[d] > 0 && !__builtin_mul_overflow(*bytes, format->size[d], bytes);
    return good;
}

enum clopt_status clopt_image(struct clopt_session *session, unsigned id, const char *name,
                              enum clopt_buffer_use use, const struct clopt_image_format *format,
                              const void *contents)
{
    struct clopt_error *error = &session->error;
    bool needs_contents = use == CLOPT_INPUT || use == CLOPT_IN_OUT;
    size_t bytes;
    if (id >= CLOPT_MAX_BUFFERS || session->buffers->items[id].name)
        return clopt_fail(error, CLOPT_FAILED, "image %s: number %u is taken or above %d", name, id,
                          CLOPT_MAX_BUFFERS - 1);
    if (!count_bytes(format, &bytes) || (needs_contents && !contents))
        return clopt_fail(error, CLOPT_FAILED, "image %s: no contents, or a size that none has",
                          name);
    session->buffers->items[id] = (struct clopt_device_buffer){
        .name = name,
        .use = use,
        .bytes = bytes,
        .is_image = true,
        .format = *format,
        .contents = needs_contents ? contents : NULL,
    };
    return CLOPT_OK;
}
