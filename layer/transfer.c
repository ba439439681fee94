/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads memory of the application, and copies it on the device: the host may be forbidden to read
 * it, the device is not. */
#include "layer/layer.h"

size_t clopt_row_bytes(const struct clopt_memory *image)
{
    size_t rows = (image->size[1] ? image->size[1] : 1) * (image->size[2] ? image->size[2] : 1);
    return image->bytes / rows;
}

/* The part of an image that is read: all rows, or some of one plane. */
struct rows {
    size_t origin[3], region[3];
};

static struct rows find_rows(const struct clopt_reading *reading)
{
    const struct clopt_memory *image = reading->memory;
    size_t height = image->size[1] ? image->size[1] : 1, row = clopt_row_bytes(image);
    size_t first = reading->at / row;
    bool all = reading->bytes == image->bytes;
    return (struct rows){{0, first % height, first / height},
                         {image->size[0], all ? height : reading->bytes / row,
                          all && image->size[2] ? image->size[2] : 1}};
}

static cl_int read_directly(const struct clopt_reading *reading)
{
    void *handle = reading->memory->object.handle;
    if (reading->memory->kind == CLOPT_IMAGE) {
        struct rows rows = find_rows(reading);
        return clopt_next->clEnqueueReadImage(reading->queue, handle, CL_TRUE, rows.origin,
                                              rows.region, 0, 0, reading->data, reading->wait_count,
                                              reading->wait_for, NULL);
    }
    if (reading->memory->kind == CLOPT_SVM)
        return clopt_next->clEnqueueSVMMemcpy(reading->queue, CL_TRUE, reading->data,
                                              (char *)handle + reading->memory->begin + reading->at,
                                              reading->bytes, reading->wait_count,
                                              reading->wait_for, NULL);
    return clopt_next->clEnqueueReadBuffer(reading->queue, handle, CL_TRUE, reading->at,
                                           reading->bytes, reading->data, reading->wait_count,
                                           reading->wait_for, NULL);
}

/* Reads what the host must not read, through a buffer of the layer's own. */
static cl_int read_by_copy(const struct clopt_reading *reading)
{
    cl_mem handle = reading->memory->object.handle;
    cl_context context = NULL;
    cl_event copied = NULL;
    cl_int result =
        clopt_next->clGetMemObjectInfo(handle, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    cl_mem own = result ? NULL
                        : clopt_next->clCreateBuffer(context, CL_MEM_READ_WRITE, reading->bytes,
                                                     NULL, &result);
    if (own && reading->memory->kind == CLOPT_IMAGE) {
        struct rows rows = find_rows(reading);
        result = clopt_next->clEnqueueCopyImageToBuffer(reading->queue, handle, own, rows.origin,
                                                        rows.region, 0, reading->wait_count,
                                                        reading->wait_for, &copied);
    } else if (own) {
        result = clopt_next->clEnqueueCopyBuffer(reading->queue, handle, own, reading->at, 0,
                                                 reading->bytes, reading->wait_count,
                                                 reading->wait_for, &copied);
    }
    if (own && !result)
        result = clopt_next->clEnqueueReadBuffer(reading->queue, own, CL_TRUE, 0, reading->bytes,
                                                 reading->data, 1, &copied, NULL);
    if (copied)
        clopt_next->clReleaseEvent(copied);
    if (own)
        clopt_next->clReleaseMemObject(own);
    return result;
}

cl_int clopt_memory_read(const struct clopt_reading *reading)
{
    cl_int result = read_directly(reading);
    return result == CL_INVALID_OPERATION && reading->memory->kind != CLOPT_SVM
               ? read_by_copy(reading)
               : result;
}

/* ---- copies ---- */

static cl_mem copy_image(const struct clopt_copying *copying, cl_mem from)
{
    const struct clopt_memory *image = copying->memory;
    cl_image_format format = {0};
    cl_image_desc about = {.image_width = image->size[0],
                           .image_height = image->size[1],
                           .image_depth = image->size[2]};
    const size_t origin[3] = {0};
    const size_t region[3] = {image->size[0], image->size[1] ? image->size[1] : 1,
                              image->size[2] ? image->size[2] : 1};
    if (clopt_next->clGetImageInfo(from, CL_IMAGE_FORMAT, sizeof format, &format, NULL) ||
        clopt_next->clGetMemObjectInfo(from, CL_MEM_TYPE, sizeof about.image_type,
                                       &about.image_type, NULL))
        return NULL;
    cl_mem made =
        clopt_next->clCreateImage(copying->context, CL_MEM_READ_WRITE, &format, &about, NULL, NULL);
    if (made && clopt_next->clEnqueueCopyImage(copying->queue, from, made, origin, origin, region,
                                               0, NULL, NULL) == CL_SUCCESS)
        return made;
    if (made)
        clopt_next->clReleaseMemObject(made);
    return NULL;
}

static cl_mem copy_buffer(const struct clopt_copying *copying, cl_mem from)
{
    size_t bytes = 0;
    if (clopt_next->clGetMemObjectInfo(from, CL_MEM_SIZE, sizeof bytes, &bytes, NULL))
        return NULL;
    cl_mem made =
        clopt_next->clCreateBuffer(copying->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    if (made && clopt_next->clEnqueueCopyBuffer(copying->queue, from, made, 0, 0, bytes, 0, NULL,
                                                NULL) == CL_SUCCESS)
        return made;
    if (made)
        clopt_next->clReleaseMemObject(made);
    return NULL;
}

static void *copy_shared(const struct clopt_copying *copying, const void *from)
{
    size_t bytes = copying->memory->begin + copying->memory->bytes;
    void *made = clopt_next->clSVMAlloc(copying->context, CL_MEM_READ_WRITE, bytes, 0);
    if (made && clopt_next->clEnqueueSVMMemcpy(copying->queue, CL_TRUE, made, from, bytes, 0, NULL,
                                               NULL) == CL_SUCCESS)
        return made;
    if (made)
        clopt_next->clSVMFree(copying->context, made);
    return NULL;
}

void *clopt_memory_copy(const struct clopt_copying *copying, void *from)
{
    return copying->memory->kind == CLOPT_IMAGE ? (void *)copy_image(copying, from)
           : copying->memory->kind == CLOPT_SVM ? copy_shared(copying, from)
                                                : (void *)copy_buffer(copying, from);
}
