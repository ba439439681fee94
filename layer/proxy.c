/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that an earlier process has built from the same source: what was built then is loaded as
 * a program of the layer's own, the proxy of the one that the application has made. Kernels are
 * those of the proxy. Where the application asks what only a build of the source tells, the
 * driver builds that, too. */
#include "layer/program.h"

#include <pthread.h>

#include "file/cache.h"
#include "file/inclusion.h"
#include "layer/apply.h"
#include "library/kept.h"
#include "text/text.h"

#define MOST_LOG_BYTES ((size_t)1 << 20)

/* Change whenever what is kept would mean something else. */
static const char version[] = "clopt program 1";

struct clopt_proxy {
    cl_program program;
    cl_device_id device;
    char *log; /* of the build from source, with the NUL that ends it */
    size_t log_bytes;
    bool built; /* the program of the application is, too */
};

static _Atomic bool barred; /* programs may be used past the layer */

static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER; /* of programs that have proxies */

void clopt_proxies_bar(void)
{
    barred = true;
}

/* ---- what there is ---- */

cl_program clopt_proxy_find(cl_program handle)
{
    clopt_layer_lock();
    const struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    cl_program found = program && program->proxy ? program->proxy->program : handle;
    clopt_layer_unlock();
    return found;
}

void clopt_proxy_drop(struct clopt_program *program)
{
    struct clopt_proxy *proxy = program->proxy;
    if (!proxy)
        return;
    clopt_handle_leave(CLOPT_PROGRAM, proxy->program);
    clopt_handle_leave(CLOPT_PROGRAM, program->object.handle); /* kept as long as its kernels are */
    free(proxy->log);
    free(proxy);
    program->proxy = NULL;
}

/* Has the driver build the source, once, too; the caller keeps the program. */
static void build_itself(const struct clopt_program *program)
{
    struct clopt_proxy *proxy = program->proxy;
    pthread_mutex_lock(&building);
    if (proxy && !proxy->built) {
        clopt_activity_note(CLOPT_BUILDS, true);
        clopt_next->clBuildProgram(program->object.handle, 1, &proxy->device, program->options,
                                   NULL, NULL);
        clopt_activity_note(CLOPT_BUILDS, false);
        proxy->built = true;
    }
    pthread_mutex_unlock(&building);
}

void clopt_proxy_settle(cl_program handle)
{
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    if (program)
        program->object.references++;
    clopt_layer_unlock();
    if (program)
        build_itself(program);
    clopt_layer_lock();
    clopt_object_drop(program);
    clopt_layer_unlock();
}

/* ---- builds ---- */

/* A build of a source for one device. */
struct making {
    const struct clopt_source_build *asked;
    struct clopt_program *program; /* kept */
    struct clopt_program_calls calls;
    cl_context context;
    cl_device_id device;
    char *folder;
    char key[CLOPT_HASH_SIZE];
};

/* Whether what is built may be kept: the source and what it includes decide it, for one device, and
 * the layer sees all uses. */
static bool may_be_kept(struct making *making)
{
    const struct clopt_source_build *asked = making->asked;
    const struct clopt_program *program = making->program;
    cl_uint devices = 0;
    if (!program || !program->is_text || !program->source || !asked->source_hash[0] || barred ||
        clopt_loaders_are_others() ||
        clopt_next->clGetProgramInfo(asked->handle, CL_PROGRAM_NUM_DEVICES, sizeof devices,
                                     &devices, NULL) ||
        devices != 1 ||
        clopt_next->clGetProgramInfo(asked->handle, CL_PROGRAM_DEVICES, sizeof making->device,
                                     &making->device, NULL) ||
        clopt_next->clGetProgramInfo(asked->handle, CL_PROGRAM_CONTEXT, sizeof making->context,
                                     &making->context, NULL) ||
        (asked->devices ? asked->count != 1 || asked->devices[0] != making->device
                        : asked->count != 0))
        return false;
    CLOPT_OWNED(clopt_build_options) words = {0};
    clopt_build_options_split(asked->options ? asked->options : "", &words);
    return clopt_inclusions_decide(program->source, &words);
}

