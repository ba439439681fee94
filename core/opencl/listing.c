/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists OpenCL devices, and asks them what they are. */
#include "opencl/listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "file/file.h"
#include "opencl/device.h"
#include "opencl/device_field.h"
#include "opencl/name.h"
#include "process/child.h"

/* What is found, growing platform by platform. */
struct found {
    struct clopt_device_info *devices;
    cl_device_id *ids;
    size_t count;
};

/* Asks for a number; leaves it 0 where the device does not answer, and remembers that. */
static void ask(cl_device_id id, cl_device_info what, void *answer, size_t bytes, cl_int *code)
{
    cl_int now = clGetDeviceInfo(id, what, bytes, answer, NULL);
    if (now != CL_SUCCESS && *code == CL_SUCCESS)
        *code = now;
}

/* Copies an answer of any length, cut to the size of its field. */
static void keep_text(char *field, size_t size, const char *answer)
{
    size_t length = strnlen(answer, size - 1);
    memcpy(field, answer, length);
    field[length] = '\0';
}

static void ask_text(cl_device_id id, cl_device_info what, char *field, size_t size, cl_int *code)
{
    size_t bytes = 0;
    cl_int now = clGetDeviceInfo(id, what, 0, NULL, &bytes);
    CLOPT_FREED char *answer = clopt_calloc(bytes + 1, 1);
    if (now == CL_SUCCESS)
        now = clGetDeviceInfo(id, what, bytes, answer, NULL);
    if (now == CL_SUCCESS)
        keep_text(field, size, answer);
    else if (*code == CL_SUCCESS)
        *code = now;
}

static cl_int platform_text(cl_platform_id platform, cl_platform_info what, char *field,
                            size_t size)
{
    char answer[1024] = "";
    cl_int code = clGetPlatformInfo(platform, what, sizeof answer - 1, answer, NULL);
    if (code == CL_SUCCESS)
        keep_text(field, size, answer);
    return code;
}

static const char *type_name(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_CPU           ? "cpu"
           : type & CL_DEVICE_TYPE_GPU         ? "gpu"
           : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                               : "custom";
}

/* Asks for what is kept as the device says it. */
static void ask_fields(cl_device_id id, struct clopt_device_info *device, cl_int *code)
{
    for (const struct clopt_device_field *field = clopt_device_fields; field->name; field++) {
        char *value = (char *)device + field->at;
        cl_bool truth = CL_FALSE;
        if (field->query && field->kind == CLOPT_DEVICE_TEXT)
            ask_text(id, field->query, value, field->bytes, code);
        else if (field->kind == CLOPT_DEVICE_NUMBER)
            ask(id, field->query, value, field->bytes, code);
        if (field->kind != CLOPT_DEVICE_TRUTH)
            continue;
        ask(id, field->query, &truth, sizeof truth, code);
        *(bool *)value = truth;
    }
}

