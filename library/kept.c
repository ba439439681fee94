/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of winners, and what winners of siblings gain, kept in clopt's cache. */
#include "library/kept.h"

#include "file/cache.h"
#include "library/family.h"
#include "opencl/traits.h"
#include "text/text.h"

/* Change whenever what is kept would mean something else. */
static const char version[] = "clopt winner 1", gain_version[] = "clopt gain 1";

/* Adds a text that a device has, or its platform. */
static void add_text(const struct clopt_program_calls *calls, struct clopt_sha256 *hash,
                     cl_device_id device, cl_device_info what, cl_platform_id platform)
{
    char text[4096] = "";
    if (platform)
        calls->get_platform_info(platform, what, sizeof text - 1, text, NULL);
    else
        calls->get_device_info(device, what, sizeof text - 1, text, NULL);
    clopt_sha256_add_string(hash, text);
}

void clopt_kept_key(const struct clopt_program_calls *calls, cl_device_id device,
                    const struct clopt_kept_source *source, char key[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    cl_platform_id platform = NULL;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, source->what);
    clopt_sha256_add_string(&hash, source->code);
    clopt_sha256_add_string(&hash, source->options);
    calls->get_device_info(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    static const cl_device_info of_device[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                               CL_DRIVER_VERSION};
    static const cl_platform_info of_platform[] = {CL_PLATFORM_NAME, CL_PLATFORM_VERSION};
    for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
        add_text(calls, &hash, device, of_device[i], NULL);
    for (size_t i = 0; platform && i < sizeof of_platform / sizeof *of_platform; i++)
        add_text(calls, &hash, device, of_platform[i], platform);
    clopt_traits_hash_environment(&hash);
    clopt_sha256_end(&hash, key);
}

/* Makes a key of a winner, and of what is kept of it. */
static void make_key(const struct clopt_program_calls *calls, cl_device_id device,
                     const struct clopt_winner *winner, const char *what, char key[CLOPT_HASH_SIZE])
{
    const struct clopt_kept_source source = {what, winner->code, winner->build};
    clopt_kept_key(calls, device, &source, key);
}

cl_program clopt_kept_load(const struct clopt_program_calls *calls, cl_context context,
                           cl_device_id device, const char *options, const void *binary,
                           size_t bytes)
{
    const unsigned char *data = binary;
    cl_int state = CL_INVALID_BINARY, code = CL_SUCCESS;
    cl_program program =
        calls->create_with_binary(context, 1, &device, &bytes, &data, &state, &code);
    if (program && (state != CL_SUCCESS ||
                    calls->build(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)) {
        calls->release(program);
        program = NULL;
    }
    return program;
}

/* Loads a program; NULL: it is not kept, or the driver refuses it. */
static cl_program load(const struct clopt_program_calls *calls, cl_context context,
                       cl_device_id device, const char *options, const char *folder,
                       const char *key)
{
    size_t bytes = 0;
    const void *binary = clopt_cache_find(folder, key, &bytes);
    cl_program program =
        binary ? clopt_kept_load(calls, context, device, options, binary, bytes) : NULL;
    clopt_cache_release(binary, bytes);
    return program;
}

void *clopt_kept_binary(const struct clopt_program_calls *calls, cl_program program,
                        cl_device_id device, size_t *bytes)
{
    enum { MOST_DEVICES = 64 };
    cl_device_id devices[MOST_DEVICES];
    size_t sizes[MOST_DEVICES], given = 0;
    unsigned char *binaries[MOST_DEVICES] = {NULL};
    if (calls->get_info(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &given) ||
        calls->get_info(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL))
        return NULL;
    size_t count = given / sizeof *devices, number = 0;
    while (number < count && devices[number] != device)
        number++;
    if (number == count || !sizes[number] || sizes[number] > CLOPT_KEPT_BYTES)
        return NULL;
    *bytes = sizes[number];
    binaries[number] = malloc(*bytes); /* NULL: that one is not wanted */
    if (binaries[number] &&
        !calls->get_info(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries, NULL))
        return binaries[number];
    free(binaries[number]);
    return NULL;
}

/* Keeps what was built for a device, which is one of those of the program. What cannot be kept is
 * built again another time. */
static void keep(const struct clopt_program_calls *calls, cl_program program, cl_device_id device,
                 const char *folder, const char *key)
{
    size_t bytes = 0;
    CLOPT_FREED void *binary = clopt_kept_binary(calls, program, device, &bytes);
    if (!binary)
        return;
    clopt_cache_put(folder, key, binary, bytes);
    clopt_cache_prune(folder, CLOPT_KEPT_BYTES);
}

cl_program clopt_kept_program(const struct clopt_program_calls *calls, cl_context context,
                              cl_device_id device, const struct clopt_winner *winner, bool *loaded,
                              cl_int *code)
{
    char key[CLOPT_HASH_SIZE];
    CLOPT_FREED char *folder = clopt_cache_folder("winners");
    const char *source = winner->code;
    cl_program program = NULL;
    *code = CL_SUCCESS;
    if (folder) {
        make_key(calls, device, winner, version, key);
        program = load(calls, context, device, winner->build, folder, key);
    }
    *loaded = program != NULL;
    if (program || !(program = calls->create_with_source(context, 1, &source, NULL, code)))
        return program;
    *code = calls->build(program, 1, &device, winner->build, NULL, NULL);
    if (*code || !folder)
        return program;
    keep(calls, program, device, folder, key);
    /* What PoCL compiles at a first launch it caches by the binary: a later process finds it so. */
    cl_program kept = load(calls, context, device, winner->build, folder, key);
    if (!kept)
        return program;
    calls->release(program);
    return kept;
}

/* Finds where the gain of a winner is kept; returns the folder, which the caller frees. */
static char *find_gain(const struct clopt_program_calls *calls, cl_device_id device,
                       const struct clopt_winner *winner, char key[CLOPT_HASH_SIZE])
{
    CLOPT_FREED char *what = clopt_text_format("%s %s", gain_version, winner->kernel);
    make_key(calls, device, winner, what, key);
    return clopt_cache_folder("winners");
}

double clopt_kept_gain(const struct clopt_program_calls *calls, cl_device_id device,
                       const struct clopt_winner *winner)
{
    char key[CLOPT_HASH_SIZE];
    double gain = 0;
    size_t bytes = sizeof gain;
    CLOPT_FREED char *folder = find_gain(calls, device, winner, key);
    const void *data = folder ? clopt_cache_find(folder, key, &bytes) : NULL;
    if (data)
        memcpy(&gain, data, sizeof gain);
    clopt_cache_release(data, bytes);
    return gain;
}

void clopt_kept_put_gain(const struct clopt_program_calls *calls, cl_device_id device,
                         const struct clopt_winner *winner, double gain)
{
    char key[CLOPT_HASH_SIZE];
    CLOPT_FREED char *folder = find_gain(calls, device, winner, key);
    if (folder)
        clopt_cache_put(folder, key, &gain, sizeof gain);
}

void clopt_kept_family(const struct clopt_program_calls *calls, cl_device_id device,
                       char family[CLOPT_FAMILY_SIZE])
{
    char vendor[128] = "", name[128] = "";
    cl_device_type type = 0;
    cl_uint units = 0;
    cl_ulong local = 0;
    calls->get_device_info(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    calls->get_device_info(device, CL_DEVICE_VENDOR, sizeof vendor - 1, vendor, NULL);
    calls->get_device_info(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    calls->get_device_info(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    calls->get_device_info(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    const struct clopt_family_traits traits = {type & CL_DEVICE_TYPE_GPU   ? "gpu"
                                               : type & CL_DEVICE_TYPE_CPU ? "cpu"
                                                                           : "",
                                               vendor, name, units, local};
    clopt_family_name(&traits, family);
}
