/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the energy of processors' packages by powercap. CLOPT_POWERCAP_PATH in the environment is
 * the folder of its zones, /sys/class/powercap without it. */
#include <dirent.h>
#include <errno.h>

#include <clopt/file.h>

#include "counters/counters.h"
#include "text/text.h"

#define POWERCAP   "/sys/class/powercap"
#define MOST_ZONES 16

/* One processor package. */
struct zone {
    char *path;     /* of its counter */
    uint64_t range; /* where it wraps, in uJ */
    uint64_t last;
};

struct powercap {
    struct zone zones[MOST_ZONES];
    size_t zone_count;
    double energy_nj;
};

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
static enum clopt_status add_zone(struct powercap *powercap, const char *folder, const char *name,
                                  struct clopt_error *error)
{
    struct zone *zone = &powercap->zones[powercap->zone_count];
    CLOPT_FREED char *named = clopt_text_format("%s/%s/name", folder, name);
    CLOPT_FREED char *range = clopt_text_format("%s/%s/max_energy_range_uj", folder, name);
    char label[32] = "";
    read_line(named, label, sizeof label, NULL);
    if (strncmp(label, "package", strlen("package")) != 0 || powercap->zone_count == MOST_ZONES)
        return CLOPT_OK;
    powercap->zone_count++;
    zone->path = clopt_text_format("%s/%s/energy_uj", folder, name);
    CLOPT_TRY(read_number(zone->path, &zone->last, error));
    return read_number(range, &zone->range, error);
}

static enum clopt_status open_zones(struct powercap *powercap, struct clopt_error *error)
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
            status = add_zone(powercap, folder, entry->d_name, error);
    closedir(entries);
    if (!status && !powercap->zone_count)
        status = clopt_fail(error, CLOPT_FAILED,
                            "%s has no zone of a processor package (intel-rapl:*)", folder);
    return status;
}

static void close_zones(void *state)
{
    struct powercap *powercap = state;
    for (size_t i = 0; i < powercap->zone_count; i++)
        free(powercap->zones[i].path);
    free(powercap);
}

static enum clopt_status open_powercap(const struct clopt_context *context, unsigned kernels,
                                       void **state, struct clopt_error *error)
{
    (void)kernels; /* one alone runs while energy is counted */
    if (!clopt_device_is_cpu(&context->info))
        return clopt_fail(error, CLOPT_INFEASIBLE, "it is no processor");
    struct powercap *powercap = *state = clopt_calloc(1, sizeof *powercap);
    enum clopt_status status = open_zones(powercap, error);
    if (status)
        close_zones(powercap);
    return status;
}

static enum clopt_status begin(void *state, struct clopt_error *error)
{
    struct powercap *powercap = state;
    for (size_t i = 0; i < powercap->zone_count; i++)
        CLOPT_TRY(read_number(powercap->zones[i].path, &powercap->zones[i].last, error));
    return CLOPT_OK;
}

static enum clopt_status end(void *state, unsigned kernel, struct clopt_error *error)
{
    struct powercap *powercap = state;
    (void)kernel;
    for (size_t i = 0; i < powercap->zone_count; i++) {
        struct zone *zone = &powercap->zones[i];
        uint64_t now;
        CLOPT_TRY(read_number(zone->path, &now, error));
        if (now > zone->range)
            return clopt_fail(error, CLOPT_FAILED, "%s: %" PRIu64 " is beyond its range, %" PRIu64,
                              zone->path, now, zone->range);
        uint64_t more = now >= zone->last ? now - zone->last : zone->range - zone->last + now;
        powercap->energy_nj += (double)more * 1e3;
    }
    return CLOPT_OK;
}

static bool get(const void *state, unsigned kernel, unsigned number, struct clopt_reading *count)
{
    const struct powercap *powercap = state;
    (void)kernel;
    *count = (struct clopt_reading){"energy", "nJ", "powercap", powercap->energy_nj};
    return number == 0;
}

const struct clopt_counter clopt_counter_powercap = {.use = CLOPT_COUNTS_ENERGY,
                                                     .open = open_powercap,
                                                     .begin = begin,
                                                     .end = end,
                                                     .get = get,
                                                     .close = close_zones};