/* Makes a program of the layer's own the proxy; without memory for that it is released. */
static bool put_proxy(struct making *making, cl_program made, bool built, const char *log,
                      size_t log_bytes)
{
    struct clopt_proxy *new = calloc(1, sizeof *new);
    char *copy = malloc(log_bytes + 1);
    if (!new || !copy || clopt_next->clRetainProgram(making->asked->handle) != CL_SUCCESS) {
        free(new);
        free(copy);
        clopt_next->clReleaseProgram(made);
        return false;
    }
    memcpy(copy, log, log_bytes);
    *new = (struct clopt_proxy){made, making->device, copy, log_bytes, built};
    clopt_layer_lock();
    making->program->proxy = new;
    clopt_layer_unlock();
    return true;
}

/* Loads what is kept: how long the log is, the log, and the binary, or nothing where that is of no
 * use. `keeps` says whether it is to be kept once more. */
static bool load(struct making *making, bool *keeps)
{
    size_t bytes = 0;
    uint64_t log_bytes = 0;
    const char *options = making->asked->options;
    const char *data = clopt_cache_find(making->folder, making->key, &bytes);
    cl_program made = NULL;
    if (data && bytes >= sizeof log_bytes)
        memcpy(&log_bytes, data, sizeof log_bytes);
    size_t begin = sizeof log_bytes + log_bytes;
    bool whole = data && log_bytes <= MOST_LOG_BYTES && begin <= bytes;
    *keeps = !whole || begin < bytes;
    if (whole && begin < bytes)
        made = clopt_kept_load(&making->calls, making->context, making->device,
                               options ? options : "", data + begin, bytes - begin);
    bool loaded = made && put_proxy(making, made, false, data + sizeof log_bytes, log_bytes);
    clopt_cache_release(data, bytes);
    return loaded;
}

/* Whether two programs say the same of themselves. */
static bool are_alike(cl_program a, cl_program b, cl_device_id device)
{
    static const struct {
        cl_uint what;
        bool of_build;
    } infos[] = {{CL_PROGRAM_NUM_KERNELS, false},
                 {CL_PROGRAM_KERNEL_NAMES, false},
                 {CL_PROGRAM_BUILD_OPTIONS, true},
                 {CL_PROGRAM_BINARY_TYPE, true},
                 {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, true}};
    enum { MOST = 1 << 16 };
    CLOPT_FREED char *texts = malloc(2 * MOST);
    bool alike = texts;
    for (size_t i = 0; i < sizeof infos / sizeof *infos && alike; i++) {
        size_t bytes[2] = {0};
        cl_int results[2];
        for (int k = 0; k < 2; k++)
            results[k] = infos[i].of_build
                             ? clopt_next->clGetProgramBuildInfo(k ? b : a, device, infos[i].what,
                                                                 MOST, texts + k * MOST, &bytes[k])
                             : clopt_next->clGetProgramInfo(k ? b : a, infos[i].what, MOST,
                                                            texts + k * MOST, &bytes[k]);
        alike = results[0] == results[1] &&
                (results[0] || (bytes[0] == bytes[1] && !memcmp(texts, texts + MOST, bytes[0])));
    }
    return alike;
}

/* Keeps what was built, and makes it the proxy at once: so this process does as later ones, and
 * what drivers compile at a first launch they find then. */
static void keep(struct making *making)
{
    const char *options = making->asked->options;
    cl_program handle = making->asked->handle;
    size_t bytes = 0, log_bytes = 0;
    if (clopt_next->clGetProgramBuildInfo(handle, making->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                          &log_bytes) ||
        log_bytes > MOST_LOG_BYTES)
        return;
    CLOPT_FREED char *log = malloc(log_bytes + 1);
    CLOPT_FREED void *binary = clopt_kept_binary(&making->calls, handle, making->device, &bytes);
    if (!log || clopt_next->clGetProgramBuildInfo(handle, making->device, CL_PROGRAM_BUILD_LOG,
                                                  log_bytes, log, NULL))
        return;
    cl_program made = binary ? clopt_kept_load(&making->calls, making->context, making->device,
                                               options ? options : "", binary, bytes)
                             : NULL;
    bool alike = made && are_alike(handle, made, making->device);
    if (made && !alike)
        clopt_next->clReleaseProgram(made);
    const uint64_t begin = log_bytes;
    CLOPT_OWNED(clopt_text) entry = {0};
    clopt_text_append_bytes(&entry, (const char *)&begin, sizeof begin);
    clopt_text_append_bytes(&entry, log, log_bytes);
    if (alike)
        clopt_text_append_bytes(&entry, binary, bytes);
    clopt_cache_put(making->folder, making->key, entry.data, entry.length);
    clopt_cache_prune(making->folder, CLOPT_KEPT_BYTES);
    if (alike)
        put_proxy(making, made, true, log, log_bytes);
}