static void ask_version(cl_device_id id, struct clopt_device_info *device, cl_int *code)
{
    static const char prefix[] = "OpenCL ";
    char version[sizeof device->opencl_version + sizeof prefix] = "";
    ask_text(id, CL_DEVICE_VERSION, version, sizeof version, code);
    size_t skipped = strncmp(version, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    keep_text(device->opencl_version, sizeof device->opencl_version, version + skipped);
}

static void ask_sizes(cl_device_id id, struct clopt_device_info *device, cl_int *code)
{
    size_t items[16] = {0};
    cl_uint dimensions = 0;
    ask(id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, &dimensions, sizeof dimensions, code);
    if (dimensions > sizeof items / sizeof items[0])
        dimensions = sizeof items / sizeof items[0];
    ask(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, items, dimensions * sizeof items[0], code);
    memcpy(device->max_work_item_sizes, items, sizeof device->max_work_item_sizes);
}

/* Of OpenCL 3.0, which headers need not have: CL_DEVICE_OPENCL_C_FEATURES, cl_name_version. */
#define FEATURES 0x106F
struct feature {
    cl_uint version;
    char name[64];
};

/* Devices before OpenCL 3.0 do not answer: that is no failure. */
static void ask_features(cl_device_id id, struct clopt_device_info *device)
{
    size_t bytes = 0;
    CLOPT_OWNED(clopt_text) names = {0};
    if (clGetDeviceInfo(id, FEATURES, 0, NULL, &bytes) != CL_SUCCESS)
        return;
    CLOPT_FREED struct feature *features = clopt_calloc(bytes + 1, 1);
    if (clGetDeviceInfo(id, FEATURES, bytes, features, NULL) != CL_SUCCESS)
        return;
    for (size_t i = 0; i < bytes / sizeof *features; i++)
        clopt_text_printf(&names, "%s%.*s", i ? " " : "", (int)sizeof features[i].name,
                          features[i].name);
    keep_text(device->opencl_c_features, sizeof device->opencl_c_features,
              clopt_text_string(&names));
}

static enum clopt_status query(cl_device_id id, struct clopt_device_info *device,
                               struct clopt_error *error)
{
    struct clopt_device_info asked = {0};
    cl_int code = CL_SUCCESS;
    cl_device_type type = 0;
    cl_platform_id platform = NULL;
    ask_fields(id, &asked, &code);
    ask_version(id, &asked, &code);
    ask_sizes(id, &asked, &code);
    ask_features(id, &asked);
    ask(id, CL_DEVICE_TYPE, &type, sizeof type, &code);
    ask(id, CL_DEVICE_PLATFORM, &platform, sizeof platform, &code);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clGetDeviceInfo", code);
    code = platform_text(platform, CL_PLATFORM_NAME, asked.platform, sizeof asked.platform);
    if (code == CL_SUCCESS)
        code = platform_text(platform, CL_PLATFORM_VERSION, asked.platform_version,
                             sizeof asked.platform_version);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clGetPlatformInfo", code);
    keep_text(asked.type, sizeof asked.type, type_name(type));
    *device = asked;
    return CLOPT_OK;
}

/* Adds a platform's devices. What does not answer is left out, and said. */
static void add_platform(struct found *found, cl_platform_id platform, unsigned number,
                         const char *wanted)
{
    char name[128] = "?";
    platform_text(platform, CL_PLATFORM_NAME, name, sizeof name);
    if (wanted && strcmp(name, wanted) != 0)
        return;
    cl_uint count = 0;
    CLOPT_FREED cl_device_id *ids = NULL;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0))
        return;
    if (code == CL_SUCCESS) {
        size_t most = found->count + count;
        ids = clopt_calloc(count, sizeof *ids);
        found->devices = clopt_realloc(found->devices, most, sizeof *found->devices);
        found->ids = clopt_realloc(found->ids, most, sizeof *found->ids);
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    }
    if (code != CL_SUCCESS) {
        clopt_text_print(stderr,
                         "clopt: warning: platform %u (%s) left out: clGetDeviceIDs: %s (%d)\n",
                         number, name, clopt_cl_error_name(code), code);
        return;
    }
    for (cl_uint i = 0; i < count; i++) {
        struct clopt_error why = {0};
        if (query(ids[i], &found->devices[found->count], &why) == CLOPT_OK)
            found->ids[found->count++] = ids[i];
        else
            clopt_text_print(stderr, "clopt: warning: device %u of platform %u (%s) left out: %s\n",
                             (unsigned)i, number, name, why.message);
    }
}

/* Gets the loader's platforms; none is an error that says what to install. */
static enum clopt_status list_platforms(cl_platform_id **platforms, cl_uint *count,
                                        struct clopt_error *error)
{
    cl_uint there = 0;
    cl_int code = clGetPlatformIDs(0, NULL, &there);
    if (code == -1001 || (code == CL_SUCCESS && there == 0))
        return clopt_fail(
            error, CLOPT_FAILED,
            "clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR (-1001): no OpenCL platform; "
            "install one (Debian package pocl-opencl-icd), or mend OCL_ICD_VENDORS");
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clGetPlatformIDs", code);
    *platforms = clopt_calloc(there, sizeof **platforms);
    code = clGetPlatformIDs(there, *platforms, NULL);
    *count = code == CL_SUCCESS ? there : 0;
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clGetPlatformIDs", code);
}

/* Says what of the environment may be why there is no device; "" where all is well. */
static void explain_none(char *text, size_t size)
{
    char small[CLOPT_SMALL_LIMIT_MAX];
    const char *home = getenv("HOME");
    clopt_small_limit(small);
    bool wrong = home && *home && access(home, W_OK) != 0 && !getenv("POCL_CACHE_DIR");
    snprintf(text, size, "%s%s%s%s", small, wrong ? "; HOME=" : "", wrong ? home : "",
             wrong
                 ? " cannot be written to, where PoCL keeps its cache: name a folder that can, by "
                   "HOME or POCL_CACHE_DIR"
                 : "");
}

