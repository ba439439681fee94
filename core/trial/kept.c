/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what was measured of devices. */
#include "trial/kept.h"

#include "file/cache.h"

#define FOLDER "access" /* in clopt's cache */

static void make_key(const char *name, const struct clopt_device_info *device,
                     char key[CLOPT_HASH_SIZE])
{
    const char *const parts[] = {
        name,           device->platform,       device->platform_version, device->name,
        device->vendor, device->opencl_version, device->driver_version};
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        clopt_sha256_add_string(&hash, parts[i]);
    clopt_sha256_end(&hash, key);
}

void clopt_kept_put(const char *name, const struct clopt_device_info *device, const json_t *json)
{
    char key[CLOPT_HASH_SIZE];
    CLOPT_FREED char *text = json_dumps(json, JSON_COMPACT), *folder = clopt_cache_folder(FOLDER);
    make_key(name, device, key);
    if (text && folder)
        clopt_cache_put(folder, key, text, strlen(text));
}

json_t *clopt_kept_get(const char *name, const struct clopt_device_info *device)
{
    char key[CLOPT_HASH_SIZE], *folder = clopt_cache_folder(FOLDER);
    size_t bytes = 0;
    make_key(name, device, key);
    const void *data = folder ? clopt_cache_find(folder, key, &bytes) : NULL;
    json_t *json = data ? json_loadb(data, bytes, 0, NULL) : NULL;
    clopt_cache_release(data, bytes);
    free(folder);
    return json;
}