static cl_int build(const struct clopt_source_build *asked)
{
    return clopt_next->clBuildProgram(asked->handle, asked->count, asked->devices, asked->options,
                                      NULL, NULL);
}

static cl_int load_or_build(struct making *making)
{
    const char *options = making->asked->options;
    const struct clopt_kept_source source = {version, making->asked->source_hash,
                                             options ? options : ""};
    struct clopt_record *record = clopt_record_get();
    bool keeps = true;
    clopt_kept_key(&making->calls, making->device, &source, making->key);
    if (load(making, &keeps)) {
        record->loaded_programs++;
        return CL_SUCCESS;
    }
    cl_int result = build(making->asked);
    if (result == CL_SUCCESS && keeps)
        keep(making);
    record->built_programs += result == CL_SUCCESS;
    return result;
}

cl_int clopt_proxy_build(const struct clopt_source_build *asked)
{
    struct making making = {.asked = asked};
    if (!clopt_record_get()->keeps)
        return build(asked);
    making.folder = clopt_cache_folder("programs");
    making.calls = clopt_replacement_calls();
    clopt_layer_lock();
    making.program = clopt_object_find(CLOPT_PROGRAM, asked->handle);
    if (making.program)
        making.program->object.references++;
    clopt_layer_unlock();
    cl_int result = CL_SUCCESS;
    if (making.folder && may_be_kept(&making))
        result = load_or_build(&making);
    else if ((result = build(asked)) == CL_SUCCESS)
        clopt_record_get()->built_programs++;
    clopt_layer_lock();
    clopt_object_drop(making.program);
    clopt_layer_unlock();
    free(making.folder);
    return result;
}

/* ---- other builds of the same program ---- */

/* Makes a kernel of a program that is built, so that a driver knows that there is one. */
static cl_kernel make_any_kernel(cl_program handle)
{
    size_t bytes = 0;
    if (clopt_next->clGetProgramInfo(handle, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes))
        return NULL;
    CLOPT_FREED char *names = calloc(1, bytes + 1);
    if (!names || clopt_next->clGetProgramInfo(handle, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL))
        return NULL;
    names[strcspn(names, ";")] = '\0';
    return clopt_next->clCreateKernel(handle, names, NULL);
}

cl_kernel clopt_proxy_begin(cl_program handle)
{
    cl_kernel attached = NULL;
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    bool has_kernels = program && program->proxy && program->object.references > 1;
    if (has_kernels)
        program->object.references++;
    else if (program)
        clopt_proxy_drop(program);
    clopt_layer_unlock();
    if (has_kernels) {
        build_itself(program);
        attached = make_any_kernel(handle);
        clopt_layer_lock();
        clopt_object_drop(program);
        clopt_layer_unlock();
    }
    clopt_handles_release();
    return attached;
}

void clopt_proxy_end(cl_program handle, cl_kernel attached, cl_int result)
{
    if (!attached)
        return;
    clopt_next->clReleaseKernel(attached);
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    if (program && result == CL_SUCCESS)
        clopt_proxy_drop(program);
    clopt_layer_unlock();
    clopt_handles_release();
}

/* ---- questions ---- */

static cl_int count_references(cl_program handle, cl_program proxy, size_t size, void *value)
{
    cl_uint own = 0, others = 0;
    cl_int result =
        clopt_next->clGetProgramInfo(handle, CL_PROGRAM_REFERENCE_COUNT, sizeof own, &own, NULL);
    if (result != CL_SUCCESS ||
        (result = clopt_next->clGetProgramInfo(proxy, CL_PROGRAM_REFERENCE_COUNT, sizeof others,
                                               &others, NULL)) != CL_SUCCESS)
        return result;
    own += others - 2; /* the layer holds both */
    if (value && size >= sizeof own)
        memcpy(value, &own, sizeof own);
    return CL_SUCCESS;
}

