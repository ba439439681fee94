/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads energy counters. */
#include "opencl/energy.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <time.h>

#include <clopt/file.h>

#include "process/clock.h"
#include "text/text.h"

#define POWERCAP   "/sys/class/powercap"
#define MOST_ZONES 16
#define STILL_S    2 /* a counter that does not move for so long is none: the slowest take 0.1 s */

/* One processor package. */
struct zone {
    char *path;     /* of its counter */
    uint64_t range; /* where it wraps, in uJ */
    uint64_t last;
};

/* ---- NVML, the library that tells the energy of a GPU, which is loaded where it is needed ---- */

struct nvml {
    void *library; /* NULL: not open */
    void *device;
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

static void nvml_close(struct nvml *nvml)
{
    int (*shut_down)(void);
    if (!nvml->library)
        return;
    if (!find(nvml, "nvmlShutdown", &shut_down, NULL))
        shut_down();
    dlclose(nvml->library);
    *nvml = (struct nvml){.library = NULL};
}

/* Loads the library, and finds the OpenCL device by its UUID. To be closed where that fails, too.
 */
static enum clopt_status nvml_open(const struct clopt_context *context, struct nvml *nvml,
                                   struct clopt_error *error)
{
    int (*init)(void);
    *nvml = (struct nvml){.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    if (!nvml->library)
        return clopt_fail(error, CLOPT_FAILED, "%s", dlerror());
    CLOPT_TRY(find(nvml, "nvmlInit_v2", &init, error));
    int code = init();
    return code ? fail(nvml, "nvmlInit_v2", code, error) : find_device(context, nvml, error);
}

/* Reads the energy since the driver was loaded. */
static enum clopt_status nvml_read(const struct nvml *nvml, uint64_t *energy_mj,
                                   struct clopt_error *error)
{
    int (*read)(void *, unsigned long long *);
    unsigned long long energy = 0;
    CLOPT_TRY(find(nvml, "nvmlDeviceGetTotalEnergyConsumption", &read, error));
    int code = read(nvml->device, &energy);
    *energy_mj = energy;
    return code ? fail(nvml, "nvmlDeviceGetTotalEnergyConsumption", code, error) : CLOPT_OK;
}

struct clopt_energy {
    struct nvml nvml;
    struct zone zones[MOST_ZONES];
    size_t zone_count; /* 0: it is a GPU */
    uint64_t last_mj;  /* of the GPU */
    double energy_nj;
};

/* ---- powercap ---- */

/* Reads the first line of a file. */
static enum clopt_status read_line(const char *path, char *line, int size,
                                   struct clopt_error *error)
{
    CLOPT_CLOSED FILE *stream = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    if (!fgets(line, size, stream))
        return clopt_fail(error, CLOPT_FAILED, "%s: nothing can be read from it", path);
    line[strcspn(line, "\n")] = '\0';
    return CLOPT_OK;
}

static enum clopt_status read_number(const char *path, uint64_t *number, struct clopt_error *error)
{
    char line[32], *end = line;
    errno = 0;
    CLOPT_TRY(read_line(path, line, sizeof line, error));
    *number = strtoull(line, &end, 10);
    return line[0] >= '0' && line[0] <= '9' && !*end && !errno
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_FAILED, "%s: %s is not a number of microjoules", path,
                            line);
}

/* Adds a zone, if it is a processor package: others are parts of one, or have several. */
static enum clopt_status add_zone(struct clopt_energy *energy, const char *folder, const char *name,
                                  struct clopt_error *error)
{
    struct zone *zone = &energy->zones[energy->zone_count];
    CLOPT_FREED char *named = clopt_text_format("%s/%s/name", folder, name);
    CLOPT_FREED char *range = clopt_text_format("%s/%s/max_energy_range_uj", folder, name);
    char label[32] = "";
    read_line(named, label, sizeof label, NULL);
    if (strncmp(label, "package", strlen("package")) != 0 || energy->zone_count == MOST_ZONES)
        return CLOPT_OK;
    energy->zone_count++;
    zone->path = clopt_text_format("%s/%s/energy_uj", folder, name);
    CLOPT_TRY(read_number(zone->path, &zone->last, error));
    return read_number(range, &zone->range, error);
}

static enum clopt_status open_zones(struct clopt_energy *energy, struct clopt_error *error)
{
    const char *path = getenv("CLOPT_POWERCAP_PATH");
    const char *folder = path ? path : POWERCAP;
    DIR *entries = opendir(folder);
    enum clopt_status status = CLOPT_OK;
    struct dirent *entry;
    if (!entries)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", folder, strerror(errno));
    while (!status && (entry = readdir(entries)))
        if (strncmp(entry->d_name, "intel-rapl:", strlen("intel-rapl:")) == 0)
            status = add_zone(energy, folder, entry->d_name, error);
    closedir(entries);
    if (!status && !energy->zone_count)
        status = clopt_fail(error, CLOPT_FAILED,
                            "%s has no zone of a processor package (intel-rapl:*)", folder);
    return status;
}

static enum clopt_status read_zones(struct clopt_energy *energy, struct clopt_error *error)
{
    for (size_t i = 0; i < energy->zone_count; i++) {
        struct zone *zone = &energy->zones[i];
        uint64_t now;
        CLOPT_TRY(read_number(zone->path, &now, error));
        if (now > zone->range)
            return clopt_fail(error, CLOPT_FAILED, "%s: %" PRIu64 " is beyond its range, %" PRIu64,
                              zone->path, now, zone->range);
        uint64_t more = now >= zone->last ? now - zone->last : zone->range - zone->last + now;
        energy->energy_nj += (double)more * 1e3;
        zone->last = now;
    }
    return CLOPT_OK;
}

/* ---- any counter ---- */

static enum clopt_status read_gpu(struct clopt_energy *energy, struct clopt_error *error)
{
    uint64_t now;
    CLOPT_TRY(nvml_read(&energy->nvml, &now, error));
    if (now < energy->last_mj)
        return clopt_fail(error, CLOPT_FAILED,
                          "the GPU's energy went back from %" PRIu64 " to %" PRIu64
                          " mJ: was its driver loaded again?",
                          energy->last_mj, now);
    energy->energy_nj += (double)(now - energy->last_mj) * 1e6;
    energy->last_mj = now;
    return CLOPT_OK;
}

enum clopt_status clopt_energy_read(struct clopt_energy *energy, double *energy_nj,
                                    struct clopt_error *error)
{
    enum clopt_status status =
        energy->zone_count ? read_zones(energy, error) : read_gpu(energy, error);
    *energy_nj = energy->energy_nj;
    return status;
}

/* Waits until the counter moves. */
static enum clopt_status see_it_move(struct clopt_energy *energy, struct clopt_error *error)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int64_t began = clopt_now_ns();
    double first, now;
    CLOPT_TRY(clopt_energy_read(energy, &first, error));
    do {
        nanosleep(&pause, NULL);
        CLOPT_TRY(clopt_energy_read(energy, &now, error));
    } while (!(now > first) && clopt_now_ns() - began < STILL_S * INT64_C(1000000000));
    return now > first ? CLOPT_OK
                       : clopt_fail(error, CLOPT_FAILED, "its energy counter did not move for %d s",
                                    STILL_S);
}

enum clopt_status clopt_energy_open(const struct clopt_context *context,
                                    struct clopt_energy **energy, struct clopt_error *error)
{
    CLOPT_HELD(clopt_energy) opened = clopt_calloc(1, sizeof *opened);
    *energy = NULL;
    if (strcmp(context->info.type, "cpu") == 0) {
        CLOPT_TRY(open_zones(opened, error));
    } else {
        CLOPT_TRY(nvml_open(context, &opened->nvml, error));
        CLOPT_TRY(nvml_read(&opened->nvml, &opened->last_mj, error));
    }
    CLOPT_TRY(see_it_move(opened, error));
    *energy = opened;
    opened = NULL;
    return CLOPT_OK;
}

void clopt_energy_close(struct clopt_energy *energy)
{
    if (!energy)
        return;
    nvml_close(&energy->nvml);
    for (size_t i = 0; i < energy->zone_count; i++)
        free(energy->zones[i].path);
    free(energy);
}
