/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded before the OpenCL loader, does what CLOPT_ODD_LOADER says: "gpu": every device says that
 * it is a GPU, so that clopt builds and gets ready while it measures; "nvidia": so it does, and
 * has a UUID; "small": that it has 256
 * bytes of local memory; "refuses": so it does, and launches no kernel that needs more; "dies": the
 * process that asks for the platforms dies, once for each byte of the file CLOPT_ODD_LIVES;
 * "opens": each process that asks for them adds a byte there, 1, or 0 where drivers are to cache
 * nothing; "cuts": the list in OCL_ICD_FILENAMES is cut at its first colon, as Khronos' loader
 * does, and there is no platform where it has none; "peaks-die", "peaks-hang", "peaks-lie": the
 * process that measures what a device can do at most dies, never ends, or finds something wrong in
 * the first number that it reads; "counts": the file CLOPT_ODD_LAUNCHES gets the name of each
 * kernel that is launched; "loses": every device says that it is a GPU, and the second one of a
 * platform cannot be opened once the file CLOPT_ODD_LIVES exists, which "loses-later" makes when it
 * is opened for the first time; "slow-build": programs with the text CLOPT_ODD_TEXT are never
 * built; "verbose": every platform is NVIDIA's, and what it builds with -cl-nv-verbose has the
 * build log CLOPT_ODD_TEXT; a binary that is loaded without it makes the file CLOPT_ODD_LIVES;
 * "no-times": the times of events are never written; "early-ends": each event ends before it
 * begins; "ticks": each is 1 ns after the one before it; "constant": each event takes 1 ms;
 * "tenth", "tenfold": each takes a tenth of its time, or ten times it; "freezes": the clock stands
 * still for the last three quarters of one launch in five; "slow-start": each is 1 ns after the one
 * before it, and launches begin 20 ms late while the clocks are compared; "late-ends": the host
 * hears of the end of the first launches late, by half of what they take. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <CL/cl.h>

#define EXPORTED __attribute__((visibility("default")))

typedef cl_int (*ask_device)(cl_device_id, cl_device_info, size_t, void *, size_t *);
typedef cl_int (*ask_platforms)(cl_uint, cl_platform_id *, cl_uint *);

#define UUID_BYTES 16
#define LATE_ENDS  150 /* more than one comparison of clocks waits for */

static const cl_ulong local_bytes = 256;          /* that a small device has */
static const cl_device_info device_uuid = 0x106A; /* cl_khr_device_uuid */

static bool is_to_do(const char *what)
{
    const char *wanted = getenv("CLOPT_ODD_LOADER");
    return wanted && strcmp(wanted, what) == 0;
}

EXPORTED cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                size_t *size_needed)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    ask_device ask;
    memcpy(&ask, &symbol, sizeof ask);
    cl_int code = ask(device, what, size, value, size_needed);
    const cl_device_type type = CL_DEVICE_TYPE_GPU;
    if (is_to_do("nvidia") && what == device_uuid && size == UUID_BYTES) {
        for (unsigned char i = 0; i < UUID_BYTES; i++)
            ((unsigned char *)value)[i] = 0xf0 + i;
        return CL_SUCCESS;
    }
    if ((is_to_do("gpu") || is_to_do("nvidia") || is_to_do("loses") || is_to_do("loses-later")) &&
        code == CL_SUCCESS && what == CL_DEVICE_TYPE && value)
        memcpy(value, &type, sizeof type);
    bool is_small = is_to_do("small") || is_to_do("refuses");
    if (is_small && code == CL_SUCCESS && what == CL_DEVICE_LOCAL_MEM_SIZE && value)
        memcpy(value, &local_bytes, sizeof local_bytes);
    return code;
}

/* Appends the name of a kernel to the list of launches. */
static void list_launch(const char *name)
{
    FILE *list = fopen(getenv("CLOPT_ODD_LAUNCHES"), "a");
    if (list) {
        fprintf(list, "%s\n", name);
        fclose(list);
    }
}

EXPORTED cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint count, const cl_event *events,
                                       cl_event *event)
{
    void *symbol = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    cl_int (*launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                     const size_t *, cl_uint, const cl_event *, cl_event *);
    memcpy(&launch, &symbol, sizeof launch);
    cl_ulong needed = 0;
    char name[100] = "";
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    if (is_to_do("refuses") &&
        clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof needed, &needed,
                                 NULL) == CL_SUCCESS &&
        needed > local_bytes)
        return CL_OUT_OF_RESOURCES;
    if (is_to_do("counts"))
        list_launch(name);
    if (is_to_do("slow-start") && strcmp(name, "clock_steps") == 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    return launch(queue, kernel, dimensions, offset, global, local, count, events, event);
}