cl_int clopt_proxy_info(cl_program handle, cl_program_info name, size_t size, void *value,
                        size_t *needed)
{
    cl_program found = clopt_proxy_find(handle);
    bool of_build = name == CL_PROGRAM_NUM_KERNELS || name == CL_PROGRAM_KERNEL_NAMES ||
                    name == CL_PROGRAM_BINARY_SIZES || name == CL_PROGRAM_BINARIES ||
                    name == CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT ||
                    name == CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT;
    cl_int result =
        clopt_next->clGetProgramInfo(of_build ? found : handle, name, size, value, needed);
    if (found != handle && name == CL_PROGRAM_REFERENCE_COUNT && result == CL_SUCCESS)
        return count_references(handle, found, size, value);
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL get_build_info(cl_program handle, cl_device_id device,
                                                      cl_program_build_info name, size_t size,
                                                      void *value, size_t *needed)
{
    cl_program found = clopt_proxy_find(handle);
    size_t bytes = 0;
    if (found == handle || name != CL_PROGRAM_BUILD_LOG)
        return clopt_next->clGetProgramBuildInfo(found, device, name, size, value, needed);
    cl_int result = clopt_next->clGetProgramBuildInfo(found, device, name, 0, NULL, &bytes);
    if (result != CL_SUCCESS)
        return result;
    clopt_layer_lock();
    const struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    const struct clopt_proxy *proxy = program ? program->proxy : NULL;
    if (proxy && value && size < proxy->log_bytes)
        result = CL_INVALID_VALUE;
    else if (proxy && value)
        memcpy(value, proxy->log, proxy->log_bytes);
    if (proxy && needed)
        *needed = proxy->log_bytes;
    clopt_layer_unlock();
    return result;
}

/* Finds the program of a kernel that is of a proxy, for the caller to drop; NULL: it is not. */
static struct clopt_program *find_program(cl_kernel handle, char name[255])
{
    struct clopt_program *program = NULL;
    clopt_layer_lock();
    const struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, handle);
    if (kernel && kernel->of_proxy && kernel->build == kernel->program->builds) {
        program = kernel->program;
        program->object.references++;
        memcpy(name, kernel->name, sizeof kernel->name);
    }
    clopt_layer_unlock();
    return program;
}

/* Returns the same kernel of the program that the application has made, which is built for that;
 * NULL: the kernel is of that, or there is no such. */
static cl_kernel make_twin(cl_kernel handle)
{
    char name[255];
    struct clopt_program *program = find_program(handle, name);
    if (!program)
        return NULL;
    build_itself(program);
    cl_kernel twin = clopt_next->clCreateKernel(program->object.handle, name, NULL);
    clopt_layer_lock();
    clopt_object_drop(program);
    clopt_layer_unlock();
    return twin;
}

static CL_API_ENTRY cl_int CL_API_CALL get_argument_info(cl_kernel handle, cl_uint index,
                                                         cl_kernel_arg_info name, size_t size,
                                                         void *value, size_t *needed)
{
    cl_kernel twin = make_twin(handle);
    cl_int result =
        clopt_next->clGetKernelArgInfo(twin ? twin : handle, index, name, size, value, needed);
    if (twin)
        clopt_next->clReleaseKernel(twin);
    return result;
}

/* Answers which program a kernel is of. Where the application has released that, what it does with
 * it from now on is not seen: it is built. */
static void answer_program(cl_kernel handle, void *value)
{
    char name[255];
    struct clopt_program *program = find_program(handle, name);
    if (!program)
        return;
    memcpy(value, &program->object.handle, sizeof(cl_program));
    if (!program->object.held)
        build_itself(program);
    clopt_layer_lock();
    clopt_object_drop(program);
    clopt_layer_unlock();
}

static CL_API_ENTRY cl_int CL_API_CALL get_kernel_info(cl_kernel handle, cl_kernel_info name,
                                                       size_t size, void *value, size_t *needed)
{
    cl_kernel twin = name == CL_KERNEL_ATTRIBUTES ? make_twin(handle) : NULL;
    cl_int result = clopt_next->clGetKernelInfo(twin ? twin : handle, name, size, value, needed);
    if (twin)
        clopt_next->clReleaseKernel(twin);
    if (name == CL_KERNEL_PROGRAM && result == CL_SUCCESS && value)
        answer_program(handle, value);
    return result;
}

void clopt_proxies_install(cl_icd_dispatch *dispatch)
{
    if (!clopt_record_get()->keeps)
        return;
    dispatch->clGetProgramBuildInfo = get_build_info;
    dispatch->clGetKernelArgInfo = get_argument_info;
    dispatch->clGetKernelInfo = get_kernel_info;
}
