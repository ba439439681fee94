/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels, and the arguments that the application has set last. */
#include "layer/layer.h"

static void fini_kernel(struct clopt_object *object)
{
    struct clopt_kernel_object *kernel = (struct clopt_kernel_object *)object;
    for (size_t i = 0; i < kernel->argument_count; i++)
        free(kernel->arguments[i].large);
    free(kernel->arguments);
    clopt_handle_leave(CLOPT_KERNEL, kernel->winner_kernel);
    clopt_handle_leave(CLOPT_MEMORY, kernel->winner_zeroed);
    clopt_object_drop(kernel->program);
}

/* Makes room for an argument; false where memory runs out. */
static bool make_room(struct clopt_kernel_object *kernel, size_t count)
{
    if (count <= kernel->argument_count)
        return true;
    struct clopt_argument *more = realloc(kernel->arguments, count * sizeof *more);
    if (!more)
        return false;
    memset(more + kernel->argument_count, 0, (count - kernel->argument_count) * sizeof *more);
    kernel->arguments = more;
    kernel->argument_count = count;
    return true;
}

static void set_argument(struct clopt_argument *argument, size_t bytes, const void *value)
{
    free(argument->large);
    *argument = (struct clopt_argument){.set = true, .is_null = !value, .bytes = bytes};
    if (value && bytes <= CLOPT_INLINE_BYTES)
        memcpy(argument->small, value, bytes);
    else if (value && (argument->large = malloc(bytes)))
        memcpy(argument->large, value, bytes);
    else
        argument->set = !value;
}

static cl_kernel note(cl_kernel made, cl_program handle, const struct clopt_kernel_object *like)
{
    struct clopt_kernel_object *kernel = calloc(1, sizeof *kernel);
    if (kernel) {
        kernel->object.fini = fini_kernel;
        clopt_next->clGetKernelInfo(made, CL_KERNEL_FUNCTION_NAME, sizeof kernel->name - 1,
                                    kernel->name, NULL);
        clopt_layer_lock();
        kernel->program = like ? like->program : clopt_object_find(CLOPT_PROGRAM, handle);
        if (kernel->program) {
            kernel->program->object.references++;
            kernel->build = like ? like->build : kernel->program->builds;
            kernel->of_proxy = like ? like->of_proxy : kernel->program->proxy != NULL;
        }
        if (like && make_room(kernel, like->argument_count))
            for (size_t i = 0; i < like->argument_count; i++) {
                const struct clopt_argument *from = &like->arguments[i];
                const void *bytes = from->large ? from->large : from->small;
                if (!from->set)
                    continue;
                set_argument(&kernel->arguments[i], from->bytes, from->is_null ? NULL : bytes);
                kernel->arguments[i].is_svm = from->is_svm;
            }
        clopt_layer_unlock();
    }
    clopt_object_add(CLOPT_KERNEL, made, kernel);
    return made;
}

static CL_API_ENTRY cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name,
                                                        cl_int *result)
{
    cl_kernel made = clopt_next->clCreateKernel(clopt_proxy_find(program), name, result);
    return made ? note(made, program, NULL) : NULL;
}

static CL_API_ENTRY cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count,
                                                      cl_kernel *kernels, cl_uint *made)
{
    cl_uint there = 0;
    cl_int result =
        clopt_next->clCreateKernelsInProgram(clopt_proxy_find(program), count, kernels, &there);
    if (result == CL_SUCCESS && made)
        *made = there;
    for (cl_uint i = 0; result == CL_SUCCESS && kernels && i < there && i < count; i++)
        note(kernels[i], program, NULL);
    return result;
}

static CL_API_ENTRY cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *result)
{
    cl_kernel made = clopt_next->clCloneKernel(source, result);
    if (!made)
        return NULL;
    clopt_layer_lock();
    struct clopt_kernel_object *like = clopt_object_find(CLOPT_KERNEL, source);
    if (like)
        like->object.references++;
    clopt_layer_unlock();
    note(made, NULL, like);
    clopt_layer_lock();
    clopt_object_drop(like);
    clopt_layer_unlock();
    return made;
}

static CL_API_ENTRY cl_int CL_API_CALL set_kernel_argument(cl_kernel handle, cl_uint index,
                                                           size_t bytes, const void *value)
{
    cl_int result = clopt_next->clSetKernelArg(handle, index, bytes, value);
    if (result != CL_SUCCESS)
        return result;
    clopt_layer_lock();
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, handle);
    if (kernel && make_room(kernel, (size_t)index + 1))
        set_argument(&kernel->arguments[index], bytes, value);
    clopt_layer_unlock();
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL set_svm_argument(cl_kernel handle, cl_uint index,
                                                        const void *value)
{
    cl_int result = clopt_next->clSetKernelArgSVMPointer(handle, index, value);
    if (result != CL_SUCCESS)
        return result;
    clopt_layer_lock();
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, handle);
    if (kernel && make_room(kernel, (size_t)index + 1)) {
        set_argument(&kernel->arguments[index], sizeof value, &value);
        kernel->arguments[index].is_svm = true;
    }
    clopt_layer_unlock();
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL set_execution_info(cl_kernel handle,
                                                          cl_kernel_exec_info name, size_t bytes,
                                                          const void *value)
{
    cl_int result = clopt_next->clSetKernelExecInfo(handle, name, bytes, value);
    clopt_layer_lock();
    struct clopt_kernel_object *kernel =
        result == CL_SUCCESS ? clopt_object_find(CLOPT_KERNEL, handle) : NULL;
    if (kernel)
        kernel->uses_svm = true;
    clopt_layer_unlock();
    return result;
}

bool clopt_kernel_is_known(const struct clopt_kernel_object *kernel)
{
    return kernel->program && kernel->program->options && kernel->program->builds == kernel->build;
}

bool clopt_arguments_copy(const struct clopt_kernel_object *kernel,
                          struct clopt_argument_copy **copies, size_t *count)
{
    *count = 0;
    *copies = calloc(kernel->argument_count + 1, sizeof **copies);
    if (!*copies)
        return false;
    for (; *count < kernel->argument_count; ++*count) {
        struct clopt_argument_copy *copy = &(*copies)[*count];
        const struct clopt_argument *from = &kernel->arguments[*count];
        const struct clopt_sampler_object *sampler = clopt_argument_sampler(from);
        copy->value = *from;
        if (from->large && !(copy->value.large = malloc(from->bytes)))
            return false;
        if (from->large)
            memcpy(copy->value.large, from->large, from->bytes);
        if (sampler)
            memcpy(copy->sampler, sampler->text, sizeof copy->sampler);
        copy->is_sampler = sampler != NULL;
        copy->memory = clopt_argument_memory(from);
        copy->has_data = copy->memory.object.handle && copy->memory.kind != CLOPT_PIPE &&
                         (copy->memory.kind != CLOPT_IMAGE || copy->memory.type[0]);
    }
    return true;
}

void clopt_arguments_free(struct clopt_argument_copy *copies, size_t count)
{
    for (size_t i = 0; copies && i < count; i++)
        free(copies[i].value.large);
    free(copies);
}

void clopt_kernels_install(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateKernel = create_kernel;
    dispatch->clCreateKernelsInProgram = create_kernels;
    dispatch->clCloneKernel = clone_kernel;
    dispatch->clSetKernelArg = set_kernel_argument;
    dispatch->clSetKernelArgSVMPointer = set_svm_argument;
    dispatch->clSetKernelExecInfo = set_execution_info;
}