EXPORTED cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                              const size_t *lengths, cl_int *code)
{
    void *symbol = dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    cl_program (*create)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    memcpy(&create, &symbol, sizeof create);
    while (is_to_do("slow-build") && count && strstr(texts[0], getenv("CLOPT_ODD_TEXT")))
        pause();
    return create(context, count, texts, lengths, code);
}

EXPORTED cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size,
                                  void *value, size_t *size_needed)
{
    static const char name[] = "NVIDIA CUDA";
    void *symbol = dlsym(RTLD_NEXT, "clGetPlatformInfo");
    cl_int (*ask)(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
    memcpy(&ask, &symbol, sizeof ask);
    if (!is_to_do("verbose") || what != CL_PLATFORM_NAME)
        return ask(platform, what, size, value, size_needed);
    if (size_needed)
        *size_needed = sizeof name;
    if (value && size >= sizeof name)
        memcpy(value, name, sizeof name);
    return CL_SUCCESS;
}

static bool is_binary; /* the last program was made of one */

EXPORTED cl_program clCreateProgramWithBinary(cl_context context, cl_uint count,
                                              const cl_device_id *devices, const size_t *lengths,
                                              const unsigned char **binaries, cl_int *statuses,
                                              cl_int *code)
{
    void *symbol = dlsym(RTLD_NEXT, "clCreateProgramWithBinary");
    cl_program (*create)(cl_context, cl_uint, const cl_device_id *, const size_t *,
                         const unsigned char **, cl_int *, cl_int *);
    memcpy(&create, &symbol, sizeof create);
    is_binary = true;
    return create(context, count, devices, lengths, binaries, statuses, code);
}

static bool is_verbose; /* the last program was built so */

EXPORTED cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                               const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                               void *user)
{
    static const char verbose[] = "-cl-nv-verbose";
    void *symbol = dlsym(RTLD_NEXT, "clBuildProgram");
    cl_int (*build)(cl_program, cl_uint, const cl_device_id *, const char *,
                    void(CL_CALLBACK *)(cl_program, void *), void *);
    memcpy(&build, &symbol, sizeof build);
    char *known = is_to_do("verbose") && options ? strdup(options) : NULL;
    char *at = known ? strstr(known, verbose) : NULL;
    const char *lives = getenv("CLOPT_ODD_LIVES");
    if (is_to_do("verbose") && is_binary && !at && lives)
        fclose(fopen(lives, "w"));
    is_binary = false;
    is_verbose = at;
    if (at)
        memset(at, ' ', sizeof verbose - 1);
    cl_int code = build(program, count, devices, at ? known : options, notify, user);
    free(known);
    return code;
}

EXPORTED cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                      cl_program_build_info what, size_t size, void *value,
                                      size_t *size_needed)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetProgramBuildInfo");
    cl_int (*ask)(cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *);
    memcpy(&ask, &symbol, sizeof ask);
    const char *log = getenv("CLOPT_ODD_TEXT");
    if (!is_verbose || !log || what != CL_PROGRAM_BUILD_LOG)
        return ask(program, device, what, size, value, size_needed);
    if (size_needed)
        *size_needed = strlen(log) + 1;
    if (value && size > strlen(log))
        memcpy(value, log, strlen(log) + 1);
    return CL_SUCCESS;
}

/* Whether a device is the second one of its platform. */
static bool is_second(cl_device_id device)
{
    cl_platform_id platform;
    cl_device_id devices[2] = {NULL, NULL};
    return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) ==
               CL_SUCCESS &&
           clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL) == CL_SUCCESS &&
           devices[1] == device;
}

EXPORTED cl_context clCreateContext(
    const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *code)
{
    void *symbol = dlsym(RTLD_NEXT, "clCreateContext");
    cl_context (*create)(const cl_context_properties *, cl_uint, const cl_device_id *,
                         void(CL_CALLBACK *)(const char *, const void *, size_t, void *), void *,
                         cl_int *);
    memcpy(&create, &symbol, sizeof create);
    const char *lost = getenv("CLOPT_ODD_LIVES");
    bool loses = (is_to_do("loses") || is_to_do("loses-later")) && lost && is_second(devices[0]);
    if (loses && access(lost, F_OK) == 0) {
        *code = CL_DEVICE_NOT_AVAILABLE;
        return NULL;
    }
    if (loses && is_to_do("loses-later"))
        close(open(lost, O_WRONLY | O_CREAT, 0600));
    return create(properties, count, devices, notify, user, code);
}

