/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which OpenCL driver keeps the devices from being listed. */
#include "opencl/driver.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "file/file.h"
#include "opencl/listing.h"
#include "process/child.h"

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

/* Reads which library a file names. */
static void read_library(struct driver *driver)
{
    FILE *stream = fopen(driver->file, "re");
    if (!stream || !fgets(driver->library, sizeof driver->library, stream))
        driver->library[0] = '\0';
    if (stream)
        fclose(stream);
    driver->library[strcspn(driver->library, "\r\n")] = '\0';
}

/* Tries a driver, and says so where a process is lost with it. */
static enum clopt_status accuse_one(struct driver *driver, const volatile sig_atomic_t *stop,
                                    struct clopt_error *error)
{
    const struct clopt_child_limits limits = {.seconds = SECONDS, .stop = stop};
    struct clopt_error alone = {0};
    read_library(driver);
    enum clopt_status status = clopt_child_run(&limits, list_alone, driver, &alone);
    if (status != CLOPT_CRASHED && status != CLOPT_TIMED_OUT)
        return CLOPT_OK;
    struct clopt_error before = *error;
    return clopt_fail(error, before.status,
                      "%.1024s; the driver of %.1024s (%s) alone fails in the same way: remove "
                      "that file, or name a folder without it by OCL_ICD_VENDORS",
                      before.message, driver->file, driver->library);
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
    struct clopt_error before = *error;
    char small[CLOPT_SMALL_LIMIT_MAX];
    clopt_small_limit(small);
    if (*small)
        return clopt_fail(error, before.status, "%.1024s%s", before.message, small);
    DIR *listing = opendir(folder && *folder ? folder : USUAL_FOLDER);
    while (listing && !(stop && *stop) && (entry = readdir(listing))) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".icd") != 0)
            continue;
        struct driver driver = {
            .file = clopt_path_join(folder && *folder ? folder : USUAL_FOLDER, entry->d_name)};
        enum clopt_status accused = driver.file ? accuse_one(&driver, stop, error) : CLOPT_OK;
        free(driver.file);
        if (accused)
            break;
    }
    if (listing)
        closedir(listing);
    return error->status;
}
