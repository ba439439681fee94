/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what a kernel needs with what a device has. */
#include "study/feasible.h"

#include <inttypes.h>
#include <stdio.h>

enum clopt_status clopt_fits_work_group(const char *kernel, const struct clopt_ndrange *ndrange,
                                        const struct clopt_device_info *device,
                                        struct clopt_error *error)
{
    size_t items = 1;
    if (!device)
        return CLOPT_OK;
    for (unsigned d = 0; d < 3 && d < ndrange->dimensions; d++) {
        size_t local = ndrange->local[d] ? ndrange->local[d] : 1;
        size_t most = device->max_work_item_sizes[d];
        if (most && local > most)
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "%s needs %zu work-items in dimension %u of a work-group, the device "
                              "allows %zu",
                              kernel, local, d, most);
        items = items > SIZE_MAX / local ? SIZE_MAX : items * local;
    }
    if (device->max_work_group_size && items > device->max_work_group_size)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "%s needs work-groups of %zu work-items, the device allows %zu", kernel,
                          items, device->max_work_group_size);
    return CLOPT_OK;
}

/* Prints a size as people read it: 33 KiB, 9.2 KiB, 100 bytes. */
static const char *print_size(uint64_t bytes, char *text, size_t size)
{
    if (bytes < 1024)
        snprintf(text, size, "%" PRIu64 " bytes", bytes);
    else if (bytes % 1024 == 0)
        snprintf(text, size, "%" PRIu64 " KiB", bytes / 1024);
    else
        snprintf(text, size, "%.1f KiB", (double)bytes / 1024);
    return text;
}

enum clopt_status clopt_fits_local_memory(const char *kernel, uint64_t bytes,
                                          const struct clopt_device_info *device,
                                          struct clopt_error *error)
{
    char needed[32];
    char available[32];
    if (!device || !device->local_memory_bytes || bytes <= device->local_memory_bytes)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE, "%s needs %s of local memory, the device has %s",
                      kernel, print_size(bytes, needed, sizeof needed),
                      print_size(device->local_memory_bytes, available, sizeof available));
}