enum clopt_status clopt_device_list(const char *platform, struct clopt_device_info **devices,
                                    cl_device_id **ids, size_t *count, struct clopt_error *error)
{
    struct found found = {0};
    cl_platform_id *platforms = NULL;
    cl_uint platform_count = 0;
    struct clopt_error before = *error;
    clopt_fail(error, CLOPT_OK, CLOPT_LISTING); /* which is what a child is lost in */
    enum clopt_status status = list_platforms(&platforms, &platform_count, error);
    for (cl_uint i = 0; status == CLOPT_OK && i < platform_count; i++)
        add_platform(&found, platforms[i], i, platform);
    free(platforms);
    if (status == CLOPT_OK && found.count == 0)
        status = clopt_fail(error, CLOPT_FAILED, "no OpenCL platform has a device that answers");
    if (status == CLOPT_FAILED) {
        char why[1024];
        explain_none(why, sizeof why);
        clopt_fail(error, status, "%s%s", error->message, why);
    }
    if (status != CLOPT_OK) {
        free(found.devices);
        free(found.ids);
        return status;
    }
    *error = before;
    *devices = found.devices;
    *count = found.count;
    if (ids)
        *ids = found.ids;
    else
        free(found.ids);
    return CLOPT_OK;
}

/* ---- finds out which OpenCL driver keeps the devices from being listed ---- */

#define USUAL_FOLDER "/etc/OpenCL/vendors"
#define SECONDS      10 /* that one driver alone may take */

/* A driver as loaders find it. */
struct driver {
    char *file; /* *.icd, which names the library */
    char library[1024];
};

/* Lists the devices of one driver; for a child. ocl-icd takes the one file, and Khronos' loader,
 * which wants a folder there, the library. */
static enum clopt_status list_alone(void *user, struct clopt_error *error)
{
    const struct driver *driver = user;
    CLOPT_FREED struct clopt_device_info *devices = NULL;
    size_t count;
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0 ||
        setenv("OCL_ICD_VENDORS", driver->file, 1) != 0 ||
        setenv("OCL_ICD_FILENAMES", driver->library, 1) != 0)
        return clopt_fail(error, CLOPT_FAILED, "not tried");
    return clopt_device_list(NULL, &devices, NULL, &count, error);
}

/* Tries a driver, and says so where a process is lost with it. */
static enum clopt_status accuse_one(struct driver *driver, const volatile sig_atomic_t *stop,
                                    struct clopt_error *error)
{
    const struct clopt_child_limits limits = {.seconds = SECONDS, .stop = stop};
    struct clopt_error alone = {0};
    CLOPT_CLOSED FILE *stream = fopen(driver->file, "re");
    if (!stream || !fgets(driver->library, sizeof driver->library, stream))
        driver->library[0] = '\0';
    driver->library[strcspn(driver->library, "\r\n")] = '\0';
    enum clopt_status status = clopt_child_run(&limits, list_alone, driver, &alone);
    if (status != CLOPT_CRASHED && status != CLOPT_TIMED_OUT)
        return CLOPT_OK;
    return clopt_fail(error, error->status,
                      "%.1024s; the driver of %.1024s (%s) alone fails in the same way: remove "
                      "that file, or name a folder without it by OCL_ICD_VENDORS",
                      error->message, driver->file, driver->library);
}

enum clopt_status clopt_driver_accuse(const volatile sig_atomic_t *stop, struct clopt_error *error)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    const struct dirent *entry;
    bool lost = error->status == CLOPT_CRASHED || error->status == CLOPT_TIMED_OUT;
    char *at = strstr(error->message, CLOPT_LISTING);
    if (!lost || !at)
        return error->status;
    at[strcspn(at, ";")] = '\0'; /* advice about sources */
    char small[CLOPT_SMALL_LIMIT_MAX];
    clopt_small_limit(small);
    if (*small)
        return clopt_fail(error, error->status, "%.1024s%s", error->message, small);
    folder = folder && *folder ? folder : USUAL_FOLDER;
    DIR *listing = opendir(folder);
    while (listing && !(stop && *stop) && (entry = readdir(listing))) {
        if (!clopt_text_ends(entry->d_name, ".icd"))
            continue;
        CLOPT_FREED char *file = clopt_path_join(folder, entry->d_name);
        struct driver driver = {.file = file};
        if (accuse_one(&driver, stop, error))
            break;
    }
    if (listing)
        closedir(listing);
    return error->status;
}
