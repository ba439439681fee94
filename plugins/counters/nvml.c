/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the energy of a GPU by NVML, NVIDIA's library, which is loaded where it is needed. */
#include <dlfcn.h>

#include <clopt/memory.h>

#include "counters/counters.h"

struct nvml {
    void *library; /* NULL: not open */
    void *device;
    uint64_t last_mj; /* since the driver was loaded */
    double energy_nj;
};

#define LIBRARY "libnvidia-ml.so.1"

/* cl_khr_device_uuid, which headers may lack. */
#define UUID       0x106A
#define UUID_BYTES 16

/* Finds a function of the library. */
static enum clopt_status find(const struct nvml *nvml, const char *name, void *function,
                              struct clopt_error *error)
{
    void *symbol = dlsym(nvml->library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol ? CLOPT_OK
                  : clopt_fail(error, CLOPT_FAILED, LIBRARY ": it has no %s; a newer driver has",
                               name);
}

/* Says what a call of the library returned. */
static enum clopt_status fail(const struct nvml *nvml, const char *call, int code,
                              struct clopt_error *error)
{
    const char *(*name)(int);
    const char *text = find(nvml, "nvmlErrorString", &name, NULL) ? "unknown error" : name(code);
    return clopt_fail(error, CLOPT_FAILED, LIBRARY ": %s: %s (%d)", call, text, code);
}

static enum clopt_status find_device(const struct clopt_context *context, struct nvml *nvml,
                                     struct clopt_error *error)
{
    int (*find_by_uuid)(const char *, void **);
    unsigned char bytes[UUID_BYTES];
    char uuid[sizeof "GPU-" + sizeof bytes * 2 + 4] = "GPU-";
    if (clGetDeviceInfo(context->id, UUID, sizeof bytes, bytes, NULL) != CL_SUCCESS)
        return clopt_fail(error, CLOPT_FAILED,
                          "the driver does not say which GPU it is (cl_khr_device_uuid)");
    for (size_t i = 0, at = strlen(uuid); i < sizeof bytes; i++)
        at += (size_t)snprintf(uuid + at, sizeof uuid - at, "%s%02x",
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    CLOPT_TRY(find(nvml, "nvmlDeviceGetHandleByUUID", &find_by_uuid, error));
    int code = find_by_uuid(uuid, &nvml->device);
    if (!code)
        return CLOPT_OK;
    fail(nvml, "nvmlDeviceGetHandleByUUID", code, error);
    return clopt_fail_within(error, "%s", uuid);
}

static void close_nvml(void *state)
{
    struct nvml *nvml = state;
    int (*shut_down)(void);
    if (nvml->library && !find(nvml, "nvmlShutdown", &shut_down, NULL))
        shut_down();
    if (nvml->library)
        dlclose(nvml->library);
    free(nvml);
}

/* Loads the library, and finds the OpenCL device by its UUID. */
static enum clopt_status load(const struct clopt_context *context, struct nvml *nvml,
                              struct clopt_error *error)
{
    int (*init)(void);
    nvml->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library)
        return clopt_fail(error, CLOPT_FAILED, "%s", dlerror());
    CLOPT_TRY(find(nvml, "nvmlInit_v2", &init, error));
    int code = init();
    return code ? fail(nvml, "nvmlInit_v2", code, error) : find_device(context, nvml, error);
}

static enum clopt_status open_nvml(const struct clopt_context *context, unsigned kernels,
                                   void **state, struct clopt_error *error)
{
    (void)kernels; /* one alone runs while energy is counted */
    if (clopt_device_is_cpu(&context->info))
        return clopt_fail(error, CLOPT_INFEASIBLE, "it is a processor");
    struct nvml *nvml = *state = clopt_calloc(1, sizeof *nvml);
    enum clopt_status status = load(context, nvml, error);
    if (status)
        close_nvml(nvml);
    return status;
}

static enum clopt_status read_energy(const struct nvml *nvml, uint64_t *energy_mj,
                                     struct clopt_error *error)
{
    int (*read)(void *, unsigned long long *);
    unsigned long long energy = 0;
    CLOPT_TRY(find(nvml, "nvmlDeviceGetTotalEnergyConsumption", &read, error));
    int code = read(nvml->device, &energy);
    *energy_mj = energy;
    return code ? fail(nvml, "nvmlDeviceGetTotalEnergyConsumption", code, error) : CLOPT_OK;
}

static enum clopt_status begin(void *state, struct clopt_error *error)
{
    struct nvml *nvml = state;
    return read_energy(nvml, &nvml->last_mj, error);
}

static enum clopt_status end(void *state, unsigned kernel, struct clopt_error *error)
{
    struct nvml *nvml = state;
    uint64_t now;
    (void)kernel;
    CLOPT_TRY(read_energy(nvml, &now, error));
    if (now < nvml->last_mj)
        return clopt_fail(error, CLOPT_FAILED,
                          "the GPU's energy went back from %" PRIu64 " to %" PRIu64
                          " mJ: was its driver loaded again?",
                          nvml->last_mj, now);
    nvml->energy_nj += (double)(now - nvml->last_mj) * 1e6;
    return CLOPT_OK;
}

static bool get(const void *state, unsigned kernel, unsigned number, struct clopt_reading *count)
{
    const struct nvml *nvml = state;
    (void)kernel;
    *count = (struct clopt_reading){"energy", "nJ", "nvml", nvml->energy_nj};
    return number == 0;
}

const struct clopt_counter clopt_counter_nvml = {.use = CLOPT_COUNTS_ENERGY,
                                                 .open = open_nvml,
                                                 .begin = begin,
                                                 .end = end,
                                                 .get = get,
                                                 .close = close_nvml};