EXPORTED cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
                                        void *value, size_t *size_needed)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetEventProfilingInfo");
    cl_int (*ask)(cl_event, cl_profiling_info, size_t, void *, size_t *);
    memcpy(&ask, &symbol, sizeof ask);
    static unsigned launches;
    cl_ulong time = what - CL_PROFILING_COMMAND_QUEUED, began = 0, ended = 0;
    cl_int code = CL_SUCCESS;
    if (is_to_do("no-times"))
        return CL_SUCCESS;
    bool scales =
        is_to_do("constant") || is_to_do("tenth") || is_to_do("tenfold") || is_to_do("freezes");
    if (!is_to_do("early-ends") && !is_to_do("ticks") && !is_to_do("slow-start") &&
        (!scales || what != CL_PROFILING_COMMAND_END))
        return ask(event, what, size, value, size_needed);
    if (scales) {
        code = ask(event, CL_PROFILING_COMMAND_START, sizeof began, &began, NULL);
        code = code ? code : ask(event, what, sizeof ended, &ended, NULL);
        bool stands = is_to_do("freezes") && ++launches % 5 == 0;
        time = began + (is_to_do("constant")  ? 1000000
                        : is_to_do("tenfold") ? 10 * (ended - began)
                                              : (ended - began) / (is_to_do("tenth") ? 10
                                                                   : stands          ? 4
                                                                                     : 1));
    } else if (is_to_do("early-ends")) {
        time = 1000 * (CL_PROFILING_COMMAND_END - what + 1);
    }
    if (value && !code)
        memcpy(value, &time, sizeof time);
    return code;
}

EXPORTED cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    void *symbol = dlsym(RTLD_NEXT, "clWaitForEvents");
    cl_int (*wait)(cl_uint, const cl_event *);
    memcpy(&wait, &symbol, sizeof wait);
    static unsigned waits;
    cl_ulong began, ended;
    cl_int code = wait(count, events);
    if (is_to_do("late-ends") && waits++ < LATE_ENDS && count &&
        clGetEventProfilingInfo(events[0], CL_PROFILING_COMMAND_START, sizeof began, &began,
                                NULL) == CL_SUCCESS &&
        clGetEventProfilingInfo(events[0], CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL) ==
            CL_SUCCESS)
        nanosleep(&(struct timespec){.tv_nsec = (long)(ended - began) / 2 % 1000000000}, NULL);
    return code;
}

static bool is_measuring_peaks; /* this process has made a kernel of those */

EXPORTED cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    void *symbol = dlsym(RTLD_NEXT, "clCreateKernel");
    cl_kernel (*create)(cl_program, const char *, cl_int *);
    memcpy(&create, &symbol, sizeof create);
    is_measuring_peaks = strncmp(name, "peak_", 5) == 0;
    if (is_measuring_peaks && is_to_do("peaks-die"))
        raise(SIGKILL);
    while (is_measuring_peaks && is_to_do("peaks-hang"))
        pause();
    return create(program, name, code);
}

EXPORTED cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    size_t offset, size_t bytes, void *data, cl_uint count,
                                    const cl_event *events, cl_event *event)
{
    void *symbol = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
    cl_int (*read)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
                   const cl_event *, cl_event *);
    memcpy(&read, &symbol, sizeof read);
    cl_int code = read(queue, buffer, blocking, offset, bytes, data, count, events, event);
    if (is_measuring_peaks && is_to_do("peaks-lie"))
        ++*(unsigned char *)data;
    return code;
}

/* Takes one of the lives, a byte each. */
static bool take_life(void)
{
    const char *path = getenv("CLOPT_ODD_LIVES");
    struct stat file;
    return path && stat(path, &file) == 0 && file.st_size > 0 &&
           truncate(path, file.st_size - 1) == 0;
}

/* Adds a byte for this process to the file of lives. */
static void count_process(void)
{
    static bool counted;
    FILE *file = counted ? NULL : fopen(getenv("CLOPT_ODD_LIVES"), "a");
    counted = true;
    if (file) {
        fputc(getenv("CUDA_CACHE_DISABLE") ? '0' : '1', file);
        fclose(file);
    }
}

/* Cuts the list of drivers, for this process and those that it starts. Returns whether it had two.
 */
static bool cut_list(void)
{
    static bool had_two;
    char *list = getenv("OCL_ICD_FILENAMES");
    char *colon = list ? strchr(list, ':') : NULL;
    if (colon) {
        *colon = '\0';
        had_two = true;
    }
    return had_two;
}

EXPORTED cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetPlatformIDs");
    ask_platforms ask;
    memcpy(&ask, &symbol, sizeof ask);
    if (is_to_do("dies") && take_life())
        raise(SIGKILL);
    if (is_to_do("opens"))
        count_process();
    if (is_to_do("cuts") && !cut_list())
        return -1001;
    return ask(room, platforms, count);
}
