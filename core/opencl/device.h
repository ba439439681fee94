/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists OpenCL devices, and chooses among them by name. */
#ifndef CLOPT_OPENCL_DEVICE_H
#define CLOPT_OPENCL_DEVICE_H

#include <stddef.h>

#include <CL/cl.h>
#include <jansson.h>

#include <clopt/device.h>
#include <clopt/error.h>

/* Lists the devices of all platforms, or of those called `platform` alone (NULL: all; opening a
 * driver that is not wanted may take a second), in the loader's order. Platforms and devices that
 * fail to answer are left out with a warning on stderr. No platform at all is CLOPT_FAILED. `ids`
 * (may be NULL) gets as many cl_device_id. The caller frees both. This opens OpenCL: the supervisor
 * must not call it. */
enum clopt_status clopt_device_list(const char *platform, struct clopt_device_info **devices,
                                    cl_device_id **ids, size_t *count, struct clopt_error *error);

/* Returns the place of device number `index` among those of its platform alone. */
size_t clopt_device_ordinal(const struct clopt_device_info *devices, size_t index);

/* Queries one device again: some answers change while a machine runs. */
enum clopt_status clopt_device_query(cl_device_id id, struct clopt_device_info *device,
                                     struct clopt_error *error);

/* Turn a device into a JSON object with the names of the struct's fields, and back. */
json_t *clopt_device_to_json(const struct clopt_device_info *device);
enum clopt_status clopt_device_from_json(const json_t *json, struct clopt_device_info *device,
                                         struct clopt_error *error);

/* Which device is meant: shell patterns as of fnmatch(), matched without regard to case against
 * the whole name, or any part of it where the pattern has no wildcard. NULL or "" matches all. */
struct clopt_device_pattern {
    const char *platform;
    const char *name;
    const char *type; /* cpu, gpu, accelerator, custom */
    /* A pattern for platform or name, or a type: what follows -d; "" where nothing does. */
    const char *any;
};

/* Chooses the one device that matches. None or several is CLOPT_INVALID with a list of what there
 * is. Needs no OpenCL. */
enum clopt_status clopt_device_choose(const struct clopt_device_info *devices, size_t count,
                                      const struct clopt_device_pattern *pattern, size_t *index,
                                      struct clopt_error *error);

#endif
