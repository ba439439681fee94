/* SPDX-License-Identifier: BSD-3-Clause */
/* ---- buffers in another layout ---- */

#define MOST_ARGUMENTS 128

/* What a launch gets in the place of buffers; NULL: it gets the buffer. */
struct permuted {
    cl_mem memory[@KERNEL@_LAYOUTS];
    size_t rows[@KERNEL@_LAYOUTS];
};

/* Reads an argument that may be an integer. */
static long long integer(const struct argument *argument)
{
    cl_char byte;
    cl_short half;
    cl_int word;
    cl_long number = 0;
    if (argument->value && argument->bytes == sizeof byte)
        number = *(const cl_char *)memcpy(&byte, argument->value, sizeof byte);
    else if (argument->value && argument->bytes == sizeof half)
        number = *(const cl_short *)memcpy(&half, argument->value, sizeof half);
    else if (argument->value && argument->bytes == sizeof word)
        number = *(const cl_int *)memcpy(&word, argument->value, sizeof word);
    else if (argument->value && argument->bytes == sizeof number)
        memcpy(&number, argument->value, sizeof number);
    return number;
}

/* Returns the buffer that has a layout, and its bytes. */
static cl_mem find_buffer(size_t layout, const struct argument *arguments, size_t *bytes)
{
    cl_mem memory = *(const cl_mem *)arguments[@kernel@_layouts[layout].argument].value;
    check(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof *bytes, bytes, NULL), "clGetMemObjectInfo");
    return memory;
}

/* Gives a launch what its buffers are in the layouts of the variant, which the host makes here. */
static struct permuted permute(struct run *run, cl_kernel kernel, size_t count,
                               const struct argument *arguments, const size_t *global,
                               const size_t *local)
{
    struct permuted permuted = {{NULL}, {0}};
    long long integers[MOST_ARGUMENTS] = {0};
    for (size_t i = 0; i < count && i < MOST_ARGUMENTS; i++)
        integers[i] = integer(&arguments[i]);
    for (size_t i = 0; i < @KERNEL@_LAYOUTS; i++) {
        const struct @kernel@_layout *layout = &@kernel@_layouts[i];
        size_t bytes;
        cl_int code;
        if (&@kernel@_variants[layout->variant] != run->variant)
            continue;
        cl_mem memory = find_buffer(i, arguments, &bytes);
        size_t rows = @kernel@_rows(i, bytes, integers, global, local);
        if (!rows) {
            fprintf(stderr, "%s: not for this launch\n", run->variant->name);
            exit(1);
        }
        size_t most = @kernel@_layout_bytes(i, rows, bytes);
        void *data = allocate(bytes), *other = allocate(most);
        memset(other, 0, most);
        check(clEnqueueReadBuffer(run->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        @kernel@_to_layout(i, rows, bytes, data, other);
        permuted.rows[i] = rows;
        permuted.memory[i] = clCreateBuffer(
            run->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, most, other, &code);
        check(code, "clCreateBuffer");
        check(clSetKernelArg(kernel, layout->argument, sizeof(cl_mem), &permuted.memory[i]),
              "clSetKernelArg");
        if (layout->added >= 0)
            check(clSetKernelArg(kernel, (cl_uint)count + (cl_uint)layout->added, sizeof(cl_ulong),
                                 &(cl_ulong){rows}),
                  "clSetKernelArg");
        free(data);
        free(other);
    }
    return permuted;
}

/* Brings back what the launch has written. */
static void permute_back(struct run *run, struct permuted *permuted,
                         const struct argument *arguments)
{
    for (size_t i = 0; i < @KERNEL@_LAYOUTS; i++) {
        size_t bytes;
        if (!permuted->memory[i])
            continue;
        cl_mem memory = find_buffer(i, arguments, &bytes);
        size_t most = @kernel@_layout_bytes(i, permuted->rows[i], bytes);
        void *data = allocate(bytes), *other = allocate(most);
        if (@kernel@_layouts[i].written) {
            check(clEnqueueReadBuffer(run->queue, permuted->memory[i], CL_TRUE, 0, most, other, 0,
                                      NULL, NULL),
                  "clEnqueueReadBuffer");
            @kernel@_from_layout(i, permuted->rows[i], bytes, other, data);
            write_part(run, memory, 0, bytes, data);
        }
        clReleaseMemObject(permuted->memory[i]);
        free(data);
        free(other);
    }
}

